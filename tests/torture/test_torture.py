"""Everything at once: four workers, failing providers, a failing shop, kills of workers and of the database, impatient customers.

TORTURE_SECONDS is how long both kinds of shop are tortured together (default 30). TORTURE_SEED repeats a run's dice.
"""

import asyncio
import os
import shutil
import signal
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal

import pytest

from graph.checkpoint import setup_checkpoints
from ops.maintenance import Maintenance
from settings import load_settings, open_bastao
from storage.database import Database
from storage.embedded import stop_server
from storage.embedded_folder import locate
from storage.embedded_postmaster import read_pid_file
from storage.records import effects
from tests.torture.customers import Book, Customer
from tests.torture.fleet import Fleet
from tests.torture.goods import charged_twice, stock
from tests.torture.verdict import judge
from tests.torture.world import (
    Chance,
    ShopChance,
    configuration,
    shop_over_http,
    simulated,
)

pytestmark = pytest.mark.torture
SECONDS = float(os.environ.get("TORTURE_SECONDS", "30")) / 2
AT_ONCE = 12
WORKERS = 4
EVER = datetime.min.replace(tzinfo=UTC)
_DRAIN_S = 600.0
_ROUNDS = 6  # a shop on a busy machine may miss a question; the next round asks again


@pytest.fixture
def folder() -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="bx-"))  # short: the path of a socket has 107 bytes
    yield root
    stop_server(root)
    shutil.rmtree(root, ignore_errors=True)


@pytest.mark.parametrize("kind", ["postgres", "http"])
async def test_nothing_is_lost_and_nothing_is_done_twice(
    folder: Path, kind: Literal["postgres", "http"], capsys: pytest.CaptureFixture[str]
) -> None:
    seed = int(os.environ.get("TORTURE_SEED") or Random().randrange(10**9))
    random = Random(seed)
    customers = int(SECONDS * 4) + 50
    book = Book(folder / "driver.jsonl")
    with simulated(random) as (providers, chance), a_shop(kind, customers, random) as (url, store, shop_chance):
        environ = configuration(folder, providers=providers, shop=url)
        await prepared(folder, None if url else customers)
        fleet = Fleet(environ=environ, size=WORKERS, random=random)
        await fleet.start()
        kills = await played(fleet, book, folder, customers, random, heal=lambda: heal(chance, shop_chance))
        await settled(fleet, book, environ, random)
        database = await Database.open(environ={}, data_dir=folder)
        wrong, figures = await judge(database, book, held(store) if store else await held_in(database))
        await database.close()
    figures.update({"worker kills": fleet.kills, "worker stops": fleet.stops, "database kills": kills})
    figures.update({"provider faults": chance.hits, "shop faults": shop_chance.hits if shop_chance else 0})
    with capsys.disabled():
        print(f"\ntorture ({kind}, {SECONDS:g} s, seed {seed}): {told(figures)}")
    assert (wrong, fleet.crashes) == ([], []), f"seed {seed}"
    assert figures["turns replied"] > 0


async def prepared(folder: Path, customers: int | None) -> None:
    """Start the database, and stock the shop that lies in it."""
    database = await Database.open(environ={}, data_dir=folder)
    await database.migrate(after=setup_checkpoints)
    if customers is not None:
        async with database.transaction() as conn:
            await stock(conn, customers)
    await database.close()


async def played(
    fleet: Fleet, book: Book, folder: Path, customers: int, random: Random, *, heal: Callable[[], None]
) -> int:
    """Let customers come while everything around them breaks, and finish when it is whole again; count the database's deaths."""
    ends = monotonic() + SECONDS
    numbers = iter(range(customers))

    async def queue_up() -> None:
        for n in numbers:
            await Customer(n=n, fleet=fleet, book=book, random=random).visit()
            if monotonic() > ends:
                return

    async def break_workers() -> None:
        while True:
            await asyncio.sleep(random.uniform(0.5, 2.5))
            await fleet.nearly_whole()
            if random.random() < 0.75:
                fleet.kill_one()
            else:
                await fleet.freeze_one(4.5)

    breaking = [asyncio.create_task(break_workers()), asyncio.create_task(break_database(folder))]
    visits = [asyncio.create_task(queue_up()) for _ in range(AT_ONCE)]
    await asyncio.wait(visits, timeout=SECONDS)
    breaking[0].cancel()
    heal()
    async with asyncio.timeout(_DRAIN_S):
        await asyncio.gather(*visits)
    return await breaking[1]


async def break_database(folder: Path) -> int:
    """Kill the postmaster twice, the way the machine's memory killer would."""
    for _ in range(2):
        await asyncio.sleep(SECONDS / 3)
        if (found := read_pid_file(locate(folder).pgdata)) is not None:
            os.kill(found.pid, signal.SIGKILL)
    return 2


async def settled(fleet: Fleet, book: Book, environ: dict[str, str], random: Random) -> None:
    """Ask for what was stopped, let everybody finish, and do by the clock what is due hours later."""
    stopped = {note.thread_id for note in book.notes.values() if note.status == "interrupted"}
    for thread_id in sorted(stopped):
        n = int(thread_id.removeprefix("th-"))
        customer = Customer(n=n, fleet=fleet, book=book, random=random, messages=iter(range(1_000, 2_000)))
        await customer.say(f"e o pedido {charged_twice(n)[0]}?")
    await fleet.close()
    for number in range(_ROUNDS):
        async with open_bastao(load_settings(environ), environ) as bastao:  # waits at its end for what it took over
            later = replace(bastao.services, clock=Later())
            day = timedelta(days=1)
            await Maintenance(services=later, conversation=bastao.conversation, claim_timeout=day).once()
            async with bastao.services.database.connection() as conn:
                left = await effects.unsettled(conn, before=later.clock.now(), doubted_since=EVER)
        if number and not left:
            return


class Later:
    """The clock of the last sweep: nothing of today is young any more."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=3)


@contextmanager
def a_shop(kind: str, customers: int, random: Random) -> Iterator[tuple[str | None, Any, ShopChance | None]]:
    if kind == "postgres":
        yield None, None, None
        return
    with shop_over_http(customers, random) as served:
        yield served


def heal(chance: Chance, shop_chance: ShopChance | None) -> None:
    chance.rate = 0.0
    if shop_chance is not None:
        shop_chance.rate = 0.0


def held(store: Any) -> dict[tuple[str, str], list[str]]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for request in store.requests:
        found[request.kind, request.order_id].append(request.protocol)
    return found


async def held_in(database: Database) -> dict[tuple[str, str], list[str]]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    async with database.connection() as conn:
        cursor = await conn.execute(
            "select r.kind, r.order_id, r.protocol from shop.requests r join shop.orders o on o.id = r.order_id"
            " where o.customer_id like 'k%'"
        )
        for row in await cursor.fetchall():
            found[row["kind"], row["order_id"]].append(row["protocol"])
    return found


def told(figures: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(figures.items()))
