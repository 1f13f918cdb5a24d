"""What a surface may draw: a closed union of typed events, each with its place in the turn (`seq`).

Nothing of a reply is in any event before it was checked and committed: `token` and `reply` carry stored text only.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from routing.decision import Decision

TurnStatus = Literal["replied", "held", "interrupted", "failed", "nothing_due"]
ToolOutcome = Literal["ok", "refused", "proposed", "failed", "repeated"]


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    seq: int = 0


class Queued(_Event):
    """The message is stored and waits for a turn that is running."""

    type: Literal["queued"] = "queued"
    thread_id: str
    message_id: str


class Status(_Event):
    """Somebody is working: `agent` is a specialist's id or None, `doing` a short code (deciding, working, checking)."""

    type: Literal["status"] = "status"
    doing: Literal["deciding", "working", "checking", "executing"]
    agent: str | None = None
    label: str | None = None


class Decided(_Event):
    type: Literal["decision"] = "decision"
    decision: Decision


class HandedOff(_Event):
    """The conversation passed on. `carried` are facts in words; `package_tokens` is an approximate count."""

    type: Literal["handoff"] = "handoff"
    from_agent: str | None
    to_agent: str
    to_label: str
    reason: str
    detail: str | None = None
    facts: list[dict[str, JsonValue]] = []
    package: dict[str, JsonValue] = {}
    package_tokens: int = 0


class ToolUsed(_Event):
    type: Literal["tool"] = "tool"
    name: str
    args: dict[str, JsonValue]
    outcome: ToolOutcome
    by: Literal["model", "graph"] = "model"
    agent: str | None = None
    because: str | None = None


class Confirmation(_Event):
    """An action waits for the customer's yes: `summary` is the exact action."""

    type: Literal["confirmation"] = "confirmation"
    proposal_id: str
    summary: str
    expires_at: str


class PersonCalled(_Event):
    """A person was called, or one holds the conversation."""

    type: Literal["person"] = "person"
    status: Literal["waiting", "held"]
    reason: str
    protocol: str | None = None


class Token(_Event):
    type: Literal["token"] = "token"
    text: str


class Reply(_Event):
    type: Literal["reply"] = "reply"
    text: str
    agent: str | None
    label: str | None = None
    message_id: str
    turn_id: str


class Discarded(_Event):
    """A person wrote first: the bot's reply was not sent."""

    type: Literal["discarded"] = "discarded"
    why: str


class Done(_Event):
    """The turn's one ending."""

    type: Literal["done"] = "done"
    turn_id: str
    turn: int
    status: TurnStatus
    latency_ms: float
    cost_usd: float = 0.0
    model: str | None = None
    simulated: bool = False


class Failed(_Event):
    """What went wrong, in the customer's words, with the protocol number that finds the rest."""

    type: Literal["error"] = "error"
    code: str
    text: str
    protocol: str | None = None


Event = Annotated[
    Queued
    | Status
    | Decided
    | HandedOff
    | ToolUsed
    | Confirmation
    | PersonCalled
    | Token
    | Reply
    | Discarded
    | Done
    | Failed,
    Field(discriminator="type"),
]
