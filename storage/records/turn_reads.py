"""Turns as they lie in the table: reading takes no lock."""

from datetime import datetime
from typing import Final

from storage.records.turn_values import Turn
from storage.rows import Connection, columns, many, one

_COLUMNS: Final = columns(Turn)


async def get(conn: Connection, turn_id: str) -> Turn | None:
    return await one(conn, Turn, f"select {_COLUMNS} from turns where id = %(turn)s", {"turn": turn_id})


async def of_message(conn: Connection, thread_id: str, message_id: str) -> Turn | None:
    """Return the turn that took a message, or that wrote it; None while it waits."""
    return await one(
        conn,
        Turn,
        f"select {columns(Turn, 't')} from messages m join turns t on t.id = m.turn_id"
        " where m.thread_id = %(thread)s and m.message_id = %(message)s",
        {"thread": thread_id, "message": message_id},
    )


async def running(conn: Connection, thread_id: str) -> Turn | None:
    """Return the turn that runs, or whose owner died; there is at most one."""
    return await one(
        conn,
        Turn,
        f"select {_COLUMNS} from turns where thread_id = %(thread)s and status = 'running'",
        {"thread": thread_id},
    )


async def trail(conn: Connection, thread_id: str, *, limit: int = 50) -> list[Turn]:
    """Return the conversation's last turns, oldest first."""
    found = await many(
        conn,
        Turn,
        f"select {_COLUMNS} from turns where thread_id = %(thread)s order by number desc limit %(limit)s",
        {"thread": thread_id, "limit": limit},
    )
    return found[::-1]


async def of_contact(conn: Connection, contact_id: str, *, limit: int = 20) -> list[Turn]:
    """Return a contact's last turns, oldest first."""
    found = await many(
        conn,
        Turn,
        f"select {_COLUMNS} from turns where contact_id = %(contact)s order by number desc limit %(limit)s",
        {"contact": contact_id, "limit": limit},
    )
    return found[::-1]


async def discarded(conn: Connection, thread_id: str, *, limit: int = 20) -> list[Turn]:
    """Return the turns whose reply a person overtook, oldest first."""
    found = await many(
        conn,
        Turn,
        f"select {_COLUMNS} from turns where thread_id = %(thread)s and discarded_reply is not null"
        " order by number desc limit %(limit)s",
        {"thread": thread_id, "limit": limit},
    )
    return found[::-1]


async def expired(conn: Connection, *, limit: int = 50) -> list[Turn]:
    """Return turns whose owner died, longest dead first: `begin` takes them over."""
    return await many(
        conn,
        Turn,
        f"select {_COLUMNS} from turns where status = 'running' and lease_until <= clock_timestamp()"
        " order by lease_until limit %(limit)s",
        {"limit": limit},
    )


async def waiting(conn: Connection, *, before: datetime, limit: int = 50) -> list[str]:
    """Return conversations with a message from before then that no turn took: whoever sent it died before `begin`."""
    cursor = await conn.execute(
        "select m.thread_id from messages m where m.turn_id is null and m.role = 'customer' and not m.given_back"
        " and m.at < %(before)s"
        " and not exists (select from turns t where t.thread_id = m.thread_id and t.status = 'running')"
        " group by m.thread_id order by min(m.at) limit %(limit)s",
        {"before": before, "limit": limit},
    )
    return [str(row["thread_id"]) for row in await cursor.fetchall()]
