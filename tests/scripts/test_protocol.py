"""A protocol number finds what went wrong."""

import asyncio
from datetime import UTC, datetime

import pytest

from scripts.protocol import main
from storage.database import Database
from storage.records import failures


async def test_it_is_found_and_an_unknown_one_is_said_to_be(
    db: Database, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with db.connection() as conn:
        await failures.write(
            conn, protocol="ER-7K2M9P", kind="TimeoutError", detail="a traceback", now=datetime.now(UTC)
        )
    await db.close()
    found = await asyncio.to_thread(main, ["er-7k2m9p"], {"DATABASE_URL": database_url})
    missing = await asyncio.to_thread(main, ["ER-000000"], {"DATABASE_URL": database_url})
    said = capsys.readouterr()
    assert (found, missing) == (0, 1)
    assert "TimeoutError" in said.out
    assert "a traceback" in said.out
    assert "ER-000000" in said.err
