"""A case of the router suite: what was said before, what is said now, and who should speak."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from routing.decision import CLARIFICATION, COURTESY, OUT_OF_SCOPE, PERSON
from routing.model import Frozen

Kind = Literal[
    "opening", "follow_up", "topic_switch", "informal", "ambiguous", "out_of_scope", "english", "adversarial", "two_subjects",
]  # fmt: skip


class Said(Frozen):
    role: Literal["customer", "agent"]
    agent: str | None = None
    text: str


class RouterCase(BaseModel):
    """One line of a router set. Further fields of an outside set are not read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    kind: Kind
    intent: str | None = None
    lang: str | None = None
    topics: tuple[str, ...] = ()
    history: tuple[Said, ...] = ()
    current_agent: str | None = None
    message: str
    expected: str
    acceptable: tuple[str, ...] = Field(default=())
    ambiguous: bool = False

    @property
    def right_targets(self) -> frozenset[str]:
        """Every right answer: for what is ambiguous also asking back, for what is out of scope also every responder."""
        targets = {self.expected, *self.acceptable}
        if self.ambiguous:
            targets.add(CLARIFICATION)
        if self.expected == OUT_OF_SCOPE:
            targets |= {COURTESY, PERSON, CLARIFICATION}
        return frozenset(targets)
