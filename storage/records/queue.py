"""The human queue: what waits for a person, in the order in which a person should see it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from routing.model import Frozen
from routing.queue_moves import ItemStatus, Standing
from storage.protocols import short_code
from storage.rows import Connection, Json, Record, changed, columns, many, must, one

_ATTEMPTS = 5


class Note(Frozen):
    at: datetime
    author: str
    text: str


class QueueItem(Record):
    """`protocol` is what customer and operator call it; a higher `priority` comes first; `about` is in words.

    `kind` says what a person has to do (answer a conversation, review, call back, approve …), `reason` why, by its code.
    """

    id: str
    key: str
    protocol: str
    thread_id: str | None
    contact_id: str | None
    turn_id: str | None
    kind: str
    reason: str
    about: str | None
    status: ItemStatus
    priority: int
    package: Json | None
    notes: tuple[Note, ...]
    operator: str | None
    created_at: datetime
    claimed_at: datetime | None
    resolved_at: datetime | None
    due: datetime | None

    @property
    def standing(self) -> Standing:
        """Where it stands, as the rules of the queue look at it."""
        return Standing(status=self.status, operator=self.operator)


_COLUMNS: Final = columns(QueueItem)


async def enqueue(
    conn: Connection,
    *,
    key: str,
    item_id: str,
    thread_id: str | None,
    kind: str,
    reason: str,
    about: str | None = None,
    contact_id: str | None = None,
    turn_id: str | None = None,
    priority: int = 0,
    package: Json | None = None,
    due: datetime | None = None,
    now: datetime,
) -> QueueItem:
    """Put something before a person; the same key again returns the first item, whatever became of it."""
    for attempt in range(_ATTEMPTS):
        try:
            async with conn.transaction():
                await conn.execute(
                    "insert into human_queue (id, key, protocol, thread_id, contact_id, turn_id, kind, reason, about,"
                    " priority, package, created_at, due) values (%(id)s, %(key)s, %(protocol)s, %(thread)s,"
                    " %(contact)s, %(turn)s, %(kind)s, %(reason)s, %(about)s, %(priority)s, %(package)s, %(now)s,"
                    " %(due)s) on conflict (key) do nothing",
                    {
                        "id": item_id,
                        "key": key,
                        "protocol": short_code("BA", item_id, attempt=attempt),
                        "thread": thread_id,
                        "contact": contact_id,
                        "turn": turn_id,
                        "kind": kind,
                        "reason": reason,
                        "about": about,
                        "priority": priority,
                        "package": None if package is None else Jsonb(package),
                        "now": now,
                        "due": due,
                    },
                )
                break
        except UniqueViolation as error:
            if error.diag.constraint_name != "human_queue_protocol_key" or attempt + 1 == _ATTEMPTS:
                raise
    return await must(conn, QueueItem, f"select {_COLUMNS} from human_queue where key = %(key)s", {"key": key})


async def get(conn: Connection, item_id: str) -> QueueItem | None:
    return await one(conn, QueueItem, f"select {_COLUMNS} from human_queue where id = %(id)s", {"id": item_id})


async def by_key(conn: Connection, key: str) -> QueueItem | None:
    return await one(conn, QueueItem, f"select {_COLUMNS} from human_queue where key = %(key)s", {"key": key})


async def open_of_thread(conn: Connection, thread_id: str) -> list[QueueItem]:
    """Return what a person still has to do in a conversation, in the queue's order."""
    return await many(
        conn,
        QueueItem,
        f"select {_COLUMNS} from human_queue where thread_id = %(thread)s and status in ('waiting', 'claimed')"
        " order by priority desc, created_at, id",
        {"thread": thread_id},
    )


async def of_thread(conn: Connection, thread_id: str) -> list[QueueItem]:
    """Return everything that was ever queued for a conversation, oldest first."""
    return await many(
        conn,
        QueueItem,
        f"select {_COLUMNS} from human_queue where thread_id = %(thread)s order by created_at, id",
        {"thread": thread_id},
    )


async def waiting(conn: Connection, *, limit: int = 100) -> list[QueueItem]:
    """Return what nobody has taken, the most urgent first and then the oldest."""
    return await many(
        conn,
        QueueItem,
        f"select {_COLUMNS} from human_queue where status = 'waiting' order by priority desc, created_at, id"
        " limit %(limit)s",
        {"limit": limit},
    )


async def claimed(conn: Connection, *, operator: str | None = None) -> list[QueueItem]:
    """Return what operators are working on, longest first; one operator's when named."""
    return await many(
        conn,
        QueueItem,
        f"select {_COLUMNS} from human_queue where status = 'claimed'"
        " and (%(operator)s::text is null or operator = %(operator)s) order by claimed_at, id",
        {"operator": operator},
    )


