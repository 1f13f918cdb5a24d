"""What is built once per process and what is given with one turn. Neither is ever checkpointed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from agents.models.registry import ChatModels
from agents.roster import Roster
from agents.spec import AgentSpec
from graph.desk import QueueDesk
from graph.ledger import EffectsLedger
from graph.limits import Limits
from graph.memory import StoredMemory
from graph.model_chain import ChatLink
from graph.purse import Purse
from graph.tracing import Tracing
from routing.authority import AuthorityPolicy
from routing.calendar import OpeningHours
from routing.decision import Thresholds
from routing.facts import Commitment, ExecutedAction, Fact
from routing.model import Language
from routing.pending import Proposal
from routing.ports import Clock, Decider, ExampleReader, Shop
from routing.providers.breaker import Breakers
from routing.reasons import ReasonTable
from routing.sensitive import SensitiveTopic
from routing.shop import Customer
from storage.database import Database
from tools.contract import Confirm, Tool

Json = dict[str, Any]


class Gate(Protocol):
    """The thresholds of a provider; `calibrated` is what its answer said of itself."""

    def __call__(self, provider: str, calibrated: bool = True) -> Thresholds: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spare:
    """Chat models that are asked where the ones before them fail, and what pays for them."""

    models: ChatModels
    purse: Purse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that lives as long as the process."""

    database: Database
    roster: Roster
    models: ChatModels
    decider: Decider
    shop: Shop
    tools: Mapping[str, Tool]
    reasons: ReasonTable
    authority: AuthorityPolicy
    thresholds: Gate
    limits: Limits
    sensitive: tuple[SensitiveTopic, ...]
    hours: OpeningHours
    secret: bytes
    zone: ZoneInfo
    clock: Clock
    new_id: Callable[[str], str]
    shop_name: str
    demo_customers: tuple[str, ...] = ()
    confirm: Mapping[str, Confirm] = field(default_factory=dict[str, Confirm])
    quiet: Mapping[str, float] = field(default_factory=dict[str, float])
    purse: Purse | None = None
    spares: tuple[Spare, ...] = ()
    chat_breakers: Breakers = field(default_factory=lambda: Breakers(clock=monotonic))
    enforce_claims: bool = True
    on_disconnect: Literal["finish", "cancel"] = "finish"
    tool_keys: frozenset[str] = frozenset()
    reader: ExampleReader | None = None
    release: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    tracing: Tracing = field(default_factory=Tracing)

    def chat_links(self, spec: AgentSpec) -> tuple[ChatLink, ...]:
        """Return the chat models that this specialist may speak with, in the order in which they are asked."""
        chain = (Spare(models=self.models, purse=self.purse), *self.spares)
        return tuple(
            ChatLink(name=link.models.name, model=link.models.for_agent(spec), purse=link.purse) for link in chain
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """What a turn leaves for its commit: everything that must be written with the reply, or not at all."""

    status: Literal["replied", "held", "nothing_due"]
    text: str
    agent: str | None
    decision: Json | None
    outcomes: tuple[Json, ...]
    handoffs: tuple[Json, ...]
    facts: tuple[Fact, ...]
    replaced: tuple[Fact, ...]
    settled: tuple[Json, ...]
    proposal: Proposal | None
    proposal_asked: bool
    question: Json | None
    current: str | None
    hops: int
    language: Language
    checks: tuple[Json, ...]
    cost_usd: float
    tokens: Json
    open_topics: tuple[Json, ...] = ()


@dataclass(slots=True)
class Outbox:
    """Where the reply node leaves the turn's result for the door, and the writes what they did.

    `claimed`: an effect was, so nothing cancels the turn any more. `writing`: one is on its way. `told` is what a receipt
    allows to say, by effect.
    """

    result: TurnResult | None = None
    claimed: bool = False
    writing: bool = False
    told: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """What one turn brings: who is served, under which lease, and what the stores say about the conversation."""

    services: Services
    thread_id: str
    turn_id: str
    number: int
    contact_id: str
    contact_protocol: str
    channel: str
    customer: Customer
    now: datetime
    fence: int
    epoch: int
    held: bool
    language: str
    ledger: EffectsLedger
    memory: StoredMemory
    desk: QueueDesk
    outbox: Outbox
    commitments: tuple[Commitment, ...] = ()
    actions: tuple[ExecutedAction, ...] = ()
    index: Mapping[str, int] = field(default_factory=dict[str, int])
    queue_protocol: str | None = None
    queue_status: str | None = None
    queue_reason: str | None = None
    queue_item: str | None = None
    queue_about: str | None = None
    queue_agent: str | None = None
    rejected: frozenset[str] = frozenset()
    override: str | None = None
    action: Json | None = None
