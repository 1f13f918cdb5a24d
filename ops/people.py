"""What an operator reads: the queue in its order, one item laid out, and whether it is customers or topology that fill it."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from graph.settling import effect_in_doubt
from ops.reading import HistoryLine, history
from routing.facts import Commitment, Conflict, Fact, Hypothesis
from routing.learning import conflicts
from routing.model import Frozen
from routing.package import HandoffPackage, UnreadablePackage, read_package
from routing.queue_moves import ItemStatus
from storage.database import Database
from storage.records import audit, commitments, conversations, effects, facts, packages, queue, turns
from storage.records.queue import QueueItem
from storage.rows import Connection

Json = dict[str, Any]
# Endings that say that the roster or its reasons do not fit the customers' subjects; no customer caused them.
TOPOLOGY = ("hop_limit", "loop_without_progress", "self_handoff")
_PERIOD = timedelta(hours=24)
_MANY, _SHARE = 5, 0.2
_LINES = 10
_FACTS = 60


class ItemNote(Frozen):
    at: datetime
    author: str
    text: str


class QueueEntry(Frozen):
    """One line of the queue. `waited_s` counts from its beginning; `overdue`: its time has passed."""

    id: str
    protocol: str
    thread_id: str | None
    kind: str
    reason: str
    about: str | None
    status: ItemStatus
    operator: str | None
    priority: int
    waited_s: float
    created_at: datetime
    due: datetime | None
    overdue: bool
    notes: tuple[ItemNote, ...]


class HopLimits(Frozen):
    """Many items come from conversations that circled: `paths` are the specialists that they went through, most common first."""

    count: int
    total: int
    hours: float
    paths: tuple[tuple[tuple[str, ...], int], ...]


class QueueView(Frozen):
    entries: tuple[QueueEntry, ...]
    hop_limits: HopLimits | None


class Effect(Frozen):
    """What a turn did to the world, as the ledger tells it."""

    tool: str
    state: str
    protocol: str | None
    args: Json
    at: datetime


class Discarded(Frozen):
    """A bot's reply that a person overtook: the customer never saw it, but what its turn did is done."""

    turn: int
    text: str
    at: datetime
    effects: tuple[Effect, ...]


class Decision(Frozen):
    """The action that an approval decides: what would run, and what it rests on."""

    tool: str
    summary: str
    args: Json
    by: str


class ItemView(Frozen):
    """An item with the four blocks of its package, and what a person must see beside them.

    Facts and suspicions are those of the package, promises and actions those of now.
    """

    entry: QueueEntry
    customer_id: str | None
    held_by: str | None
    facts: tuple[Fact, ...]
    suspicions: tuple[Hypothesis, ...]
    promises: tuple[Commitment, ...]
    actions: tuple[Effect, ...]
    conflicts: tuple[Conflict, ...]
    open_question: str | None
    open_topics: tuple[str, ...]
    summary: str | None
    path: tuple[str, ...]
    decision: Decision | None
    in_doubt: bool  # about an act of which nobody knows the end: whoever looks it up says so
    discarded: tuple[Discarded, ...]
    lines: tuple[HistoryLine, ...]


async def queue_view(database: Database, *, operator: str, now: datetime, limit: int = 100) -> QueueView:
    """Return what waits and what is being worked on: the highest priority first, then the oldest. Who looked is noted."""
    async with database.connection() as conn:
        items = [*await queue.waiting(conn, limit=limit), *await queue.claimed(conn)]
        await audit.write(conn, actor=f"operator:{operator}", rule="read_queue", detail={"items": len(items)}, now=now)
        warning = await hop_limit_warning(conn, now=now)
    ordered = sorted(items, key=lambda i: (-i.priority, i.created_at, i.id))[:limit]
    return QueueView(entries=tuple(_entry(i, now) for i in ordered), hop_limits=warning)


async def signature(database: Database) -> tuple[tuple[str, str, int, int], ...]:
    """Return what changes when the queue does, without reading anybody's words: for a page that looks again."""
    async with database.connection() as conn:
        items = [*await queue.waiting(conn), *await queue.claimed(conn)]
    return tuple(sorted((i.id, i.status, i.priority, len(i.notes)) for i in items))


async def hop_limit_warning(conn: Connection, *, now: datetime, period: timedelta = _PERIOD) -> HopLimits | None:
    """Return how many items of a period come from circling conversations, where that is many and a good part of all."""
    counted = await queue.queued_since(conn, now - period)
    count, total = sum(counted.get(reason, 0) for reason in TOPOLOGY), sum(counted.values())
    if count < _MANY or count < _SHARE * total:
        return None
    paths = Counter(_path(i) for i in await queue.of_reasons(conn, TOPOLOGY, since=now - period))
    common = tuple((path, n) for path, n in paths.most_common(3) if path)
    return HopLimits(count=count, total=total, hours=period.total_seconds() / 3600, paths=common)


