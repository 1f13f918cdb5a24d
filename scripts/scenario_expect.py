"""What a scenario expects of the records: the format. scripts/demo_checks.py holds it against them."""

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from graph.events import ToolOutcome, TurnStatus
from routing.facts import CommitmentOrigin
from routing.model import Frozen
from routing.queue_moves import ItemStatus

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class _Condition(Frozen):
    """Says something: a condition without a word in it would always hold."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError(f"expects nothing; it may hold: {', '.join(sorted(_names(type(self))))}")
        return self


class ReplyHolds(_Condition):
    """The stored reply of the last turn. Texts are found without regard to case and accents.

    `asks`: it ends with a question. `tells_protocol`: it names the protocol of an item or an act of this conversation.
    """

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    asks: bool | None = None
    tells_protocol: bool | None = None


class DecisionIs(_Condition):
    """Who should speak, and by which reason (a code of the trail)."""

    to: str | None = None
    because: str | None = None


class PackageHolds(_Condition):
    """The last stored package, or the last one to `to`. `carries_promises`: all that stand, each word for word."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    from_: str | None = Field(default=None, alias="from")
    to: str | None = None
    because: str | None = None
    facts: dict[str, str] = Field(default_factory=dict[str, str])
    not_facts: tuple[str, ...] = ()
    suspicions: dict[str, str] = Field(default_factory=dict[str, str])
    carries_promises: bool | None = None


class PromiseIs(_Condition):
    """A promise on record."""

    text_has: str | None = None
    origin: CommitmentOrigin | None = None
    status: Literal["open", "kept", "overdue", "withdrawn"] | None = None
    due_on: Weekday | None = None


class QueueHolds(_Condition):
    """Items of this conversation that look like this: at least one, or exactly `count`.

    `urgent`: put first because a promise is about to fall due.
    """

    kind: str | None = None
    reason: str | None = None
    status: ItemStatus | None = None
    operator: str | None = None
    about_has: str | None = None
    urgent: bool | None = None
    count: int | None = Field(default=None, ge=0)


class OperatorSees(_Condition):
    """What the queue shows of a reply that was not sent: its words, and what its turn did."""

    discarded_has: str | None = None
    effect: str | None = None


class OrderIs(Frozen):
    """An order in the shop's own records."""

    id: str
    address_has: str


class Expectation(Frozen):
    """A sentence for the person who watches (`that`), and the conditions that make it true: all of them.

    `route` are the specialists that the last turn passed through, `tools` its calls ("never": not called). `effects` count
    what this conversation did by tool, `requests` what the customer has in the shop ("exchange:10418"), `answers` the
    messages since the customer's last one by who wrote them. `passed_on` and `turns` are the fewest so far.
    """

    that: str = Field(min_length=1)
    ending: TurnStatus | None = None
    reply: ReplyHolds | None = None
    decision: DecisionIs | None = None
    route: tuple[str, ...] | None = None
    package: PackageHolds | None = None
    tools: dict[str, ToolOutcome | Literal["never"]] = Field(default_factory=dict[str, ToolOutcome | Literal["never"]])
    effects: dict[str, int] = Field(default_factory=dict[str, int])
    facts: dict[str, str] = Field(default_factory=dict[str, str])
    not_facts: tuple[str, ...] = ()
    promise: PromiseIs | None = None
    queue: QueueHolds | None = None
    operator_sees: OperatorSees | None = None
    answers: dict[Literal["agent", "operator"], int] = Field(default_factory=dict[Literal["agent", "operator"], int])
    order: OrderIs | None = None
    requests: dict[str, int] = Field(default_factory=dict[str, int])
    passed_on: int | None = Field(default=None, ge=1)
    turns: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _checks_something(self) -> Self:
        if not self.conditions:
            raise ValueError(f"checks nothing; a condition is one of: {', '.join(sorted(_names(Expectation)))}")
        for name in self.conditions:
            if name != "route" and getattr(self, name) in (None, {}, ()):  # an empty route is one: nobody passed on
                raise ValueError(f"{name} expects nothing")
        return self

    @property
    def conditions(self) -> tuple[str, ...]:
        """Return the names of the conditions that it states."""
        return tuple(name for name in type(self).model_fields if name != "that" and name in self.model_fields_set)


def _names(model: type[Frozen]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()} - {"that"}
