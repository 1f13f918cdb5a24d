"""What is too old goes, what is younger stays, and nobody who is using a conversation notices."""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from ops.alarms import Alarm, record
from ops.maintenance import LEASE, Maintenance, Round
from ops.retention import RetentionSettings, prune
from storage.database import Database
from storage.records import conversations, leases, queue, spend, webhooks
from tests.graph.acting import MONDAY, SetClock, rows, said
from tests.graph.conftest import Desk, Make, reply_of
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only
from tests.ops.lived import counted, everything, lived, other_thread, privacy_of, traces

DAYS = RetentionSettings(
    dialogue=365, checkpoints=7, facts=300, packages=180, proposals=180, effects_personal=200, queue_texts=250, failures=90,
    announcements=30, alarms=180, spend_links=100, spend_totals=90, audit=400, erasures=400, records=1_825,
)  # fmt: skip
# Which tables have lost rows (or, after an asterisk, words) when the clock has moved on so many days.
STEPS: list[tuple[int, set[str]]] = [
    (29, set()),
    (31, {"webhook_deliveries"}),
    (91, {"webhook_deliveries", "failures", "spend_totals"}),
    (181, {"webhook_deliveries", "failures", "spend_totals", "packages", "proposals"}),
    (301, {"webhook_deliveries", "failures", "spend_totals", "packages", "proposals", "facts"}),
    (
        366,
        {"webhook_deliveries", "failures", "spend_totals", "packages", "proposals", "facts", "messages", "checkpoints", "checkpoint_blobs"},
    ),
]  # fmt: skip


async def old(desk: Desk, days: float) -> None:
    """Prune as if so many days had passed since the conversation was lived."""
    await prune(desk.services.database, DAYS, now=desk.services.clock.now() + timedelta(days=days))


async def test_each_kind_goes_at_its_time_and_not_before(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(datetime.now(UTC)))
    before = await counted(desk.services.database)
    await old(desk, 6)
    kept = await counted(desk.services.database)
    assert kept == before
    for days, gone in STEPS:
        await old(desk, days)
        now = await counted(desk.services.database)
        lost = {table for table, count in now.items() if count < kept[table]}
        assert lost - {"checkpoints", "checkpoint_blobs"} == gone - {"checkpoints", "checkpoint_blobs"}, days
    assert now["messages"] == now["checkpoints"] == now["checkpoint_blobs"] == now["facts"] == 0
    assert (now["turns"], now["contacts"], now["effects"]) == (before["turns"], before["contacts"], before["effects"])


async def test_after_the_dialogue_is_old_no_word_of_it_is_left(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(datetime.now(UTC)))
    await old(desk, 366)
    left = await everything(desk.services.database)
    promises = {"commitments.text"}  # never pruned before the legal term: they are owed
    words = ("Ana Souza", "529.982.247-25", "ana.souza@example.com", "Rua das Acácias", "Zulmira")
    assert {column for column, _ in traces(left, words)} <= promises
    assert (await rows(desk, "select title from conversations"))[0]["title"] is None
    linked = await rows(desk, "select 1 as n from spend where customer_id is not null or thread_id is not null")
    assert linked == []


async def test_after_the_legal_term_the_conversation_is_gone_and_the_sums_stay(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(datetime.now(UTC)))
    await other_thread(desk, "th-young", "c2", text="oi", now=desk.services.clock.now() + timedelta(days=1_000))
    before = await counted(desk.services.database)
    await old(desk, 1_826)
    now = await counted(desk.services.database)
    for table in ("turns", "contacts", "effects", "commitments", "follow_ups", "human_queue", "audit"):
        assert now[table] == 0 < before[table], table
    assert now["spend"] == before["spend"]
    assert [row["thread_id"] for row in await rows(desk, "select thread_id from conversations")] == ["th-young"]


async def test_old_messages_of_a_conversation_that_goes_on_go_and_it_still_goes_on(make_desk: Make) -> None:
    """The numbers of messages must not begin anew under a checkpoint that has read further."""
    clock = SetClock(datetime.now(UTC))
    desk = await make_desk(
        {"support": ["Está a caminho.", "Qual é o pedido?", "Qual é o pedido?"]}, only("support"), clock=clock
    )
    await desk.say("cadê o pedido 10405?")
    clock.pass_(days=360)
    await desk.say("e o outro pedido, cadê?")
    clock.pass_(days=10)
    await prune(desk.services.database, DAYS, now=clock.now())
    assert [(line.seq, line.role) for line in await said(desk)] == [(3, "customer"), (4, "agent")]
    assert (await rows(desk, "select reply from turns order by number"))[0]["reply"] is None
    assert reply_of(await desk.say("e o terceiro, cadê?")) == "Qual é o pedido?"
    assert [line.seq for line in await said(desk)] == [3, 4, 5, 6]


