"""Everything that is held about a customer, table by table: where it lies, and what erasure makes of it.

Every table of the database is named here; a test compares the list with the catalogue, so that a new table is thought of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, LiteralString

from psycopg.rows import scalar_row

from storage.rows import Connection, Json, changed

Fate = Literal["erased", "emptied", "unlinked", "elsewhere"]


@dataclass(frozen=True, slots=True)
class Store:
    """A table and which of its rows are a customer's.

    `fate`: "erased" rows go; "emptied" ones stay without anything personal; "unlinked" ones stay without a link to anybody;
    "elsewhere" is another system's table, which answers for it. `why` says why rows stay.
    """

    table: LiteralString
    where: LiteralString
    fate: Fate = "erased"
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose rows are meant: a customer's, in these conversations; `newer` ones began after `until` and are left alone."""

    customer_id: str
    threads: Sequence[str]
    newer: Sequence[str] = ()
    until: datetime

    @property
    def params(self) -> dict[str, Any]:
        return {
            "customer": self.customer_id,
            "threads": list(self.threads),
            "newer": list(self.newer),
            "until": self.until,
        }


_THREAD: Final = "thread_id = any(%(threads)s)"
_EITHER: Final = (
    "(thread_id = any(%(threads)s) or (customer_id = %(customer)s and coalesce(thread_id, '') <> all(%(newer)s)))"
)
_ORDER: Final = "order_id in (select id from shop.orders where customer_id = %(customer)s)"
_LAW = "kept for the legal term"
_SHOP = "the order system's own record, which is erased there"

STORES: Final[tuple[Store, ...]] = (
    Store("conversations", _THREAD, "emptied", f"{_LAW}: an anonymous conversation takes its place"),
    Store("contacts", _THREAD, "emptied", f"{_LAW}: protocol, times and how it ended"),
    Store("turns", _THREAD, "emptied", f"{_LAW}: times, status and figures, without anybody's words"),
    Store("messages", _THREAD),
    Store("facts", _EITHER),
    Store("packages", _THREAD),
    Store("checkpoints", _THREAD),
    Store("checkpoint_blobs", _THREAD),
    Store("checkpoint_writes", _THREAD),
    Store(
        "webhook_deliveries",
        "item_id in (select id from human_queue where thread_id = any(%(threads)s))",
        "erased",
        "what was announced is in the help desk's own records",
    ),
    Store(
        "effects", _THREAD, "emptied", f"{_LAW}: what was done and its protocol, without arguments and personal values"
    ),
    Store("proposals", _THREAD, "emptied", f"{_LAW}: what was offered and answered, without its arguments"),
    Store("commitments", _EITHER, "emptied", f"{_LAW}: the promise, with placeholders in place of personal values"),
    Store("follow_ups", _THREAD, "emptied", f"{_LAW}: when a promise was due, and who owned it"),
    Store("human_queue", _THREAD, "emptied", f"{_LAW}: protocol, reason and times, without anybody's words"),
    Store("failures", _THREAD, "emptied", f"{_LAW}: the protocol and the kind of failure, without the traceback"),
    Store(
        "audit",
        "(thread_id = any(%(threads)s) or (customer_id = %(customer)s and at <= %(until)s))",
        "emptied",
        f"{_LAW}: who was refused or allowed what, under a name that leads to nobody",
    ),
    Store("spend", _EITHER, "unlinked", "the ledger's sums"),
    Store(
        "spend_totals",
        "((scope = 'conversation' and subject = any(%(threads)s)) or (scope = 'customer'"
        " and substr(subject, 12) = %(customer)s and left(subject, 10) <= to_char(%(until)s::timestamptz + interval '1 day', 'YYYY-MM-DD')))",
    ),
    Store("erasures", "customer_id = %(customer)s", "unlinked", "proof that the request was carried out"),
    Store("shop.customers", "id = %(customer)s", "elsewhere", _SHOP),
    Store("shop.orders", "customer_id = %(customer)s", "elsewhere", _SHOP),
    Store("shop.items", _ORDER, "elsewhere", _SHOP),
    Store("shop.charges", _ORDER, "elsewhere", _SHOP),
    Store("shop.deliveries", _ORDER, "elsewhere", _SHOP),
    Store("shop.addresses", _ORDER, "elsewhere", _SHOP),
    Store("shop.requests", _ORDER, "elsewhere", _SHOP),
    Store("shop.documents", _ORDER, "elsewhere", _SHOP),
    Store(
        "shop.effects",
        "receipt ->> 'order_id' in (select id from shop.orders where customer_id = %(customer)s)",
        "elsewhere",
        _SHOP,
    ),
)
NOBODYS: Final = (
    "policies",
    "alarms",
    "attempts",
    "shop.policies",
    "bastao_migrations",
    "checkpoint_migrations",
)
"""Tables that hold nothing about anybody: in `attempts` subjects are keyed hashes, and rows go with their window."""


async def tables(conn: Connection) -> list[str]:
    """Return every table of ours that exists, those outside the schema `public` with their schema's name."""
    cursor = conn.cursor(row_factory=scalar_row)
    await cursor.execute(
        "select case table_schema when 'public' then table_name else table_schema || '.' || table_name end"
        " from information_schema.tables where table_type = 'BASE TABLE'"
        " and table_schema not in ('pg_catalog', 'information_schema') order by 1"
    )
    return [str(name) for name in await cursor.fetchall()]


async def unplanned(conn: Connection) -> list[str]:
    """Return the tables that nobody has thought of here."""
    planned = {store.table for store in STORES} | set(NOBODYS)
    return [name for name in await tables(conn) if name not in planned]


async def count(conn: Connection, subject: Subject) -> dict[str, int]:
    """Count the customer's rows in every store that exists."""
    there = set(await tables(conn))
    return {
        store.table: await changed(conn, f"select 1 from {store.table} where {store.where}", subject.params)
        for store in STORES
        if store.table in there
    }


async def rows(conn: Connection, store: Store, subject: Subject) -> list[Json]:
    """Return a store's rows with all their columns as JSON, also those that a later migration added; bytea as "\\x…"."""
    cursor = await conn.execute(
        f"select to_jsonb(t) as row from (select * from {store.table} where {store.where}) t", subject.params
    )
    return [dict(row["row"]) for row in await cursor.fetchall()]


async def values(conn: Connection, subject: Subject) -> list[Mapping[str, Any]]:
    """Return what names and places of the customer were written down as such: facts, and the personal part of effects."""
    cursor = await conn.execute(
        f"select key, value from facts where {_EITHER}"
        " union select p.key, p.value from effects e, jsonb_each_text(coalesce(e.personal, '{}') || e.args) p"
        " where e.thread_id = any(%(threads)s) and p.value is not null",
        subject.params,
    )
    return list(await cursor.fetchall())


async def words(conn: Connection, subject: Subject, *, limit: int = 2_000) -> list[str]:
    """Return the customer's own messages, newest first."""
    cursor = await conn.execute(
        "select text from messages where thread_id = any(%(threads)s) and role = 'customer' order by at desc limit %(limit)s",
        {**subject.params, "limit": limit},
    )
    return [str(row["text"]) for row in await cursor.fetchall()]
