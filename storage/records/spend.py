"""Spend in US$: the most a call can cost is reserved before it is made, what it did cost is settled after.

A total per scope is kept beside the ledger and changed in the same transaction: that row is what makes a limit hold over
processes. A reservation whose process died stays counted in full, because its call may have been made.
"""

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from routing.model import Frozen
from storage.rows import Connection, Record, changed, many, one

Scope = Literal["day", "conversation", "customer"]

_SETTLE_TOTALS: Final = (
    "update spend_totals set usd = usd + %(change)s where scope = %(scope)s and subject = %(subject)s"
)


class Limit(Frozen):
    """From `stop_usd` on nothing new begins; `limit_usd` is never passed, not even by the call that would cross it."""

    stop_usd: Decimal
    limit_usd: Decimal


class Limits(Frozen):
    """Per day, per conversation over its life, per customer and day. None: no limit."""

    day: Limit | None = None
    conversation: Limit | None = None
    customer: Limit | None = None


class Reserved(Frozen):
    id: str
    amount_usd: Decimal


class OverLimit(Frozen):
    """Refused. A full day stops every paid call, a full conversation or customer only its own."""

    scope: Scope
    spent_usd: Decimal
    limit_usd: Decimal


class Totals(Frozen):
    """Reserved and settled together, as the limits see it."""

    day: Decimal
    conversation: Decimal
    customer: Decimal


class SpendLine(Record):
    """`transfers`: how many times the turn handed over. `usd`: settled, or reserved where the end is not known."""

    provider: str
    agent: str | None
    transfers: int
    calls: int
    usd: Decimal


class _Row(Record):
    day: date
    thread_id: str | None
    customer_id: str | None
    change: Decimal


class _Counter(NamedTuple):
    scope: Scope
    subject: str
    limit: Limit | None


class _Over(Exception):
    def __init__(self, refused: OverLimit) -> None:
        super().__init__(refused.scope)
        self.refused = refused


async def reserve(
    conn: Connection,
    *,
    spend_id: str,
    at: datetime,
    day: date,
    provider: str,
    amount_usd: Decimal,
    limits: Limits,
    model: str | None = None,
    agent: str | None = None,
    thread_id: str | None = None,
    customer_id: str | None = None,
    turn_id: str | None = None,
) -> Reserved | OverLimit:
    """Reserve the most that a call can cost, or say which limit forbids it. One transaction.

    `day` is the day of `at` in the shop's zone.
    """
    try:
        async with conn.transaction():
            for counter in _counters(day, thread_id, customer_id, limits):
                await _count(conn, counter, amount_usd)
            await conn.execute(
                "insert into spend (id, at, day, provider, model, agent, thread_id, customer_id, turn_id, reserved_usd)"
                " values (%(id)s, %(at)s, %(day)s, %(provider)s, %(model)s, %(agent)s, %(thread)s, %(customer)s,"
                " %(turn)s, %(amount)s)",
                {
                    "id": spend_id,
                    "at": at,
                    "day": day,
                    "provider": provider,
                    "model": model,
                    "agent": agent,
                    "thread": thread_id,
                    "customer": customer_id,
                    "turn": turn_id,
                    "amount": amount_usd,
                },
            )
    except _Over as over:
        return over.refused
    return Reserved(id=spend_id, amount_usd=amount_usd)


async def settle(conn: Connection, spend_id: str, *, cost_usd: Decimal, now: datetime) -> bool:
    """Write what a call did cost. False when the reservation is settled already: a call is counted once."""
    return await _settle(conn, spend_id, status="settled", cost_usd=cost_usd, now=now)


async def release(conn: Connection, spend_id: str, *, now: datetime) -> bool:
    """Give a reservation back, because its call was never made. False when it is settled already."""
    return await _settle(conn, spend_id, status="released", cost_usd=Decimal(0), now=now)


