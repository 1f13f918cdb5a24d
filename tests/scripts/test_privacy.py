"""The command that a data protection officer runs, as a process of its own would: a file for its owner, and an exit code."""

import asyncio
import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scripts import privacy
from storage.database import Database
from storage.records import conversations, messages


async def with_customer(database_url: str) -> None:
    now = datetime.now(UTC)
    database = await Database.open(environ={"DATABASE_URL": database_url})
    async with database.transaction() as conn:
        await conversations.ensure(conn, "th-1", customer_id="c1", channel="web", brand="demo", now=now)
        await messages.add(conn, "th-1", message_id="m-1", role="customer", text="sou a Ana", now=now)
    await database.close()


def test_export_then_erase(
    surface_environ: dict[str, str], database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(with_customer(database_url))
    out = tmp_path / "c1.json"

    assert privacy.main(["export", "--customer", "c1", "--out", str(out)], environ=surface_environ) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    exported = json.loads(out.read_text("utf-8"))
    assert exported["stores"]["messages"][0]["text"] == "sou a Ana"
    assert "rows from" in capsys.readouterr().out

    assert privacy.main(["erase", "--customer", "c1"], environ=surface_environ) == 3, "its message waits for an answer"
    assert "message_waiting" in capsys.readouterr().out
    assert privacy.main(["erase", "--customer", "c9", "--out", str(out)], environ=surface_environ) == 0
    assert json.loads(out.read_text("utf-8"))["status"] == "nothing_held"


def test_without_a_file_the_export_goes_to_the_screen(
    surface_environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert privacy.main(["export", "--customer", "c9"], environ=surface_environ) == 0
    assert json.loads(capsys.readouterr().out)["stores"] == {}


def test_an_id_that_cannot_be_one_is_said_to_be(
    surface_environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert privacy.main(["erase", "--customer", "a\0b"], environ=surface_environ) == 2
    assert "customer" in capsys.readouterr().err
