"""What a tool is: its arguments, its declared rules, and the shape of what it answers."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from routing.facts import Fact, FactDraft
from routing.model import Frozen, IdentityLevel, Language
from routing.ports import Desk, Memory, Shop
from routing.shop import Customer, Receipt

Kind = Literal["READ", "WRITE", "SIGNAL"]
Confirm = Literal["explicit", "customer", "operator", "none"]


class Args(BaseModel):
    """Base of a tool's arguments: an unknown one is an error that the model is told about."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, str_max_length=1_000)


class Refusal(Frozen):
    """A "no" as a value: a code for the trail, why, and what can be done instead (both in the customer's language).

    `audit` is for the trail only ("foreign_order"): neither the model nor the customer may learn it.
    """

    code: str
    because: str
    next: str
    audit: str | None = None


class Plan(Frozen):
    """A WRITE that its rules allow, before it happens.

    `summary` is the exact action in the customer's words ("trocar o endereço do pedido 10431 para …"), `act` what makes
    it the same act when it is asked for twice, `basis` the versions of the rows that were read.
    """

    summary: str
    act: tuple[str, ...]
    basis: dict[str, str] = Field(default_factory=dict[str, str])


class NotMine(Frozen):
    """The specialist declares that this is not its subject."""

    reason: str
    detail: str


class Suspicion(Frozen):
    """The specialist notes a hypothesis."""

    key: str
    value: str
    confidence: float


class Proof(Frozen):
    """The customer proved who owns an order: from here on the identity is `matched` for that order."""

    order_id: str


class Outcome(Frozen):
    """What a tool answers. `data` is what the model reads; `says` the sentence that the receipt allows.

    `audit` is for the trail only. After a WRITE that failed it says what became of it: "write_absent" (it did not
    happen) or "write_unknown" (nobody knows: a person must look).
    """

    status: Literal["ok", "refused", "failed"]
    data: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    facts: tuple[FactDraft, ...] = ()
    refusal: Refusal | None = None
    receipt: Receipt | None = None
    says: str | None = None
    signal: NotMine | Suspicion | Proof | None = None
    audit: str | None = None


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a turn gives its tools. Identity comes from here and never from an argument.

    `words` are the customer's own messages of this leg, oldest first. `effect_key` is the idempotency key of the WRITE
    that is running, None while it is only planned.
    """

    customer: Customer
    shop: Shop
    desk: Desk
    memory: Memory
    now: datetime
    zone: ZoneInfo
    language: Language = "pt"
    facts: tuple[Fact, ...] = ()
    words: tuple[str, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    effect_key: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A declared tool. `plan` (WRITE only) applies the rules without writing; `run` does it.

    A silent order system makes `run` answer "failed" and `plan`, which has written nothing, raise `ShopUnavailable`.

    `identifiers` are arguments that must be facts which somebody gave; `from_customer` arguments whose text must appear
    in the customer's words of this leg. `identity` is the level that the customer must have proved.
    """

    name: str
    kind: Kind
    args: type[Args]
    run: Callable[[Any, ToolContext], Awaitable[Outcome]]
    plan: Callable[[Any, ToolContext], Awaitable[Plan | Refusal]] | None = None
    confirm: Confirm = "none"
    identity: IdentityLevel = "none"
    identifiers: tuple[str, ...] = ()
    from_customer: tuple[str, ...] = ()
    while_waiting: bool = False

    @property
    def description(self) -> str:
        """The prompt of the tool: the docstring of its function."""
        return inspect.getdoc(self.run) or ""