async def claim(conn: Connection, item_id: str, *, operator: str, now: datetime) -> QueueItem | None:
    """Take an item. None when somebody else has it or it is over; taking one's own again returns it."""
    return await one(
        conn,
        QueueItem,
        "update human_queue set status = 'claimed', operator = %(operator)s,"
        " claimed_at = case when status = 'waiting' then %(now)s else claimed_at end"
        " where id = %(id)s and (status = 'waiting' or (status = 'claimed' and operator = %(operator)s))"
        f" returning {_COLUMNS}",
        {"operator": operator, "now": now, "id": item_id},
    )


async def release(conn: Connection, item_id: str) -> bool:
    """Put a claimed item back: its operator gave it up or was gone for too long."""
    return (
        await changed(
            conn,
            "update human_queue set status = 'waiting', operator = null, claimed_at = null"
            " where id = %(id)s and status = 'claimed'",
            {"id": item_id},
        )
        == 1
    )


async def resolve(conn: Connection, item_id: str, *, operator: str, now: datetime) -> QueueItem | None:
    """Close an item as done. None when it is over, or somebody else's."""
    return await one(
        conn,
        QueueItem,
        "update human_queue set status = 'resolved', operator = %(operator)s, resolved_at = %(now)s"
        " where id = %(id)s and (status = 'waiting' or (status = 'claimed' and operator = %(operator)s))"
        f" returning {_COLUMNS}",
        {"operator": operator, "now": now, "id": item_id},
    )


async def withdraw(conn: Connection, item_id: str, *, now: datetime) -> bool:
    """Take back an item that nobody has to see any more. One that a person has taken stays with that person."""
    return (
        await changed(
            conn,
            "update human_queue set status = 'withdrawn', resolved_at = %(now)s where id = %(id)s"
            " and status = 'waiting'",
            {"now": now, "id": item_id},
        )
        == 1
    )


async def add_note(
    conn: Connection, item_id: str, *, author: str, text: str, now: datetime, once: bool = False
) -> bool:
    """Add to an item, by an operator or by the bot that learned more. With `once` the same words of the same author count once."""
    note = Note(at=now, author=author, text=text)
    return (
        await changed(
            conn,
            "update human_queue set notes = notes || %(note)s where id = %(id)s and (not %(once)s or not notes @> %(same)s)",
            {
                "note": Jsonb([note.model_dump(mode="json")]),
                "same": Jsonb([{"author": author, "text": text}]),
                "once": once,
                "id": item_id,
            },
        )
        == 1
    )


async def raise_priority(conn: Connection, item_id: str, *, priority: int) -> bool:
    """Let an open item be seen earlier; it never falls back."""
    return (
        await changed(
            conn,
            "update human_queue set priority = %(priority)s where id = %(id)s and priority < %(priority)s"
            " and status in ('waiting', 'claimed')",
            {"priority": priority, "id": item_id},
        )
        == 1
    )


async def abandoned_claims(conn: Connection, *, before: datetime, limit: int = 100) -> list[QueueItem]:
    """Return claimed items whose operator gave no sign since `before`: neither claimed, noted nor wrote to the customer."""
    return await many(
        conn,
        QueueItem,
        f"select {columns(QueueItem, 'q')} from human_queue q where q.status = 'claimed' and q.claimed_at < %(before)s"
        " and not exists (select from messages m where m.thread_id = q.thread_id and m.role = 'operator'"
        " and m.author = q.operator and m.at >= %(before)s)"
        " and not exists (select from jsonb_array_elements(q.notes) n where n ->> 'author' = q.operator"
        " and (n ->> 'at')::timestamptz >= %(before)s)"
        " order by q.claimed_at, q.id limit %(limit)s",
        {"before": before, "limit": limit},
    )


async def queued_since(conn: Connection, since: datetime) -> dict[str, int]:
    """Count what was put into the queue since then, by reason."""
    cursor = await conn.execute(
        "select reason, count(*) as n from human_queue where created_at >= %(since)s group by reason", {"since": since}
    )
    return {str(row["reason"]): int(row["n"]) for row in await cursor.fetchall()}


async def of_reasons(conn: Connection, reasons: Sequence[str], *, since: datetime, limit: int = 200) -> list[QueueItem]:
    """Return what was queued since then for one of these reasons, newest first."""
    return await many(
        conn,
        QueueItem,
        f"select {_COLUMNS} from human_queue where created_at >= %(since)s and reason = any(%(reasons)s)"
        " order by created_at desc, id limit %(limit)s",
        {"since": since, "reasons": list(reasons), "limit": limit},
    )
