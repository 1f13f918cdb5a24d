"""The graph without its stores: what a turn would read is in memory, so that the time of the graph alone can be told.

Nothing is simulated of the graph itself: every node, rule, check and tool runs as in a real turn. Only a turn that reads is
possible here; whatever else would ask a store fails.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from bench.bastao import ANA, Bastao
from bench.customer import ORDERS
from graph.build import build_graph
from graph.services import Outbox, Services, TurnContext
from storage.records.messages import Message


@dataclass(slots=True)
class _Cursor:
    said: Sequence[Message]
    found: Sequence[Message] = ()

    async def execute(self, query: str, params: Mapping[str, Any]) -> None:
        """Answer "everything after a message"; the store has no further facts."""
        self.found = [m for m in self.said if "from messages" in query and m.seq > params["seq"]]

    async def fetchall(self) -> Sequence[Message]:
        return self.found


@dataclass(slots=True)
class InMemoryDatabase:
    said: list[Message] = field(default_factory=list[Message])

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        yield self

    @asynccontextmanager
    async def cursor(self, **_: Any) -> AsyncIterator[_Cursor]:
        yield _Cursor(self.said)

    def add(self, role: Any, text: str, *, turn_id: str) -> None:
        self.said.append(
            Message(
                thread_id="graph", seq=len(self.said) + 1, message_id=uuid4().hex, role=role, author=None, text=text, parts=(),
                at=datetime.now(UTC), turn_id=turn_id, given_back=False, channel="bench", brand="bench",
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownOrders:
    """The shop's orders, read once."""

    orders: Mapping[str, Any]

    async def order(self, order_id: str) -> Any:
        return self.orders.get(order_id)


@dataclass(frozen=True, slots=True)
class NoEffects:
    """The ledger of a turn that only reads, and is no second run."""

    rerun: bool = False


@dataclass(slots=True)
class GraphAlone:
    """One conversation of the graph in memory."""

    services: Services
    database: InMemoryDatabase
    graph: Any
    thread: str = "graph"
    number: int = 0

    def begin(self, thread: str) -> None:
        """Begin another conversation."""
        self.thread, self.number = thread, 0
        self.database.said.clear()

    async def say(self, text: str) -> str:
        """Run a turn; return its reply."""
        self.number += 1
        turn_id, outbox = uuid4().hex, Outbox()
        ledger: Any = NoEffects()
        self.database.add("customer", text, turn_id=turn_id)
        context = TurnContext(
            services=self.services, thread_id=self.thread, turn_id=turn_id, number=self.number, contact_id="contact", contact_protocol="P",
            channel="bench", customer=ANA, now=datetime.now(UTC), fence=1, epoch=0, held=False, language="pt", ledger=ledger, memory=_NONE,
            desk=_NONE, outbox=outbox,
        )  # fmt: skip
        config: RunnableConfig = {"configurable": {"thread_id": self.thread}, "recursion_limit": 60}
        async for _ in self.graph.astream({}, config, context=context, stream_mode="custom", durability="exit"):
            pass
        assert outbox.result is not None
        self.database.add("agent", outbox.result.text, turn_id=turn_id)
        return outbox.result.text


_NONE: Any = None


async def graph_alone(desk: Bastao) -> GraphAlone:
    """Return a new conversation of this Bastão's graph, its checkpoints in memory as the peers' are."""
    shop: Any = KnownOrders({order: await desk.services.shop.order(order) for order in ORDERS})
    database: Any = InMemoryDatabase()
    services = replace(desk.services, database=database, shop=shop)
    return GraphAlone(services, database, build_graph(services).compile(checkpointer=InMemorySaver()))
