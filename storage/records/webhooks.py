"""Announcements of queue items to the shop's own help desk: what is to be sent, when again, and what became of it."""

from datetime import datetime
from typing import Final, Literal

from psycopg.types.json import Jsonb

from storage.rows import Connection, Json, Record, changed, columns, many, one

EventName = Literal["item.queued", "item.resolved", "item.withdrawn", "alarm.raised"]


class Delivery(Record):
    """`attempts` counts the tries that were begun; `next_at` is when the next one is due."""

    id: str
    item_id: str | None
    event: EventName
    body: Json
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    next_at: datetime
    created_at: datetime
    delivered_at: datetime | None
    last_error: str | None


class Unannounced(Record):
    """An item of the queue whose announcement was not written yet."""

    id: str
    event: EventName
    protocol: str
    thread_id: str | None
    kind: str
    reason: str
    about: str | None
    status: str
    priority: int
    created_at: datetime
    due: datetime | None
    resolved_at: datetime | None


_COLUMNS: Final = columns(Delivery)
_ITEM: Final = "id, protocol, thread_id, kind, reason, about, status, priority, created_at, due, resolved_at"


async def unannounced(conn: Connection, *, limit: int = 100) -> list[Unannounced]:
    """Return open items that were not announced, and announced ones that are over and whose end was not, oldest first."""
    return await many(
        conn,
        Unannounced,
        f"select 'item.queued' as event, {_ITEM} from human_queue q where status in ('waiting', 'claimed')"
        " and not exists (select from webhook_deliveries d where d.item_id = q.id and d.event = 'item.queued')"
        f" union all select 'item.' || status as event, {_ITEM} from human_queue q where status in ('resolved', 'withdrawn')"
        " and exists (select from webhook_deliveries d where d.item_id = q.id and d.event = 'item.queued')"
        " and not exists (select from webhook_deliveries d where d.item_id = q.id and d.event = 'item.' || q.status)"
        " order by created_at, id limit %(limit)s",
        {"limit": limit},
    )


async def put(
    conn: Connection, *, delivery_id: str, item_id: str | None, event: EventName, body: Json, now: datetime
) -> None:
    """Write an announcement that is due at once; the same id again changes nothing. An alarm belongs to no item."""
    await conn.execute(
        "insert into webhook_deliveries (id, item_id, event, body, next_at, created_at) values"
        " (%(id)s, %(item)s, %(event)s, %(body)s, %(now)s, %(now)s) on conflict (id) do nothing",
        {"id": delivery_id, "item": item_id, "event": event, "body": Jsonb(body), "now": now},
    )


async def take_due(conn: Connection, *, now: datetime, hold_until: datetime, limit: int = 20) -> list[Delivery]:
    """Begin an attempt at what is due, longest due first. Until `hold_until` nobody else tries the same."""
    return await many(
        conn,
        Delivery,
        "update webhook_deliveries set attempts = attempts + 1, next_at = %(hold)s where id in (select id from"
        " webhook_deliveries where status = 'pending' and next_at <= %(now)s order by next_at, id limit %(limit)s"
        f" for update skip locked) returning {_COLUMNS}",
        {"now": now, "hold": hold_until, "limit": limit},
    )


async def delivered(conn: Connection, delivery_id: str, *, now: datetime) -> bool:
    return (
        await changed(
            conn,
            "update webhook_deliveries set status = 'delivered', delivered_at = %(now)s, last_error = null"
            " where id = %(id)s and status = 'pending'",
            {"now": now, "id": delivery_id},
        )
        == 1
    )


async def postponed(conn: Connection, delivery_id: str, *, error: str, next_at: datetime | None) -> bool:
    """Note why an attempt failed and when the next one is due; None gives it up."""
    return (
        await changed(
            conn,
            "update webhook_deliveries set last_error = %(error)s, status = case when %(next)s::timestamptz is null"
            " then 'failed' else 'pending' end, next_at = coalesce(%(next)s, next_at)"
            " where id = %(id)s and status = 'pending'",
            {"error": error, "next": next_at, "id": delivery_id},
        )
        == 1
    )


async def get(conn: Connection, delivery_id: str) -> Delivery | None:
    return await one(
        conn, Delivery, f"select {_COLUMNS} from webhook_deliveries where id = %(id)s", {"id": delivery_id}
    )
