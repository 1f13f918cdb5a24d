"""A simulated month in a database of its own, written once for the whole run. Tests read it; the page may close what is idle."""

import asyncio
from collections.abc import Iterator
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from ops.deciding import gates_of
from ops.metrics import Period
from ops.simulation import Month, simulate, world_of
from settings import load_settings, reasons_of, roster_of
from storage.database import Database
from tests.conftest import fresh_database

ZONE = ZoneInfo("America/Sao_Paulo")
MONTH = Month(days=12, contacts=70, seed=7, last=date(2026, 10, 20))
PERIOD = Period(date(2026, 10, 1), date(2026, 10, 31), ZONE)


async def write_month(url: str) -> None:
    settings = load_settings({})
    roster = roster_of(settings)
    world = world_of(
        roster, reasons_of(settings, roster), gate=gates_of(settings.decision, {}), zone=ZONE, brand=settings.shop.name
    )
    database = await Database.open(environ={"DATABASE_URL": url})
    await database.migrate()
    try:
        async for _ in simulate(database, world, MONTH):
            pass
    finally:
        await database.close()


@pytest.fixture(scope="session")
def month_url(postgres: str) -> Iterator[str]:
    """The database of the month."""
    with fresh_database(postgres) as url:
        asyncio.run(write_month(url))
        yield url
