"""The ledger around paid calls: limits hold over processes, every end of a call is settled once."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ops.spend import BudgetExhausted, SpendLedger
from routing.budget import BudgetLimit, BudgetLimits
from routing.ports import NoProvider
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from storage.database import Database
from storage.records import conversations, spend, turns
from tests.routing.providers.clients import MODELS, client, remote_settings
from tests.stubs.fixtures import control, put, stub
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, WordDecider

__all__ = ["control", "put", "stub"]

NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
ZONE = ZoneInfo("America/Sao_Paulo")
PROJECT = Path(__file__).parents[2]
CALL = Decimal("0.10")

# 25 turns at once, each of one call that costs what was reserved for it.
WORKER = """
import asyncio, json, os, sys
from datetime import UTC, datetime
from decimal import Decimal
from uuid import uuid4
from zoneinfo import ZoneInfo
from ops.spend import BudgetExhausted, SpendLedger
from routing.budget import BudgetLimit, BudgetLimits
from storage.database import Database

async def main():
    database = await Database.open(environ=os.environ, pool_size=8)
    limit = BudgetLimit(limit_usd=Decimal("2.00"), stop_usd=Decimal("2.00"))
    ledger = SpendLedger(database, limits=BudgetLimits(day=limit), now=lambda: datetime(2026, 11, 30, 14, tzinfo=UTC),
                         zone=ZoneInfo("America/Sao_Paulo"), new_id=lambda: uuid4().hex)
    made = 0

    async def turn():
        nonlocal made
        try:
            async with ledger.paid("openrouter", model="m", most_usd=Decimal("0.10"), thread_id="t") as charge:
                await asyncio.sleep(0)
                made += 1
                charge.cost_usd = Decimal("0.10")
        except BudgetExhausted as refused:
            return refused.scope

    sys.stdin.readline()
    ends = await asyncio.gather(*(turn() for _ in range(25)))
    print(json.dumps({"made": made, "refused": sum(end == "day" for end in ends)}))
    await database.close()

