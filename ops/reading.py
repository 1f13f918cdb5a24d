"""What surfaces may read: conversations, their history, their trail, the packages of their transfers."""

from datetime import datetime
from typing import Any

from pydantic import Field

from routing.model import Frozen
from routing.shop import Customer
from storage.database import Database
from storage.records import conversations, failures, messages, packages, turns
from storage.records.conversations import NotYours

Json = dict[str, Any]


class ConversationRow(Frozen):
    thread_id: str
    title: str | None
    updated_at: datetime
    channel: str
    held_by: str | None


class HistoryLine(Frozen):
    """One message as it was stored. `agent` is the specialist or responder that wrote a reply."""

    seq: int
    message_id: str
    role: str
    author: str | None
    agent: str | None
    text: str
    parts: tuple[Json, ...]
    at: datetime
    turn_id: str | None
    turn_status: str | None


class TurnRow(Frozen):
    """One turn of the trail: who decided, which tools ran, what was handed over, what it took.

    `tokens` of its chat models: `input`, of which `cached` came from the provider's cache, and `output`.
    """

    id: str
    number: int
    status: str
    decision: Json | None
    tools: tuple[Json, ...]
    handoffs: tuple[Json, ...]
    checks: tuple[Json, ...]
    reply: str | None
    discarded_reply: str | None
    latency_ms: float | None
    cost_usd: float
    error_protocol: str | None
    started_at: datetime
    tokens: dict[str, int] = Field(default_factory=dict[str, int])


class PackageRow(Frozen):
    id: str
    turn_id: str
    from_agent: str | None
    to_agent: str
    reason: str
    body: Json
    tokens: int
    at: datetime


async def conversations_of(database: Database, customer_id: str, *, limit: int = 50) -> tuple[ConversationRow, ...]:
    """Return a customer's conversations, newest first."""
    async with database.connection() as conn:
        rows = await conversations.of_customer(conn, customer_id, limit=limit)
    return tuple(
        ConversationRow(
            thread_id=r.thread_id, title=r.title, updated_at=r.updated_at, channel=r.channel, held_by=r.held_by
        )
        for r in rows
    )


async def history(
    database: Database, thread_id: str, *, customer: Customer | None, after: int = 0, limit: int = 200
) -> tuple[HistoryLine, ...]:
    """Return the messages after `after`, oldest first. `customer` None reads as an operator.

    Raises `NotYours` when the conversation is another customer's.
    """
    async with database.connection() as conn:
        row = await conversations.get(conn, thread_id)
        if row is None:
            return ()
        if customer is not None and not row.belongs_to(customer.id, customer.visitor):
            raise NotYours(thread_id)
        lines = await (
            messages.history(conn, thread_id, after=after, limit=limit)
            if after
            else messages.latest(conn, thread_id, limit=limit)
        )
        known = {t.id: t for t in await turns.trail(conn, thread_id, limit=limit)}
    return tuple(
        HistoryLine(
            seq=m.seq, message_id=m.message_id, role=m.role, author=m.author, agent=m.author if m.role == "agent" else None,
            text=m.text, parts=tuple(dict(p) for p in m.parts), at=m.at, turn_id=m.turn_id,
            turn_status=known[m.turn_id].status if m.turn_id in known else None,
        )
        for m in lines
    )  # fmt: skip


async def trail(database: Database, thread_id: str, *, limit: int = 50) -> tuple[TurnRow, ...]:
    """Return the last turns of a conversation, oldest first."""
    async with database.connection() as conn:
        rows = await turns.trail(conn, thread_id, limit=limit)
    return tuple(_row(t) for t in rows)


def _row(turn: turns.Turn) -> TurnRow:
    took = (turn.ended_at - turn.started_at).total_seconds() * 1000 if turn.ended_at else None
    return TurnRow(
        id=turn.id, number=turn.number, status=turn.status, decision=turn.decision, tools=_of("tool", turn), handoffs=_of("handoff", turn),
        checks=_of("check", turn), reply=turn.reply, discarded_reply=turn.discarded_reply, latency_ms=took,
        cost_usd=float(turn.cost_usd), error_protocol=turn.error_protocol, started_at=turn.started_at,
        tokens={kind: turn.tokens.get(kind, 0) for kind in ("input", "cached", "output")},
    )  # fmt: skip


def _of(kind: str, turn: turns.Turn) -> tuple[Json, ...]:
    return tuple({k: v for k, v in entry.items() if k != "type"} for entry in turn.trail if entry.get("type") == kind)


async def transfers(database: Database, thread_id: str) -> tuple[PackageRow, ...]:
    """Return the packages of a conversation, oldest first."""
    async with database.connection() as conn:
        rows = await packages.of_thread(conn, thread_id)
    return tuple(
        PackageRow(
            id=p.id, turn_id=p.turn_id, from_agent=p.from_agent, to_agent=p.to_agent, reason=p.reason, body=p.body, tokens=p.tokens, at=p.at
        )
        for p in rows
    )  # fmt: skip


async def demo_customers(services: Any) -> tuple[Customer, ...]:
    """Return the demo shop's customers, as if their session had been proved."""
    found = [await services.shop.customer(customer_id) for customer_id in services.demo_customers]
    return tuple(c.model_copy(update={"level": "session"}) for c in found if c is not None)


async def failure(database: Database, protocol: str) -> failures.Failure | None:
    """Return what is stored behind an apology's protocol number."""
    async with database.connection() as conn:
        return await failures.find(conn, protocol)
