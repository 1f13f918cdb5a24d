"""The day as Prometheus reads it: real turns only, cumulated waits, what is open however old, and a database that is down."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from prometheus_client.parser import text_string_to_metric_families
from psycopg.types.json import Jsonb

from ops.prometheus import EDGES_S, exposition, read_day
from storage.database import Database
from storage.records import alarms, conversations

ZONE = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 12, 1, 2, 30, tzinfo=UTC)  # 23:30 of the shop's 30 November
MORNING = NOW - timedelta(hours=12)


def series(text: bytes) -> dict[str, float]:
    """Return the samples by name and the values of their labels, in the order of the labels' names."""
    return {
        f"{sample.name}{list(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


async def turn(db: Database, name: str, *, at: datetime, seconds: float, channel: str = "web") -> None:
    """Store a turn that was replied to after so many seconds."""
    async with db.connection() as conn:
        await conversations.ensure(conn, name, customer_id="c1", channel=channel, brand="demo", now=at)
        await conn.execute(
            "insert into turns (id, thread_id, number, status, owner, fence, epoch, lease_until, started_at, ended_at, tokens)"
            " values (%(id)s, %(id)s, 1, 'replied', 'w', 1, 0, %(at)s, %(at)s, %(end)s, %(tokens)s)",
            {
                "id": name, "at": at, "end": at + timedelta(seconds=seconds),
                "tokens": Jsonb({"input": 100, "cached": 60, "output": 7}),
            },
        )  # fmt: skip


async def test_only_the_shops_day_and_only_real_turns_are_counted(db: Database) -> None:
    await turn(db, "early", at=MORNING, seconds=0.3)
    await turn(db, "slow", at=NOW, seconds=4)
    await turn(db, "yesterday", at=MORNING - timedelta(days=1), seconds=1)
    await turn(db, "generated", at=MORNING, seconds=1, channel="simulated")
    found = series(exposition(await read_day(db, now=NOW, zone=ZONE), version="1", release="r"))
    assert found["bastao_turns_today['replied']"] == 2
    assert found["bastao_turns_today['failed']"] == 0
    assert [found[f"bastao_reply_seconds_bucket['{edge}']"] for edge in EDGES_S] == [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert found["bastao_reply_seconds_count[]"] == 2
    assert found["bastao_reply_seconds_sum[]"] == 4.3
    tokens = [found[f"bastao_tokens_today['{kind}']"] for kind in ("input", "cached", "output")]
    assert tokens == [200, 120, 14]


async def test_money_alarms_and_unsettled_actions(db: Database) -> None:
    await turn(db, "old", at=MORNING - timedelta(days=40), seconds=1)
    async with db.transaction() as conn:
        await alarms.raise_(conn, alarm_id="a", kind="decision_provider:jev", detail="key refused", now=MORNING)
        for number, (state, at) in enumerate((("unknown", MORNING - timedelta(days=40)), ("done", MORNING))):
            await conn.execute(
                "insert into effects (id, key, thread_id, turn_id, tool, state, fence, claimed_at)"
                " values (%(id)s, %(id)s, 'old', 'old', 'open_return', %(state)s, 1, %(at)s)",
                {"id": str(number), "state": state, "at": at},
            )
        await conn.execute(
            "insert into spend (id, day, thread_id, provider, model, agent, reserved_usd, settled_usd, status, at)"
            " values ('s', '2026-11-30', 'old', 'openrouter', 'luna', 'billing', 0.5, 0.25, 'settled', %(at)s)",
            {"at": MORNING},
        )
    found = series(exposition(await read_day(db, now=NOW, zone=ZONE), version="1", release="r"))
    assert found["bastao_alarms_open['decision_provider']"] == 1
    assert found["bastao_alarms_open['webhook']"] == 0
    assert found["bastao_effects['unknown', 'open_return']"] == 1
    assert found["bastao_spend_usd_today['billing', 'luna', 'openrouter']"] == Decimal("0.25")
    assert "jev" not in str(found)


def test_a_database_that_does_not_answer_is_a_figure() -> None:
    found = series(exposition(None, version="1", release=None))
    assert found == {"bastao_info['', '1']": 1, "bastao_database_up[]": 0}