asyncio.run(main())
"""


def ids() -> Iterator[str]:
    return (f"s-{number}" for number in count())


def limit(limit_usd: str, stop_usd: str | None = None) -> BudgetLimit:
    return BudgetLimit(limit_usd=Decimal(limit_usd), stop_usd=Decimal(stop_usd or limit_usd))


def ledger(db: Database, limits: BudgetLimits, *, now: datetime = NOW) -> SpendLedger:
    new = ids()
    return SpendLedger(db, limits=limits, now=lambda: now, zone=ZONE, new_id=lambda: f"{now:%d%H}-{next(new)}")


async def conversation(db: Database, thread_id: str, customer_id: str | None = "c1") -> str:
    async with db.connection() as conn:
        await conversations.ensure(conn, thread_id, customer_id=customer_id, channel="web", brand="aurora", now=NOW)
    return thread_id


async def totals(db: Database, thread_id: str = "t1", customer_id: str = "c1") -> tuple[Decimal, Decimal, Decimal]:
    async with db.connection() as conn:
        found = await spend.totals(conn, day=NOW.astimezone(ZONE).date(), thread_id=thread_id, customer_id=customer_id)
    return found.day, found.conversation, found.customer


async def call(
    ledger: SpendLedger, thread_id: str = "t1", *, most: Decimal = CALL, cost: Decimal | None = None
) -> None:
    async with ledger.paid("openrouter", model="m", most_usd=most, thread_id=thread_id) as charge:
        charge.cost_usd = most if cost is None else cost


@pytest.mark.slow
def test_two_processes_of_25_turns_make_exactly_the_20_calls_that_the_limit_has_room_for(database_url: str) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PROJECT,
            env={"DATABASE_URL": database_url, "PYTHONPATH": str(PROJECT), "PATH": ""},
        )
        for _ in range(2)
    ]  # fmt: skip
    ends = [json.loads(worker.communicate("go\n", timeout=60)[0]) for worker in started]
    assert sum(end["made"] for end in ends) == 20
    assert sum(end["refused"] for end in ends) == 30

    async def counted() -> tuple[Decimal, int]:
        database = await Database.open(environ={"DATABASE_URL": database_url})
        try:
            async with database.connection() as conn:
                report = await spend.report(conn, since=NOW.date())
            return (await totals(database))[0], report[0].calls
        finally:
            await database.close()

    assert asyncio.run(counted()) == (Decimal("2.0"), 20)


async def test_the_stop_line_lets_nothing_new_begin(db: Database) -> None:
    spender = ledger(db, BudgetLimits(day=limit("3.00", "2.80")))
    await call(spender, most=Decimal("2.80"))
    with pytest.raises(BudgetExhausted) as raised:
        await call(spender, most=Decimal("0.01"))
    assert raised.value.scope == "day"


async def test_a_limit_of_one_conversation_or_customer_stops_only_its_own(db: Database) -> None:
    await conversation(db, "t1")
    await conversation(db, "t2")
    await conversation(db, "t3", "c2")
    spender = ledger(db, BudgetLimits(conversation=limit("0.10"), customer=limit("0.20")))
    await call(spender, "t1")
    with pytest.raises(BudgetExhausted) as first:
        await call(spender, "t1")
    assert first.value.scope == "conversation"
    await call(spender, "t2")
    async with db.connection() as conn:
        await conversations.ensure(conn, "t4", customer_id="c1", channel="web", brand="aurora", now=NOW)
    with pytest.raises(BudgetExhausted) as second:
        await call(spender, "t4")
    assert second.value.scope == "customer"
    await call(spender, "t3")


async def test_a_day_ends_at_the_shops_midnight(db: Database) -> None:
    late = datetime(2026, 12, 1, 2, 59, tzinfo=UTC)  # 23:59 in São Paulo
    await call(ledger(db, BudgetLimits(day=limit("0.10")), now=late))
    with pytest.raises(BudgetExhausted):
        await call(ledger(db, BudgetLimits(day=limit("0.10")), now=late + timedelta(seconds=30)))
    await call(ledger(db, BudgetLimits(day=limit("0.10")), now=late + timedelta(minutes=1)))


async def test_what_was_not_spent_comes_back(db: Database) -> None:
    spender = ledger(db, BudgetLimits(day=limit("0.15")))  # room for one call, never for two at their dearest
    for _ in range(5):
        await call(spender, cost=Decimal("0.01"))
    assert (await totals(db))[0] == Decimal("0.05")


@pytest.mark.parametrize(
    ("cost", "made", "counted"), [(None, True, CALL), (0.03, True, Decimal("0.03")), (None, False, Decimal(0))]
)
async def test_a_call_that_failed_is_settled(db: Database, cost: float | None, made: bool, counted: Decimal) -> None:
    spender = ledger(db, BudgetLimits(day=limit("1.00")))

    async def failing() -> None:
        async with spender.paid("openrouter", model="m", most_usd=CALL, thread_id="t") as charge:
            charge.cost_usd, charge.made = cost, made
            raise ConnectionError

    with pytest.raises(ConnectionError):
        await failing()
    assert (await totals(db))[0] == counted


async def test_a_cancelled_call_counts_in_full(db: Database) -> None:
    spender = ledger(db, BudgetLimits(day=limit("1.00")))
    inside = asyncio.Event()

    async def hanging() -> None:
        async with spender.paid("openrouter", model="m", most_usd=CALL, thread_id="t"):
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hanging())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await totals(db))[0] == CALL


async def test_settling_twice_counts_once(db: Database) -> None:
    spender = ledger(db, BudgetLimits(day=limit("1.00")))
    reservation = await spender.reserve("msd1", model="m", max_cost_usd=0.1, thread_id="t")
    assert reservation is not None
    await spender.settle(reservation, cost_usd=0.02)
    await spender.settle(reservation, cost_usd=0.05)
    await spender.settle(reservation, cost_usd=None)
    assert (await totals(db))[0] == Decimal("0.02")


async def test_a_decision_belongs_to_its_conversation_customer_and_turn(db: Database) -> None:
    await conversation(db, "t1")
    async with db.connection() as conn:
        from storage.records import messages

        await messages.add(conn, "t1", message_id="m1", role="customer", text="oi", now=NOW)
        await turns.begin(conn, "t1", owner="w", turn_id="turn-1", lease_s=30, now=NOW)
    spender = ledger(db, BudgetLimits())
    reservation = await spender.reserve("msd1", model="m", max_cost_usd=0.1, thread_id="t1")
    assert reservation is not None
    assert await totals(db) == (CALL, CALL, CALL)
    async with db.connection() as conn:
        row = await (await conn.execute("select turn_id, customer_id, provider from spend")).fetchone()
    assert row == {"turn_id": "turn-1", "customer_id": "c1", "provider": "msd1"}


def chain(db: Database, url: str, limits: BudgetLimits) -> ChainDecider:
    settings = remote_settings(url)
    providers = [client("msd1", settings), client("jev", settings), WordDecider()]
    return ChainDecider(
        providers, deadline_s=10, clock=lambda: 0.0, breakers=Breakers(clock=lambda: 0.0), budget=ledger(db, limits)
    )


async def test_an_exhausted_budget_leaves_the_free_links(db: Database, stub: str, control: object) -> None:
    room = client("msd1", remote_settings(stub)).max_cost_usd
    decider = chain(db, stub, BudgetLimits(day=limit(str(room), str(room / 1000))))
    first = await decider.decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")
    second = await decider.decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")
    assert (first.provider, second.provider) == ("msd1", "local")
    assert [(hop.provider, hop.outcome) for hop in second.hops] == [
        ("msd1", "error"),
        ("jev", "skipped"),
        ("local", "ok"),
    ]
    assert "budget" in str(second.hops[0].why)
    assert (await totals(db))[0] == pytest.approx(Decimal(str(first.cost_usd)), abs=Decimal("0.00000001"))
    only_paid = ChainDecider(
        decider.providers[:2], deadline_s=10, clock=lambda: 0.0, breakers=Breakers(clock=lambda: 0.0),
        budget=ledger(db, BudgetLimits(day=limit("0"))),
    )  # fmt: skip
    with pytest.raises(NoProvider):
        await only_paid.decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")


async def test_every_hop_that_cost_is_in_the_ledger(db: Database, stub: str, put: object) -> None:
    from stubs.faults import Fault

    put(MODELS["msd1"], Fault(kind="low_sum"))  # pyright: ignore[reportCallIssue]
    answer = await chain(db, stub, BudgetLimits()).decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")
    assert answer.provider == "jev"
    spent = sum(hop.cost_usd for hop in answer.hops)
    assert float((await totals(db))[0]) == pytest.approx(spent, abs=3e-8)