async def test_a_conversation_that_fell_silent_begins_anew(make_desk: Make) -> None:
    clock = SetClock(datetime.now(UTC))
    desk = await make_desk({"support": ["Está a caminho.", "Qual é o pedido?"]}, only("support"), clock=clock)
    await desk.say("cadê o pedido 10405?")
    clock.pass_(days=400)
    await prune(desk.services.database, DAYS, now=clock.now())
    assert await said(desk) == []
    assert reply_of(await desk.say("cadê o pedido, gente?")) == "Qual é o pedido?"
    assert [line.seq for line in await said(desk)] == [1, 2]


async def test_superseded_checkpoints_go_and_what_was_learned_stays(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": ["Está a caminho.", "Qual é o pedido?", "Qual é o pedido?", "Sei: é o 10405."]}, only("support")
    )
    for text in ("cadê o pedido 10405?", "e quando, gente?", "e agora, gente?"):
        await desk.say(text)
    before = await counted(desk.services.database)
    await prune(desk.services.database, DAYS, now=datetime.now(UTC) + timedelta(days=6))
    assert await counted(desk.services.database) == before
    await prune(desk.services.database, DAYS, now=datetime.now(UTC) + timedelta(days=8))
    after = await counted(desk.services.database)
    assert before["checkpoints"] > after["checkpoints"] == 1
    assert before["checkpoint_blobs"] > after["checkpoint_blobs"] > 0
    await desk.say("qual pedido é, gente?")
    prompt = str(desk.models.models["support"].asked[-1]["messages"])
    assert "10405" in prompt
    assert "cadê o pedido 10405?" in prompt


@pytest.mark.parametrize("what", ["queue", "turn"])
async def test_what_somebody_is_using_is_left_for_the_next_round(make_desk: Make, what: str) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await other_thread(desk, "th-1", "c1", text="oi", now=clock.now())
    database = desk.services.database
    later = clock.now() + timedelta(days=400)
    if what == "queue":
        async with database.transaction() as conn:
            await queue.enqueue(
                conn, key="k", item_id="q", thread_id="th-1", kind="review", reason="review", now=clock.now()
            )
        await prune(database, DAYS, now=later)
    else:
        async with database.transaction() as conn:
            await conversations.lock(conn, "th-1")
            await asyncio.wait_for(prune(database, DAYS, now=later), 30)  # and waits for nobody
    assert (await counted(database))["messages"] == 1


async def test_an_open_item_is_not_announced_anew_after_its_announcement_went(db: Database) -> None:
    async with db.transaction() as conn:
        for number, status in enumerate(("waiting", "resolved")):
            await queue.enqueue(
                conn, key=f"k{number}", item_id=f"q{number}", thread_id=None, kind="review", reason="review", now=MONDAY
            )
            await webhooks.put(
                conn, delivery_id=f"wh-{number}", item_id=f"q{number}", event="item.queued", body={}, now=MONDAY
            )
            await webhooks.delivered(conn, f"wh-{number}", now=MONDAY)
            await conn.execute(
                "update human_queue set status = %s, resolved_at = %s where id = %s", (status, MONDAY, f"q{number}")
            )
    await prune(db, DAYS, now=MONDAY + timedelta(days=60))
    async with db.connection() as conn:
        assert [item.id for item in await webhooks.unannounced(conn)] == []
        assert (await counted(db))["webhook_deliveries"] == 1


async def test_alarms_audit_totals_and_old_erasures_go(db: Database) -> None:
    async with db.transaction() as conn:
        await record(conn, Alarm(kind="webhook", detail="x"), alarm_id="al", shop_name="x", now=MONDAY, announced=False)
        await conn.execute("update alarms set closed_at = %s", (MONDAY,))
        await conn.execute("insert into audit (at, actor, rule) values (%s, 'bot', 'x')", (MONDAY,))
        await conn.execute(
            "insert into erasures (id, subject, requested_at, done_at) values ('e', 's', %s, %s)", (MONDAY, MONDAY)
        )
        await spend.reserve(
            conn, spend_id="sp", at=MONDAY, day=MONDAY.date(), provider="x", amount_usd=Decimal(1), limits=spend.Limits(),
            customer_id="c1",
        )  # fmt: skip
    found = await prune(db, DAYS, now=MONDAY + timedelta(days=401))
    assert found == {"alarms": 1, "audit": 1, "erasures": 1, "spend_totals": 1}
    assert await prune(db, DAYS, now=MONDAY + timedelta(days=401)) == {}
    totals = {row for row in (await counted(db)).items() if row[0] in ("spend", "spend_totals")}
    assert totals == {("spend", 1), ("spend_totals", 1)}, "a day's sum is nobody's"


