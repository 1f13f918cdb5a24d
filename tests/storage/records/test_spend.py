import asyncio
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from storage.database import Database
from storage.records import packages, spend
from storage.records.packages import Package
from storage.records.spend import Limit, Limits, OverLimit, Reserved, Scope
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation, process

DAY = date(2026, 11, 30)
CALL = Decimal("0.14")
DEMO = Limit(stop_usd=Decimal("2.80"), limit_usd=Decimal("3.00"))

SPEND = """
import asyncio, os, sys
from datetime import UTC, date, datetime
from decimal import Decimal
from storage.database import Database
from storage.records import spend

async def main():
    database = await Database.open(environ=os.environ)
    limit = spend.Limit(stop_usd=Decimal("2.80"), limit_usd=Decimal("3.00"))
    async def call(n):
        async with database.connection() as conn:
            answer = await spend.reserve(
                conn, spend_id=f"{sys.argv[1]}-{n}", at=datetime.now(UTC), day=date(2026, 11, 30), provider="msd1",
                amount_usd=Decimal("0.14"), limits=spend.Limits(day=limit), customer_id=sys.argv[1],
            )
            if isinstance(answer, spend.OverLimit):
                return 0
            await spend.settle(conn, answer.id, cost_usd=Decimal("0.14"), now=datetime.now(UTC))
            return 1
    print(sum(await asyncio.gather(*(call(n) for n in range(25)))))
    await database.close()

asyncio.run(main())
"""


async def reserve(conn: Connection, spend_id: str, **changes: Any) -> Reserved | OverLimit:
    values: dict[str, Any] = {
        "at": NOW,
        "day": DAY,
        "provider": "msd1",
        "amount_usd": CALL,
        "limits": Limits(day=DEMO),
        "thread_id": THREAD,
        "customer_id": "c1",
    }
    return await spend.reserve(conn, spend_id=spend_id, **(values | changes))


async def test_of_fifty_at_once_exactly_those_that_fit_are_reserved(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)

    async def call(n: int) -> Reserved | OverLimit:
        async with db.connection() as conn:
            return await reserve(conn, f"s-{n}")

    answers = await asyncio.gather(*(call(n) for n in range(50)))
    refused = [answer for answer in answers if isinstance(answer, OverLimit)]
    assert len(refused) == 30
    assert refused[0] == OverLimit(scope="day", spent_usd=Decimal("2.80"), limit_usd=Decimal("3.00"))
    async with db.connection() as conn:
        totals = await spend.totals(conn, day=DAY, thread_id=THREAD, customer_id="c1")
        assert (totals.day, totals.conversation, totals.customer) == (Decimal("2.80"),) * 3
        cursor = await conn.execute("select count(*) as n, sum(reserved_usd) as usd from spend")
        assert await cursor.fetchone() == {"n": 20, "usd": Decimal("2.80")}


@pytest.mark.slow
async def test_two_processes_share_one_limit(db: Database, database_url: str) -> None:
    runs = await asyncio.gather(*(process(SPEND, name, database_url=database_url) for name in ("p1", "p2")))
    assert [code for code, _ in runs] == [0, 0], runs
    assert sum(int(output) for _, output in runs) == 20
    async with db.connection() as conn:
        cursor = await conn.execute(
            "select (select usd from spend_totals where scope = 'day') as total, (select sum(settled_usd) from spend) as sum"
        )
        assert await cursor.fetchone() == {"total": Decimal("2.80"), "sum": Decimal("2.80")}


