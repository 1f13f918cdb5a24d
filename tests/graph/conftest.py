"""A Bastão over a real database, with scripted models and a scripted decider."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from agents.roster import load_roster
from graph.build import build_graph
from graph.checkpoint import TurnSaver, setup_checkpoints
from graph.conversation import Conversation
from graph.events import Event
from graph.limits import Limits
from graph.services import Services
from routing.authority import AuthorityPolicy
from routing.calendar import OpeningHours
from routing.decision import Thresholds
from routing.sensitive import DEFAULT_TOPICS
from routing.shop import Customer
from settings import ROOT
from storage.database import Database
from storage.seed import seed
from storage.shop import PgShop
from tests.scripted import ScriptedDecider, ScriptedModels
from tools.registry import TOOLS, confirming_keys

C1 = Customer(id="c1", name="Ana", tier="silver", level="session")
C2 = Customer(id="c2", name="Bruno", tier="gold", level="session")
ZONE = ZoneInfo("America/Sao_Paulo")
ROSTER = load_roster(["agents/returns.py", "agents/support.py", "agents/billing.py"], base=ROOT, fallback=ROOT)


class Desk:
    """One Bastão under test: say something, get the turn's events."""

    def __init__(
        self, conversation: Conversation, services: Services, models: ScriptedModels, decider: ScriptedDecider
    ) -> None:
        self.conversation, self.services, self.models, self.decider = conversation, services, models, decider
        self.thread_id = f"th-{uuid4().hex}"
        self.turns: list[list[Event]] = []

    async def say(
        self, *texts: str, customer: Customer = C1, thread_id: str | None = None, message_id: str | None = None
    ) -> list[Event]:
        events = [
            event
            async for event in self.conversation.send(
                thread_id or self.thread_id,
                list(texts),
                message_id=message_id or f"m-{uuid4().hex}",
                customer=customer,
                channel="tests",
            )
        ]
        self.turns.append(events)
        return events


def of(events: Sequence[Event], kind: str) -> list[Any]:
    return [event for event in events if event.type == kind]


def reply_of(events: Sequence[Event]) -> str:
    replies = of(events, "reply")
    assert len(replies) == 1, [e.type for e in events]
    return replies[0].text


def tools_of(events: Sequence[Event]) -> list[tuple[str, str]]:
    return [(e.name, e.outcome) for e in of(events, "tool")]


Make = Callable[..., Awaitable[Desk]]


@pytest.fixture
async def make_desk(db: Database) -> Make:
    """Return a maker of Bastões on this test's database: `await make_desk({"support": [...]}, rule)`."""

    async def make(scripts: Any, rule: Any, *, limits: Limits | None = None, confirm: Any = None, **more: Any) -> Desk:
        await db.migrate(after=setup_checkpoints)
        async with db.connection() as conn:
            await seed(conn, today=datetime.now(ZONE).date())
        models, decider = ScriptedModels(scripts), ScriptedDecider(rule)
        values: dict[str, Any] = {
            "database": db, "roster": ROSTER, "models": models, "decider": decider, "shop": PgShop(db, now=lambda: datetime.now(UTC)),
            "tools": TOOLS, "reasons": ROSTER.reasons(), "authority": AuthorityPolicy(),
            "thresholds": lambda provider, calibrated=True: Thresholds(), "limits": limits or Limits(), "sensitive": DEFAULT_TOPICS,
            "hours": OpeningHours(), "secret": b"a secret of the tests", "zone": ZONE, "clock": SystemUtc(),
            "new_id": lambda prefix: f"{prefix}-{uuid4().hex}", "shop_name": "Loja Aurora", "demo_customers": ("c1", "c2", "c3"), "confirm": confirm or {},
            "tool_keys": confirming_keys(),
        } | more  # fmt: skip
        services = Services(**values)
        graph = build_graph(services).compile(checkpointer=TurnSaver(db.pool))
        return Desk(Conversation(services=services, graph=graph, owner="tests"), services, models, decider)

    return make


class SystemUtc:
    def now(self) -> datetime:
        return datetime.now(UTC)
