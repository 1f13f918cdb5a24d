"""Contacts: a conversation is one thread, and each time the customer needs something is a contact in it."""

from datetime import datetime
from typing import Final, Literal

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from storage.protocols import short_code
from storage.rows import Connection, Json, Record, changed, columns, many, must, one

Ending = Literal["resolved", "abandoned", "handed_over"]

_ATTEMPTS = 5


class Contact(Record):
    """`outcome` tells how it ended. One that was reopened keeps its outcome; `reopened_by` is the contact that did it."""

    id: str
    thread_id: str
    protocol: str
    status: Literal["open", "resolved", "abandoned", "handed_over", "reopened"]
    subject: str | None
    opened_at: datetime
    closed_at: datetime | None
    current_agent: str | None
    hops: int
    outcome: Json
    reopened_by: str | None


_COLUMNS: Final = columns(Contact)


async def get(conn: Connection, contact_id: str) -> Contact | None:
    return await one(conn, Contact, f"select {_COLUMNS} from contacts where id = %(id)s", {"id": contact_id})


async def open_of(conn: Connection, thread_id: str) -> Contact | None:
    """Return the contact that is open in the conversation; there is at most one."""
    return await one(
        conn,
        Contact,
        f"select {_COLUMNS} from contacts where thread_id = %(thread)s and status = 'open'",
        {"thread": thread_id},
    )


async def of_thread(conn: Connection, thread_id: str) -> list[Contact]:
    """Return a conversation's contacts, newest first."""
    return await many(
        conn,
        Contact,
        f"select {_COLUMNS} from contacts where thread_id = %(thread)s order by opened_at desc, id",
        {"thread": thread_id},
    )


async def last_of(conn: Connection, thread_id: str) -> Contact | None:
    """Return the newest contact, open or not."""
    return next(iter(await of_thread(conn, thread_id)), None)


async def open_(
    conn: Connection, thread_id: str, *, contact_id: str, subject: str | None = None, now: datetime
) -> Contact:
    """Open a contact, or return the one that is open already. Its number is made from `contact_id`."""
    for attempt in range(_ATTEMPTS):
        try:
            async with conn.transaction():
                await conn.execute(
                    "insert into contacts (id, thread_id, protocol, subject, opened_at)"
                    " values (%(id)s, %(thread)s, %(protocol)s, %(subject)s, %(now)s)"
                    " on conflict (thread_id) where status = 'open' do nothing",
                    {
                        "id": contact_id,
                        "thread": thread_id,
                        "protocol": short_code("AT", contact_id, attempt=attempt),
                        "subject": subject,
                        "now": now,
                    },
                )
                break
        except UniqueViolation as error:
            if error.diag.constraint_name != "contacts_protocol_key" or attempt + 1 == _ATTEMPTS:
                raise
    return await must(
        conn,
        Contact,
        f"select {_COLUMNS} from contacts where thread_id = %(thread)s and status = 'open'",
        {"thread": thread_id},
    )


async def update(
    conn: Connection, contact_id: str, *, current_agent: str | None, hops: int, subject: str | None
) -> None:
    """Store where the contact stands after a turn."""
    await conn.execute(
        "update contacts set current_agent = %(agent)s, hops = %(hops)s, subject = %(subject)s where id = %(id)s",
        {"agent": current_agent, "hops": hops, "subject": subject, "id": contact_id},
    )


async def close(conn: Connection, contact_id: str, *, status: Ending, outcome: Json, now: datetime) -> Contact | None:
    """End an open contact: its specialist and hops end with it. None when it was not open."""
    return await one(
        conn,
        Contact,
        "update contacts set status = %(status)s, outcome = %(outcome)s, closed_at = %(now)s, current_agent = null,"
        f" hops = 0 where id = %(id)s and status = 'open' returning {_COLUMNS}",
        {"status": status, "outcome": Jsonb(outcome), "now": now, "id": contact_id},
    )


async def mark_reopened(conn: Connection, contact_id: str, *, by: str) -> bool:
    """Note that a closed contact was not over: contact `by` came back to its subject."""
    return (
        await changed(
            conn,
            "update contacts set status = 'reopened', reopened_by = %(by)s,"
            " outcome = outcome || jsonb_build_object('ended_as', status)"
            " where id = %(id)s and status not in ('open', 'reopened')",
            {"by": by, "id": contact_id},
        )
        == 1
    )


async def idle(
    conn: Connection, *, before: datetime, thread_id: str | None = None, turn_id: str | None = None, limit: int = 100
) -> list[Contact]:
    """Return open contacts in which nobody wrote since `before` and no person has anything to do, oldest first.

    `thread_id` asks for one conversation; a turn that just began there leaves itself and its messages out by `turn_id`.
    """
    return await many(
        conn,
        Contact,
        f"select {columns(Contact, 'c')} from contacts c where c.status = 'open' and c.opened_at < %(before)s"
        " and (%(thread)s::text is null or c.thread_id = %(thread)s)"
        " and not exists (select from messages m where m.thread_id = c.thread_id and m.at >= %(before)s"
        " and (%(turn)s::text is null or m.turn_id is distinct from %(turn)s))"
        " and not exists (select from human_queue q where q.thread_id = c.thread_id"
        " and q.status in ('waiting', 'claimed'))"
        " and not exists (select from turns t where t.thread_id = c.thread_id and t.status = 'running'"
        " and t.id is distinct from %(turn)s)"
        " order by c.opened_at, c.id limit %(limit)s",
        {"before": before, "thread": thread_id, "turn": turn_id, "limit": limit},
    )
