"""Messages: every word of anybody, in order, written before anything else happens with it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from psycopg.types.json import Jsonb

from storage.records import conversations
from storage.rows import Connection, Json, Record, changed, columns, many, must, one

Role = Literal["customer", "agent", "operator", "system"]


class Message(Record):
    """`seq` counts from 1 without gaps. `turn_id` is the turn that took it (customer) or wrote it (agent).

    `author` is a specialist's or an operator's id. `given_back` marks a message whose turn was interrupted: it waits for
    the next one.
    """

    thread_id: str
    seq: int
    message_id: str
    role: Role
    author: str | None
    text: str
    parts: tuple[Json, ...]
    at: datetime
    turn_id: str | None
    given_back: bool
    channel: str
    brand: str


_COLUMNS: Final = columns(Message)


async def add(
    conn: Connection,
    thread_id: str,
    *,
    message_id: str,
    role: Role,
    text: str,
    parts: Sequence[Json] = (),
    author: str | None = None,
    turn_id: str | None = None,
    now: datetime,
) -> tuple[Message, bool]:
    """Append a message; return it, and whether it is new: the same id again returns the first one, unchanged.

    One transaction that holds the conversation's row, which is what keeps the order.

    Raises:
        LookupError: no such conversation.
        psycopg.DataError: a NUL character, which PostgreSQL cannot store (the door strips it).
    """
    async with conn.transaction():
        conversation = await conversations.lock(conn, thread_id)
        if (known := await get(conn, thread_id, message_id)) is not None:
            return known, False
        message = await must(
            conn,
            Message,
            "insert into messages (thread_id, seq, message_id, role, author, text, parts, at, turn_id, channel, brand)"
            " values (%(thread)s, (select coalesce(max(seq), 0) + 1 from messages where thread_id = %(thread)s),"
            " %(message)s, %(role)s, %(author)s, %(text)s, %(parts)s, %(now)s, %(turn)s, %(channel)s, %(brand)s)"
            f" returning {_COLUMNS}",
            {
                "thread": thread_id,
                "message": message_id,
                "role": role,
                "author": author,
                "text": text,
                "parts": Jsonb(list(parts)),
                "now": now,
                "turn": turn_id,
                "channel": conversation.channel,
                "brand": conversation.brand,
            },
        )
        await conversations.touch(conn, thread_id, now=now)
        return message, True


async def get(conn: Connection, thread_id: str, message_id: str) -> Message | None:
    return await one(
        conn,
        Message,
        f"select {_COLUMNS} from messages where thread_id = %(thread)s and message_id = %(message)s",
        {"thread": thread_id, "message": message_id},
    )


async def history(conn: Connection, thread_id: str, *, after: int = 0, limit: int = 200) -> list[Message]:
    """Return the messages that follow `after` (a seq), oldest first."""
    return await many(
        conn,
        Message,
        f"select {_COLUMNS} from messages where thread_id = %(thread)s and seq > %(after)s order by seq limit %(limit)s",
        {"thread": thread_id, "after": after, "limit": limit},
    )


async def latest(conn: Connection, thread_id: str, *, limit: int = 50) -> list[Message]:
    """Return the last messages, oldest first."""
    found = await many(
        conn,
        Message,
        f"select {_COLUMNS} from messages where thread_id = %(thread)s order by seq desc limit %(limit)s",
        {"thread": thread_id, "limit": limit},
    )
    return found[::-1]


async def newer_than(conn: Connection, thread_id: str, seq: int) -> list[Message]:
    """Return everything after `seq`: what a checkpoint does not know yet."""
    return await many(
        conn,
        Message,
        f"select {_COLUMNS} from messages where thread_id = %(thread)s and seq > %(seq)s order by seq",
        {"thread": thread_id, "seq": seq},
    )


async def of_turn(conn: Connection, turn_id: str) -> list[Message]:
    """Return what a turn took and what it wrote, in order."""
    return await many(
        conn, Message, f"select {_COLUMNS} from messages where turn_id = %(turn)s order by seq", {"turn": turn_id}
    )


async def person_wrote(conn: Connection, thread_id: str, *, since: datetime) -> bool:
    """Tell whether an operator wrote in the conversation since then."""
    return (
        await changed(
            conn,
            "select 1 from messages where thread_id = %(thread)s and role = 'operator' and at >= %(since)s limit 1",
            {"thread": thread_id, "since": since},
        )
        == 1
    )
