"""A case of the handoff suite: a conversation, where it changes hands, and what the customer gave before that."""

from datetime import datetime
from typing import Literal, Self

from pydantic import Field, model_validator

from routing.facts import CommitmentOrigin
from routing.model import Frozen, Language


class Line(Frozen):
    role: Literal["customer", "agent", "person"]
    agent: str | None = None
    text: str


class Value(Frozen):
    """Something that the customer said in turn `turn` (from 0)."""

    key: str
    value: str
    turn: int = Field(ge=0)


class Promise(Frozen):
    """A commitment that stands after turn `turn`; it must be carried word for word."""

    text: str
    turn: int = Field(ge=0)
    origin: CommitmentOrigin = "promise_callback"
    due: datetime | None = None


class Suspicion(Frozen):
    key: str
    value: str
    confidence: float
    author: str
    turn: int = Field(ge=0)


class Action(Frozen):
    name: str
    receipt: str
    turn: int = Field(ge=0)


class Reading(Frozen):
    """What a tool read in turn `turn`."""

    tool: str
    key: str
    value: str
    entity: str | None = None
    turn: int = Field(ge=0)


class Topic(Frozen):
    text: str
    target: str | None = None
    turn: int = Field(ge=0)


class Asked(Frozen):
    """An action that was proposed in turn `turn` and waits for a yes."""

    tool: str
    summary: str
    by: str
    turn: int = Field(ge=0)


class Change(Frozen):
    """Between whom the conversation changes hands, and why.

    `declared`: the one who had it declared the reason, so the reasons table must lead from it to the one who gets it.
    """

    from_agent: str | None = "support"
    to_agent: str = "billing"
    reason: str = "evaluation"
    detail: str | None = None
    declared: bool = False


class IntegrityCase(Frozen):
    """`boundary` is the number of turns before the change of hands.

    Beside the format of the shared sets (id, turns, boundary, values), own cases may name what else must be carried, and
    in `outdated` values that the customer took back: they may not stand in the package. `keeps` is a part of the
    customer's words that must still be readable there.
    """

    id: str
    turns: tuple[Line, ...] = Field(min_length=1)
    boundary: int = Field(ge=1)
    values: tuple[Value, ...] = ()
    lang: Language | None = None
    purpose: str | None = None
    outdated: tuple[Value, ...] = ()
    promises: tuple[Promise, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    actions: tuple[Action, ...] = ()
    readings: tuple[Reading, ...] = ()
    topics: tuple[Topic, ...] = ()
    asked: Asked | None = None
    change: Change = Change()

    @model_validator(mode="after")
    def _turns_exist(self) -> Self:
        if self.boundary > len(self.turns):
            raise ValueError(f"the boundary {self.boundary} lies behind the last turn")
        records = (self.values, self.outdated, self.promises, self.suspicions, self.actions, self.readings, self.topics)
        late = [item for group in records for item in group if item.turn >= self.boundary]
        if late:
            raise ValueError(f"not before the boundary: {late[0]!r}")
        return self
