"""Requests to be forgotten: whose until they are carried out, and the proof of it afterwards, which names nobody."""

from datetime import datetime
from typing import Final

from psycopg.types.json import Jsonb

from storage.rows import Connection, Json, Record, columns, many, must, one


class Request(Record):
    """`subject` is an HMAC of the customer's id: it tells whether somebody was erased, and not who was."""

    id: str
    subject: str
    customer_id: str | None
    requested_at: datetime
    done_at: datetime | None
    receipt: Json


_COLUMNS: Final = columns(Request)


async def ask(conn: Connection, *, request_id: str, subject: str, customer_id: str, now: datetime) -> Request:
    """Note a request, or renew the one that is still open: what came until now is then part of it."""
    return await must(
        conn,
        Request,
        "insert into erasures (id, subject, customer_id, requested_at) values (%(id)s, %(subject)s, %(customer)s, %(now)s)"
        " on conflict (subject) where done_at is null do update set requested_at = excluded.requested_at"
        f" returning {columns(Request, 'erasures')}",
        {"id": request_id, "subject": subject, "customer": customer_id, "now": now},
    )


async def settle(conn: Connection, request_id: str, *, receipt: Json, done_at: datetime | None) -> None:
    """Keep what came of it. Done, it no longer says whose it was, and nothing is added to it any more."""
    await conn.execute(
        "update erasures set receipt = %(receipt)s, done_at = %(done)s,"
        " customer_id = case when %(done)s::timestamptz is null then customer_id end where id = %(id)s"
        " and done_at is null",
        {"receipt": Jsonb(receipt), "done": done_at, "id": request_id},
    )


async def open_(conn: Connection, *, limit: int = 50) -> list[Request]:
    """Return what was asked and could not be carried out yet, oldest first."""
    return await many(
        conn,
        Request,
        f"select {_COLUMNS} from erasures where done_at is null order by requested_at, id limit %(limit)s",
        {"limit": limit},
    )


async def last_done(conn: Connection, subject: str) -> Request | None:
    """Return the newest request that was carried out."""
    return await one(
        conn,
        Request,
        f"select {_COLUMNS} from erasures where subject = %(subject)s and done_at is not null"
        " order by done_at desc limit 1",
        {"subject": subject},
    )
