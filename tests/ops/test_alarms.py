"""Alarms: a record, a line and one announcement, whoever rings; nothing secret in any of them."""

import logging
from datetime import timedelta
from typing import Any

import pytest

from ops.alarms import Alarm, Alarms, close_quiet, record
from storage.database import Database
from storage.records import alarms, webhooks
from tests.graph.acting import MONDAY, SetClock

KEY = Alarm(kind="decision_provider", subject="msd1", detail="ours: 401 for sk-live-abcdefgh of ana@example.com")


def bell(db: Database, clock: SetClock, *, announced: bool = True) -> Alarms:
    ids = iter(range(100))
    return Alarms(
        database=db,
        clock=clock,
        new_id=lambda prefix: f"{prefix}-{next(ids)}",
        shop_name="Loja Aurora",
        announced=announced,
    )


async def stored(db: Database) -> list[alarms.Alarm]:
    async with db.connection() as conn:
        return await alarms.open_(conn)


async def announcements(db: Database) -> list[dict[str, Any]]:
    async with db.connection() as conn:
        taken = await webhooks.take_due(conn, now=MONDAY + timedelta(days=9), hold_until=MONDAY + timedelta(days=10))
    return [delivery.body for delivery in taken]


async def test_an_alarm_is_stored_written_and_announced_once(db: Database, caplog: pytest.LogCaptureFixture) -> None:
    clock = SetClock(MONDAY)
    ringing = bell(db, clock)
    ringing.ring(KEY)
    ringing.ring(KEY)
    await ringing.settled()
    (only,) = await stored(db)
    assert (only.kind, only.count) == ("decision_provider:msd1", 2)
    assert only.detail == "ours: 401 for <secret> of <email>"
    (body,) = await announcements(db)
    assert body["event"] == "alarm.raised"
    assert (body["alarm"]["subject"], body["alarm"]["severity"]) == ("msd1", "critical")
    lines = [line for line in caplog.records if line.name == "ops.alarms"]
    assert [(line.levelno, line.__dict__["alarm"]) for line in lines] == [(logging.CRITICAL, "decision_provider")] * 2
    assert "sk-live" not in caplog.text


async def test_without_a_webhook_nothing_waits_to_be_announced(db: Database) -> None:
    await bell(db, SetClock(MONDAY), announced=False).raise_(KEY)
    assert len(await stored(db)) == 1
    assert await announcements(db) == []


async def test_one_that_was_quiet_for_a_day_is_closed_and_the_next_is_news(db: Database) -> None:
    clock = SetClock(MONDAY)
    ringing = bell(db, clock)
    await ringing.raise_(KEY)
    clock.pass_(hours=25)
    async with db.transaction() as conn:
        assert await close_quiet(conn, now=clock.now()) == 1
        assert await close_quiet(conn, now=clock.now()) == 0
    await ringing.raise_(KEY)
    assert [alarm.count for alarm in await stored(db)] == [1]
    assert len(await announcements(db)) == 2


async def test_two_subjects_are_two_alarms(db: Database) -> None:
    async with db.transaction() as conn:
        for number, subject in enumerate(("msd1", "jev")):
            await record(
                conn, KEY.model_copy(update={"subject": subject}), alarm_id=f"al-{number}", shop_name="x", now=MONDAY,
                announced=False,
            )  # fmt: skip
    assert {alarm.kind for alarm in await stored(db)} == {"decision_provider:msd1", "decision_provider:jev"}


async def test_without_a_database_the_line_remains(db: Database, caplog: pytest.LogCaptureFixture) -> None:
    await db.close()
    await bell(db, SetClock(MONDAY)).raise_(KEY)
    assert "alarm decision_provider:msd1" in caplog.text
    assert "could not be stored" in caplog.text


def test_without_a_loop_the_line_remains(caplog: pytest.LogCaptureFixture) -> None:
    Alarms(database=None, clock=SetClock(MONDAY), new_id=str, shop_name="x").ring(KEY)  # pyright: ignore[reportArgumentType] - never reached
    assert "alarm decision_provider:msd1" in caplog.text
