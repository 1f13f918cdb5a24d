"""A simulated month, as a person makes one: in a database of its own, again without doubling it, never among real contacts."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scripts import simulate
from storage.database import Database
from tests.storage.values import conversation

pytestmark = pytest.mark.slow
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
SMALL = ["--days", "3", "--contacts", "6"]


def count(url: str) -> tuple[Any, ...]:
    with psycopg.connect(url) as conn:
        row = conn.execute(
            "select (select count(*) from contacts), (select count(*) from turns), (select count(distinct channel) from conversations),"
            " (select min(channel) from conversations), (select count(*) from turns where status = 'running'),"
            " (select max(opened_at) < '2026-11-30 03:00Z' from contacts)"
        ).fetchone()
    assert row is not None
    return row


def test_a_month_is_written_once_and_can_grow(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.main([*SMALL, "--database", database_url], environ={}, now=NOW) == 0
    said = capsys.readouterr().out
    assert "6 simulated contacts added, 0 were there; they end on 2026-11-29." in said
    assert database_url not in said  # it may hold a password
    contacts, turns, *rest = count(database_url)
    assert (contacts, *rest) == (6, 1, "simulated", 0, True)
    assert turns >= 6
    assert simulate.main([*SMALL, "--database", database_url], environ={}, now=NOW) == 0
    assert "0 simulated contacts added, 6 were there" in capsys.readouterr().out
    assert count(database_url)[:2] == (6, turns)
    assert simulate.main(["--days", "3", "--contacts", "8", "--database", database_url], environ={}, now=NOW) == 0
    assert "2 simulated contacts added, 6 were there" in capsys.readouterr().out


def test_real_conversations_are_not_mixed_with_invented_ones_unasked(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def one_real() -> None:
        database = await Database.open(environ={"DATABASE_URL": database_url})
        async with database.connection() as conn:
            await conversation(conn)
        await database.close()

    asyncio.run(one_real())
    assert simulate.main([*SMALL, "--database", database_url], environ={}, now=NOW) == 2
    assert "--mix" in capsys.readouterr().err
    assert count(database_url)[0] == 0
    assert simulate.main(["--contacts", "1", "--mix", "--database", database_url], environ={}, now=NOW) == 0
    assert count(database_url)[0] == 1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("postgresql://u@host/db", {"DATABASE_URL": "postgresql://u@host/db"}),
        ("host=db dbname=bi", {"DATABASE_URL": "host=db dbname=bi"}),
        ("/tmp/numbers", {"BASTAO_DATA_DIR": "/tmp/numbers"}),
        (None, {"BASTAO_DATA_DIR": "/data/simulated"}),
    ],
)
def test_it_never_lands_in_the_environments_database(given: str | None, named: Mapping[str, str]) -> None:
    environ = {"DATABASE_URL": "postgresql://shop@host/live", "BASTAO_DATA_DIR": "/data"}
    assert simulate.place(given, environ) == named


def test_a_number_that_makes_no_month_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        simulate.main(["--contacts", "0"])
    assert "must be 1 or more" in capsys.readouterr().err


def test_without_a_database_it_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert simulate.main([*SMALL, "--database", "postgresql://nobody@127.0.0.1:1/none"], environ={}, now=NOW) == 2
    assert capsys.readouterr().err.startswith("simulate: ")
