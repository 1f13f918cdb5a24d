"""What waits for the customer: a question that was asked, an action that was proposed."""

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from routing.model import Frozen


class Choice(Frozen):
    """One option that the customer saw. For a clarification `id` is a specialist's id or "other"."""

    id: str
    label: str


class PendingQuestion(Frozen):
    """The last question that the customer saw. `by` is a specialist's id or "clarification"."""

    by: str
    text: str
    options: tuple[Choice, ...] = ()
    expects: Literal["anything", "yes_no", "identifier", "choice"] = "anything"


class Proposal(Frozen):
    """An action that waits for a yes. `digest` binds the yes to exactly these arguments."""

    id: str
    tool: str
    args: dict[str, JsonValue]
    digest: str
    summary: str
    proposed_by: str
    asked_at: datetime
    expires_at: datetime
    basis: dict[str, str] = Field(default_factory=dict[str, str])


class OpenTopic(Frozen):
    """A subject that the customer raised and nobody has taken yet, in the customer's words."""

    text: str
    target: str | None = None
    at: datetime
