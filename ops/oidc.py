"""Who an OpenID Connect login is: what a provider's claims say of a person, and whether that makes an operator of them."""

import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import Field

from routing.model import Frozen

_LONGEST_NAME = 80
# What Streamlit needs of the provider.
NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")


class OidcSettings(Frozen):
    """How a provider's claims are read. The provider itself stands where Streamlit looks for it: `[auth]` in secrets.toml.

    `role_claim` may be a path ("realm_access.roles"). `name_claim` must be the person's alone: it is who acts in the records,
    and customers read it. A login is asked for anew after `hours`: a role that was taken back ends then at the latest.
    """

    role_claim: str = Field(default="roles", min_length=1)
    operator_roles: tuple[str, ...] = Field(default=("operator",), min_length=1)
    name_claim: str = Field(default="preferred_username", min_length=1)
    hours: float = Field(default=12.0, gt=0, le=720)


def provider_lacks(files: Iterable[Path]) -> list[str]:
    """Name what the provider's secrets lack, in files of which a later one wins. A broken file holds nothing."""
    given: dict[str, Any] = {}
    for file in files:
        try:
            found = tomllib.loads(file.read_text("utf-8")).get("auth")
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            given = cast(dict[str, Any], found)
    return [key for key in NEEDED if not given.get(key)]


class SignedIn(Frozen):
    """An operator."""

    name: str


class NotIn(Frozen):
    """Nobody, or nobody who may be here. `name` is how the person is called where the claims say so."""

    because: Literal["logged_out", "expired", "no_role", "no_name"]
    name: str | None = None


def operator_in(claims: Mapping[str, Any], settings: OidcSettings, *, now: datetime) -> SignedIn | NotIn:
    """Read the claims of a verified ID token, as `st.user` holds them."""
    if claims.get("is_logged_in") is not True:
        return NotIn(because="logged_out")
    name = _name(claims, settings.name_claim)
    issued = claims.get("iat")
    if (
        not isinstance(issued, int | float)
        or now.timestamp() - issued > timedelta(hours=settings.hours).total_seconds()
    ):
        return NotIn(because="expired", name=name)
    if not set(_texts(_claim(claims, settings.role_claim))) & set(settings.operator_roles):
        return NotIn(because="no_role", name=name)
    return SignedIn(name=name) if name is not None else NotIn(because="no_name")


def _name(claims: Mapping[str, Any], claim: str) -> str | None:
    """Return the name, None for one that nobody could be told by: an address that was never verified is anybody's."""
    name: Any = _claim(claims, claim)
    if not isinstance(name, str) or not name.strip().isprintable() or not 0 < len(name.strip()) <= _LONGEST_NAME:
        return None
    if claim == "email" and claims.get("email_verified") is not True:
        return None
    return name.strip()


def _claim(claims: Mapping[str, Any], path: str) -> Any:
    """Return a claim by its name, which may hold dots, else by a path of names."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = cast(Mapping[str, Any], found).get(part) if isinstance(found, Mapping) else None
    return found


def _texts(value: Any) -> list[str]:
    """Return one text, or a list's, as a list: providers write a single role either way."""
    if isinstance(value, str):
        return [value]
    return [text for text in cast(list[Any], value) if isinstance(text, str)] if isinstance(value, list) else []