async def test_settling_counts_what_it_did_cost_and_only_once(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await reserve(conn, "s-1")
        await reserve(conn, "s-2")
        assert await spend.settle(conn, "s-1", cost_usd=Decimal("0.00001234"), now=NOW)
        assert not await spend.settle(conn, "s-1", cost_usd=Decimal("9"), now=NOW)
        assert not await spend.release(conn, "s-1", now=NOW)
        assert await spend.release(conn, "s-2", now=NOW)
        assert not await spend.settle(conn, "nothing", cost_usd=Decimal(1), now=NOW)
        totals = await spend.totals(conn, day=DAY, thread_id=THREAD, customer_id="c1")
        assert (totals.day, totals.conversation, totals.customer) == (Decimal("0.00001234"),) * 3


@pytest.mark.parametrize(
    ("limits", "spent", "amount", "scope"),
    [
        (Limits(), "9", "9", None),
        (Limits(day=DEMO), "2.79", "0.21", None),
        (Limits(day=DEMO), "2.79", "0.22", "day"),
        (Limits(day=DEMO), "2.80", "0", "day"),
        (Limits(conversation=DEMO), "2.80", "0.01", "conversation"),
        (Limits(customer=DEMO), "2.80", "0.01", "customer"),
        (Limits(day=DEMO, customer=DEMO), "2.80", "0.01", "day"),
    ],
)
async def test_a_limit_stops_at_its_stop_line_and_is_never_passed(
    db: Database, limits: Limits, spent: str, amount: str, scope: Scope | None
) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await reserve(conn, "s-1", amount_usd=Decimal(spent), limits=Limits())
        before = await spend.totals(conn, day=DAY, thread_id=THREAD, customer_id="c1")
        answer = await reserve(conn, "s-2", amount_usd=Decimal(amount), limits=limits)
        if scope is None:
            assert answer == Reserved(id="s-2", amount_usd=Decimal(amount))
        else:
            assert answer == OverLimit(scope=scope, spent_usd=Decimal(spent), limit_usd=DEMO.limit_usd)
            assert await spend.totals(conn, day=DAY, thread_id=THREAD, customer_id="c1") == before


async def test_a_full_conversation_or_customer_stops_only_its_own(db: Database) -> None:
    limits = Limits(conversation=DEMO, customer=DEMO)
    async with db.connection() as conn:
        for thread, customer in ((THREAD, "c1"), ("t-2", "c2")):
            await conversation(conn, thread, customer_id=customer)
        await reserve(conn, "s-1", amount_usd=Decimal("2.90"), limits=limits)
        assert isinstance(await reserve(conn, "s-2", limits=limits), OverLimit)
        assert isinstance(await reserve(conn, "s-3", limits=limits, thread_id="t-2", customer_id="c2"), Reserved)
        tomorrow = await reserve(conn, "s-4", limits=limits, day=DAY + timedelta(days=1), thread_id="t-2")
        assert isinstance(tomorrow, Reserved)
        same_thread = await reserve(conn, "s-5", limits=limits, day=DAY + timedelta(days=1))
        assert isinstance(same_thread, OverLimit)
        assert same_thread.scope == "conversation"


async def test_the_report_sums_by_provider_specialist_and_transfers(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await packages.save(
            conn,
            Package(
                id="k",
                thread_id=THREAD,
                turn_id="turn-1",
                from_agent="support",
                to_agent="billing",
                reason="charge",
                schema_version=1,
                body={},
                tokens=1,
                at=NOW,
            ),
        )
        await reserve(conn, "s-1", agent="billing", turn_id="turn-1", limits=Limits())
        await reserve(conn, "s-2", agent="billing", turn_id="turn-1", limits=Limits())
        await spend.settle(conn, "s-2", cost_usd=Decimal("0.10"), now=NOW)
        await reserve(conn, "s-3", turn_id="turn-2", limits=Limits())
        await reserve(conn, "s-4", turn_id="turn-2", limits=Limits())
        await spend.release(conn, "s-4", now=NOW)
        await reserve(conn, "s-5", day=DAY - timedelta(days=1), limits=Limits())
        lines = await spend.report(conn, since=DAY)
    assert [(line.provider, line.agent, line.transfers, line.calls, line.usd) for line in lines] == [
        ("msd1", "billing", 1, 2, Decimal("0.24")),
        ("msd1", None, 0, 1, Decimal("0.14")),
    ]
