"""What must be on record after a conversation, and what must and must not have been said: the format of cases."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, model_validator

from routing.facts import CommitmentOrigin
from routing.model import Frozen
from routing.values import flat


def _pattern(text: str) -> str:
    """Refuse what is no pattern, and what could never be found in a text without accents and capitals."""
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error
    if flat(text) != text.replace("\\S", "\\s").replace("\\W", "\\w").replace("\\D", "\\d").replace("\\B", "\\b"):
        raise ValueError("patterns are searched in flat text: no capitals, no accents")
    return text


Pattern = Annotated[str, AfterValidator(_pattern), Field(min_length=2)]
Outcome = Literal["ok", "refused", "proposed", "failed", "repeated"]


class ToolUse(Frozen):
    """A call of this tool: with at least these arguments (separators and accents apart), this outcome, this reason."""

    name: str
    args: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    outcome: Outcome | None = None
    because: str | None = None


class Promise(Frozen):
    """A promise on record, made or kept; `due_on` is a day like 2026-12-04 in the shop's zone."""

    text_has: Pattern | None = None
    origin: CommitmentOrigin | None = None
    due_on: str | None = None


class Queued(Frozen):
    """An item of this conversation in the human queue."""

    kind: str | None = None
    reason: str | None = None


class OrderRow(Frozen):
    """An order in the shop's own records."""

    id: str
    status: str | None = None
    address_has: Pattern | None = None


class Expect(Frozen):
    """What holds after a conversation.

    `effects` and `requests` are all that was done in it and all that is new in the shop ("exchange:10418"): nothing more may
    be there. `unused` tools were not called with success. `declines`: the reasons of which one was declared; without any, the
    specialist must not decline. `offers` is the action that now waits for a yes. `says` are found in the last reply, `said` in
    any, `never` in none.
    """

    tools: tuple[ToolUse, ...] = ()
    unused: tuple[str, ...] = ()
    effects: dict[str, int] = Field(default_factory=dict[str, int])
    requests: tuple[str, ...] = ()
    declines: tuple[str, ...] = ()
    offers: Pattern | None = None
    promise: Promise | None = None
    queue: Queued | None = None
    no_queue: bool = False
    order: OrderRow | None = None
    facts: dict[str, str] = Field(default_factory=dict[str, str])
    audit: str | None = None
    says: tuple[Pattern, ...] = ()
    said: tuple[Pattern, ...] = ()
    never: tuple[Pattern, ...] = ()

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        """Whoever does nothing must fail: what holds without any work is no expectation by itself."""
        work = (self.tools, self.effects, self.requests, self.declines, self.offers, self.audit, self.says, self.said)
        if not any(work):
            raise ValueError("holds for an agent that does nothing: expect a tool, an effect, a reason or words")
        return self