def _path(item: QueueItem) -> tuple[str, ...]:
    visited = (item.package or {}).get("visited")
    return tuple(str(agent) for agent in visited) if isinstance(visited, list) else ()


async def item_view(database: Database, item_id: str, *, operator: str, now: datetime) -> ItemView | None:
    """Lay out one item for a person's eye; None when there is none. Who read it is noted with the customer's id."""
    async with database.connection() as conn:
        item = await queue.get(conn, item_id)
        if item is None:
            return None
        conversation = await conversations.get(conn, item.thread_id) if item.thread_id else None
        customer_id = conversation.customer_id if conversation else None
        await audit.write(
            conn, actor=f"operator:{operator}", rule="read_item", thread_id=item.thread_id, customer_id=customer_id,
            detail={"item": item.id}, now=now,
        )  # fmt: skip
        own = _read(item.package)
        package = own or await _newest_package(conn, item)
        known = own.facts if own else await _stored_facts(conn, item)
        promises = await commitments.open_of(conn, item.thread_id, customer_id) if item.thread_id else []
        done = await effects.of_thread(conn, item.thread_id) if item.thread_id else []
        overtaken = await turns.discarded(conn, item.thread_id) if item.thread_id else []
    lines = await history(database, item.thread_id, customer=None, limit=_LINES) if item.thread_id else ()
    return ItemView(
        entry=_entry(item, now), customer_id=customer_id, held_by=conversation.held_by if conversation else None,
        facts=tuple(known), suspicions=package.hypotheses if package else (), promises=tuple(promises),
        actions=tuple(_effect(e) for e in done), conflicts=package.conflicts if package else tuple(conflicts(known)),
        open_question=package.open_question.text if package and package.open_question else None,
        open_topics=tuple(t.text for t in package.open_topics) if package else (),
        summary=package.earlier_summary if package else None, path=package.visited if package else (),
        decision=_decision(item), in_doubt=_in_doubt(item, done), lines=lines,
        discarded=tuple(
            Discarded(
                turn=t.number, text=t.discarded_reply or "", at=t.ended_at or t.started_at,
                effects=tuple(_effect(e) for e in done if e.turn_id == t.id),
            )
            for t in overtaken
        ),
    )  # fmt: skip


def _in_doubt(item: QueueItem, done: Sequence[effects.Effect]) -> bool:
    about = effect_in_doubt(item.key)
    return any(effect.id == about and effect.state == "unknown" for effect in done)


def _read(body: Json | None) -> HandoffPackage | None:
    """Read a package; None for what is none (an approval's action, a promise) or of a version that is no longer read."""
    try:
        return read_package(json.dumps(body)) if body else None
    except UnreadablePackage:
        return None


async def _newest_package(conn: Connection, item: QueueItem) -> HandoffPackage | None:
    stored = await packages.of_thread(conn, item.thread_id) if item.thread_id else []
    return next((read for p in reversed(stored) if (read := _read(p.body)) is not None), None)


async def _stored_facts(conn: Connection, item: QueueItem) -> tuple[Fact, ...]:
    if item.thread_id is None:
        return ()
    return tuple(f for f in await facts.all_of(conn, item.thread_id) if f.status != "replaced")[-_FACTS:]


def _entry(item: QueueItem, now: datetime) -> QueueEntry:
    return QueueEntry(
        id=item.id, protocol=item.protocol, thread_id=item.thread_id, kind=item.kind, reason=item.reason, about=item.about,
        status=item.status, operator=item.operator, priority=item.priority, created_at=item.created_at, due=item.due,
        waited_s=max(0.0, (now - item.created_at).total_seconds()), overdue=item.due is not None and item.due <= now,
        notes=tuple(ItemNote(at=n.at, author=n.author, text=n.text) for n in item.notes),
    )  # fmt: skip


def _effect(effect: effects.Effect) -> Effect:
    return Effect(
        tool=effect.tool, state=effect.state, protocol=(effect.receipt or {}).get("protocol"), args=effect.args,
        at=effect.settled_at or effect.claimed_at,
    )  # fmt: skip


def _decision(item: QueueItem) -> Decision | None:
    waiting = item.package or {}
    if item.kind != "approval" or "tool" not in waiting:
        return None
    return Decision(tool=waiting["tool"], summary=waiting["summary"], args=waiting["args"], by=waiting["by"])
