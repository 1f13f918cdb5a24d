"""News of a conversation: said by the transaction that writes, heard by every process that listens once it is committed.

The payload is a hash of the conversation's id: whoever may connect may listen, and an id opens an anonymous conversation.
PostgreSQL lets transactions that notify commit one after the other; there is one such commit per message, not per statement.
"""

import hashlib
from collections.abc import AsyncGenerator
from typing import Final

import psycopg

from storage.database import Database, DatabaseUnavailable
from storage.rows import Connection

CHANNEL: Final = "bastao_conversation"
NOTED: Final = "pg_notify('bastao_conversation', encode(sha256(convert_to(thread_id, 'UTF8')), 'hex'))"
"""An expression for a statement over a table with a `thread_id`."""


def key_of(thread_id: str) -> str:
    """Return what a notification calls a conversation."""
    return hashlib.sha256(thread_id.encode()).hexdigest()


async def wrote(conn: Connection, thread_id: str) -> None:
    """Tell that a conversation changed, if and when the caller's transaction commits."""
    await conn.execute(f"select {NOTED} from (values (%(thread)s::text)) as t (thread_id)", {"thread": thread_id})


async def knock(database: Database, key: str) -> None:
    """Send a notification that is no news: whoever hears its key knows that it hears anything at all."""
    async with database.connection() as conn:
        await conn.execute("select pg_notify(%(channel)s, %(key)s)", {"channel": CHANNEL, "key": key})


async def heard(database: Database, *, every_s: float) -> AsyncGenerator[str | None]:
    """Listen on a connection of its own; yield each key, and None first and every `every_s`.

    Raises:
        DatabaseUnavailable: there is no connection, or it was lost.
    """
    try:
        async with await database.own_connection() as conn:
            await conn.execute(f"listen {CHANNEL}")
            while True:
                yield None
                async for notification in conn.notifies(timeout=every_s):
                    yield notification.payload
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(str(error)) from error
