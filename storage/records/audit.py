"""The audit: who was refused or allowed what, and by which rule. Rows are only ever added."""

from datetime import datetime
from typing import Final

from psycopg.types.json import Jsonb

from storage.rows import Connection, Json, Record, columns, many, must


class Entry(Record):
    """`actor` is "customer", "bot", a specialist's or an operator's id; `rule` a code."""

    id: int
    at: datetime
    thread_id: str | None
    customer_id: str | None
    actor: str
    rule: str
    detail: Json


_COLUMNS: Final = columns(Entry)


async def write(
    conn: Connection,
    *,
    actor: str,
    rule: str,
    thread_id: str | None = None,
    customer_id: str | None = None,
    detail: Json | None = None,
    now: datetime,
) -> Entry:
    return await must(
        conn,
        Entry,
        "insert into audit (at, thread_id, customer_id, actor, rule, detail) values (%(now)s, %(thread)s, %(customer)s,"
        f" %(actor)s, %(rule)s, %(detail)s) returning {_COLUMNS}",
        {
            "now": now,
            "thread": thread_id,
            "customer": customer_id,
            "actor": actor,
            "rule": rule,
            "detail": Jsonb(detail or {}),
        },
    )


async def of_thread(conn: Connection, thread_id: str) -> list[Entry]:
    """Return what was noted about a conversation, oldest first."""
    return await many(
        conn, Entry, f"select {_COLUMNS} from audit where thread_id = %(thread)s order by id", {"thread": thread_id}
    )


async def of_customer(conn: Connection, customer_id: str) -> list[Entry]:
    """Return what was noted about a customer, oldest first."""
    return await many(
        conn,
        Entry,
        f"select {_COLUMNS} from audit where customer_id = %(customer)s order by id",
        {"customer": customer_id},
    )
