"""Commitments, word for word, and the follow-ups that make somebody keep the dated ones."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

from routing.facts import Commitment
from storage.rows import Connection, Record, changed, columns, many, one


class FollowUp(Record):
    """`owner` is who must see to it. `queued` before it is due, `overdue` when it was queued again after."""

    id: str
    thread_id: str
    commitment_id: str
    owner: str
    due: datetime
    status: Literal["open", "queued", "overdue", "done", "withdrawn"] = "open"
    queued_at: datetime | None = None


_COLUMNS: Final = columns(Commitment)
_FOLLOW_UP: Final = columns(FollowUp)


async def save(conn: Connection, thread_id: str, customer_id: str | None, commitments: Sequence[Commitment]) -> None:
    """Store commitments, numbered within the conversation; the same id again changes nothing."""
    async with conn.transaction(), conn.cursor() as cursor:
        await cursor.executemany(
            f"insert into commitments ({_COLUMNS}, thread_id, customer_id) values (%(id)s, %(text)s, %(by)s, %(at)s,"
            " %(due)s, %(status)s, %(origin)s, %(thread)s, %(customer)s) on conflict (thread_id, id) do nothing",
            [{**commitment.model_dump(), "thread": thread_id, "customer": customer_id} for commitment in commitments],
        )


async def open_of(conn: Connection, thread_id: str, customer_id: str | None) -> list[Commitment]:
    """Return what is still owed in the conversation, or to the customer from any other, oldest first."""
    return await many(
        conn,
        Commitment,
        f"select {_COLUMNS} from commitments where (thread_id = %(thread)s or customer_id = %(customer)s)"
        " and status in ('open', 'overdue') order by at, id",
        {"thread": thread_id, "customer": customer_id},
    )


async def get(conn: Connection, thread_id: str, commitment_id: str) -> Commitment | None:
    return await one(
        conn,
        Commitment,
        f"select {_COLUMNS} from commitments where thread_id = %(thread)s and id = %(id)s",
        {"thread": thread_id, "id": commitment_id},
    )


async def all_of(conn: Connection, thread_id: str) -> list[Commitment]:
    """Return every commitment of a conversation, oldest first."""
    return await many(
        conn,
        Commitment,
        f"select {_COLUMNS} from commitments where thread_id = %(thread)s order by at, id",
        {"thread": thread_id},
    )


async def set_status(
    conn: Connection,
    thread_id: str,
    commitment_id: str,
    *,
    status: Literal["open", "kept", "overdue", "withdrawn"],
) -> bool:
    return (
        await changed(
            conn,
            "update commitments set status = %(status)s where thread_id = %(thread)s and id = %(id)s",
            {"status": status, "thread": thread_id, "id": commitment_id},
        )
        == 1
    )


async def add_follow_up(conn: Connection, follow_up: FollowUp) -> None:
    """Store a follow-up of a stored commitment; the same id again changes nothing."""
    await conn.execute(
        f"insert into follow_ups ({_FOLLOW_UP}) values (%(id)s, %(thread_id)s, %(commitment_id)s, %(owner)s, %(due)s,"
        " %(status)s, %(queued_at)s) on conflict (id) do nothing",
        follow_up.model_dump(),
    )


async def due(conn: Connection, *, now: datetime, ahead: timedelta, limit: int = 100) -> list[FollowUp]:
    """Return what somebody must see now: open ones due within `ahead`, and queued ones whose time has passed."""
    return await many(
        conn,
        FollowUp,
        f"select {_FOLLOW_UP} from follow_ups where (status = 'open' and due <= %(soon)s)"
        " or (status = 'queued' and due <= %(now)s) order by due, id limit %(limit)s",
        {"soon": now + ahead, "now": now, "limit": limit},
    )


async def mark_queued(
    conn: Connection, follow_up_id: str, *, status: Literal["queued", "overdue"], now: datetime
) -> bool:
    """Note that it is in the queue. True for one caller only: the others find it done."""
    return (
        await changed(
            conn,
            "update follow_ups set status = %(status)s, queued_at = %(now)s where id = %(id)s"
            " and (status = 'open' or (status = 'queued' and %(status)s = 'overdue'))",
            {"status": status, "now": now, "id": follow_up_id},
        )
        == 1
    )


async def end_follow_ups(
    conn: Connection, thread_id: str, commitment_id: str, *, status: Literal["done", "withdrawn"]
) -> int:
    """End the follow-ups of a commitment, and return how many were not over."""
    return await changed(
        conn,
        "update follow_ups set status = %(status)s where thread_id = %(thread)s and commitment_id = %(id)s"
        " and status in ('open', 'queued', 'overdue')",
        {"status": status, "thread": thread_id, "id": commitment_id},
    )
