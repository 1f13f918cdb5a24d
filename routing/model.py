"""The frozen base of every contract in this package, and the few words that all of them share."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Language = Literal["pt", "en"]
IdentityLevel = Literal["none", "matched", "session"]
IDENTITY_ORDER: tuple[IdentityLevel, ...] = ("none", "matched", "session")


class Frozen(BaseModel):
    """A value: immutable, and an unknown field is an error rather than a guest."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def identity_reaches(level: IdentityLevel, required: IdentityLevel) -> bool:
    """Tell whether an identity of `level` satisfies a requirement of `required`."""
    return IDENTITY_ORDER.index(level) >= IDENTITY_ORDER.index(required)