async def settle_lost(conn: Connection, *, before: datetime, now: datetime) -> int:
    """Close reservations from before then: whoever made them died, and their calls may have been made, so they count in full."""
    return await changed(
        conn,
        "update spend set status = 'settled', settled_usd = reserved_usd, settled_at = %(now)s"
        " where status = 'reserved' and at < %(before)s",
        {"before": before, "now": now},
    )


async def totals(
    conn: Connection, *, day: date, thread_id: str | None = None, customer_id: str | None = None
) -> Totals:
    """Return what counts against the limits now."""
    found: dict[Scope, Decimal] = {"day": Decimal(0), "conversation": Decimal(0), "customer": Decimal(0)}
    for counter in _counters(day, thread_id, customer_id, Limits()):
        found[counter.scope] = await _total(conn, counter)
    return Totals(**found)


async def report(conn: Connection, *, since: date) -> list[SpendLine]:
    """Sum the ledger by provider, specialist and number of transfers in the turn, the dearest first."""
    return await many(
        conn,
        SpendLine,
        "select s.provider, s.agent, coalesce(p.transfers, 0)::int as transfers, count(*)::int as calls,"
        " sum(coalesce(s.settled_usd, s.reserved_usd)) as usd from spend s left join (select turn_id, count(*) as transfers"
        " from packages group by turn_id) p on p.turn_id = s.turn_id where s.day >= %(since)s and s.status <> 'released'"
        " group by 1, 2, 3 order by usd desc, 1, 2, 3",
        {"since": since},
    )


def _counters(day: date, thread_id: str | None, customer_id: str | None, limits: Limits) -> Iterator[_Counter]:
    """List the totals that a call counts in, always in this order: two reservations never wait for each other."""
    yield _Counter("day", day.isoformat(), limits.day)
    if thread_id is not None:
        yield _Counter("conversation", thread_id, limits.conversation)
    if customer_id is not None:
        yield _Counter("customer", f"{day.isoformat()} {customer_id}", limits.customer)


async def _count(conn: Connection, counter: _Counter, amount: Decimal) -> None:
    """Add to a total, or raise _Over. The upsert locks the row, so the comparison holds until the transaction ends."""
    cursor = await conn.execute(
        "insert into spend_totals as t (scope, subject, usd) values (%(scope)s, %(subject)s, %(amount)s)"
        " on conflict (scope, subject) do update set usd = t.usd + excluded.usd returning usd - %(amount)s as spent",
        {"scope": counter.scope, "subject": counter.subject, "amount": amount},
    )
    row = await cursor.fetchone()
    spent = Decimal(0) if row is None else Decimal(row["spent"])
    limit = counter.limit
    if limit is not None and (spent >= limit.stop_usd or spent + amount > limit.limit_usd):
        raise _Over(OverLimit(scope=counter.scope, spent_usd=spent, limit_usd=limit.limit_usd))


async def _total(conn: Connection, counter: _Counter) -> Decimal:
    cursor = await conn.execute(
        "select usd from spend_totals where scope = %(scope)s and subject = %(subject)s",
        {"scope": counter.scope, "subject": counter.subject},
    )
    row = await cursor.fetchone()
    return Decimal(0) if row is None else Decimal(row["usd"])


async def _settle(
    conn: Connection, spend_id: str, *, status: Literal["settled", "released"], cost_usd: Decimal, now: datetime
) -> bool:
    async with conn.transaction():
        row = await one(
            conn,
            _Row,
            "update spend set status = %(status)s, settled_usd = %(cost)s, settled_at = %(now)s"
            " where id = %(id)s and status = 'reserved'"
            " returning day, thread_id, customer_id, settled_usd - reserved_usd as change",
            {"status": status, "cost": cost_usd, "now": now, "id": spend_id},
        )
        if row is None:
            return False
        for counter in _counters(row.day, row.thread_id, row.customer_id, Limits()):
            await conn.execute(
                _SETTLE_TOTALS,
                {"change": row.change, "scope": counter.scope, "subject": counter.subject},
            )
        return True