def test_a_wrong_number_of_days_says_which() -> None:
    with pytest.raises(ValidationError, match="dialogue cannot outlive records"):
        RetentionSettings(dialogue=2_000, records=1_000)
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        RetentionSettings(failures=0)
    with pytest.raises(ValidationError, match="mesages"):
        RetentionSettings.model_validate({"mesages": 3})


def maintenance(desk: Desk, **more: Any) -> Maintenance:
    return Maintenance(
        services=desk.services, conversation=desk.conversation, claim_timeout=timedelta(minutes=30), retention=DAYS,
        privacy=privacy_of(desk), **more,
    )  # fmt: skip


async def test_whoever_does_not_hold_the_lease_prunes_and_erases_nothing(make_desk: Make, database_url: str) -> None:
    """Two connections, as of two processes: the second finds the lease taken and does nothing."""
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await other_thread(desk, "th-1", "c1", text="oi", now=clock.now())
    clock.pass_(days=400)
    other = await Database.open(environ={"DATABASE_URL": database_url})
    async with other.transaction() as holder:
        assert await leases.try_take(holder, LEASE)
        assert await maintenance(desk).once() is None
        assert (await counted(desk.services.database))["messages"] == 1
    await other.close()
    assert await maintenance(desk).once() == Round(pruned=2)
    assert (await counted(desk.services.database))["messages"] == 0


async def test_of_two_rounds_at_once_one_does_the_work(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await other_thread(desk, "th-1", "c1", text="oi", now=clock.now())
    clock.pass_(days=400)
    done = await asyncio.gather(maintenance(desk).once(), maintenance(desk).once())
    assert sum(r.pruned for r in done if r is not None) == 2


async def test_pruning_is_for_every_hour_and_erasing_for_every_round(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    maintain = maintenance(desk)
    assert await maintain.once() == Round()
    await other_thread(desk, "th-old", "c1", text="oi", now=clock.now() - timedelta(days=400))
    await other_thread(desk, "th-1", "c2", text="oi", now=clock.now())
    async with desk.services.database.transaction() as conn:
        await queue.enqueue(
            conn, key="k", item_id="q", thread_id="th-1", kind="review", reason="review", now=clock.now()
        )
    assert (await privacy_of(desk).erase("c2")).status == "delayed"
    clock.pass_(minutes=10)
    assert await maintain.once() == Round()
    async with desk.services.database.transaction() as conn:
        await queue.withdraw(conn, "q", now=clock.now())
    assert await maintain.once() == Round(erasures=1)
    clock.pass_(minutes=55)
    assert (await maintain.once() or Round()).pruned == 2


async def test_an_erasure_that_waits_for_days_is_an_alarm(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await other_thread(desk, "th-1", "c2", text="oi", now=clock.now())
    async with desk.services.database.transaction() as conn:
        await queue.enqueue(
            conn, key="k", item_id="q", thread_id="th-1", kind="review", reason="review", now=clock.now()
        )
    await privacy_of(desk).erase("c2")
    clock.pass_(days=11)
    await maintenance(desk).once()
    (alarm,) = await rows(desk, "select kind, detail from alarms")
    assert alarm["kind"].startswith("erasure_overdue:er-")
    assert "c2" not in alarm["detail"]


async def test_a_round_that_breaks_is_an_alarm_and_not_the_last_one(make_desk: Make) -> None:
    class Broken:
        async def finish(self) -> int:
            stop.set()
            raise RuntimeError("broken for 529.982.247-25")

    desk = await make_desk({}, only("support"))
    stop = asyncio.Event()
    broken = Maintenance(
        services=desk.services, conversation=desk.conversation, claim_timeout=timedelta(minutes=30),
        privacy=Broken(),  # pyright: ignore[reportArgumentType] - it breaks
    )  # fmt: skip
    await broken.forever(every_s=0.01, stop=stop)
    (alarm,) = await rows(desk, "select kind, detail from alarms")
    assert alarm["kind"] == "maintenance"
    (failed,) = await rows(desk, "select protocol, detail from failures")
    assert failed["protocol"] in alarm["detail"]
    assert "<cpf>" in failed["detail"]
