"""What the conversation knows: facts, hypotheses, commitments, executed actions, each under its own survival rule."""

from datetime import datetime
from typing import Literal

from routing.model import Frozen

FactStatus = Literal["reported", "confirmed", "replaced"]
CommitmentOrigin = Literal["receipt", "policy", "promise_callback", "person"]


class FactDraft(Frozen):
    """A fact before it is numbered: what a tool result or the customer's words say.

    `entity` names what it is about ("order:10405", "item:10405/2") or is None for the customer as a whole.
    `max_age_s` is in seconds; None never ages. `corrects` marks an explicit correction by the customer.
    """

    key: str
    value: str
    entity: str | None = None
    status: FactStatus = "reported"
    max_age_s: int | None = None
    corrects: bool = False


class Fact(Frozen):
    """A numbered fact. `source` is "session", "tool:<name>" or "customer"; `turn` counts the conversation's turns from 1."""

    id: str
    key: str
    entity: str | None = None
    value: str
    source: str
    status: FactStatus
    at: datetime
    turn: int
    max_age_s: int | None = None

    def stale(self, now: datetime) -> bool:
        """Tell whether the fact must be read again before it is stated or acted on."""
        return self.max_age_s is not None and (now - self.at).total_seconds() > self.max_age_s


class Hypothesis(Frozen):
    """A suspicion. It stays one over any number of hops until a tool confirms its key."""

    key: str
    value: str
    confidence: float
    author: str
    at: datetime


class Commitment(Frozen):
    """A promise, word for word. Never summarised, truncated or dropped."""

    id: str
    text: str
    by: str
    at: datetime
    due: datetime | None = None
    status: Literal["open", "kept", "overdue", "withdrawn"] = "open"
    origin: CommitmentOrigin


class ExecutedAction(Frozen):
    """An effect as the ledger tells it; `receipt` is its protocol."""

    name: str
    effect_id: str
    status: Literal["done", "refused", "unknown"]
    at: datetime
    receipt: str | None = None


class Conflict(Frozen):
    """Sources that disagree about one (key, entity): each value with its source. The destination must address it."""

    key: str
    entity: str | None = None
    values: tuple[tuple[str, str], ...]
