"""A customer's copy of everything, and being forgotten: found in every column of every table, also those still to come."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from ops.privacy import Erasure, lines_of
from routing.ports import ShopUnavailable
from storage.records import conversations, effects, erasing, messages, queue
from storage.records.holdings import NOBODYS, STORES, tables
from storage.records.turns import Begun, begin
from tests.graph.acting import MONDAY, SetClock, meanwhile, rows, said
from tests.graph.conftest import C2, Desk, Make, reply_of
from tests.graph.conftest import make_desk as make_desk
from tests.ops.lived import VALUES, counted, everything, lived, names, other_thread, privacy_of, traces

C1_ID = "c1"


def receipt(erasure: Erasure, store: str) -> tuple[int, int, int]:
    found = next(r for r in erasure.stores if r.store == store)
    return found.found, found.erased, found.kept


async def test_every_table_has_a_plan(make_desk: Make) -> None:
    desk = await make_desk({}, lambda m, e: "support")
    async with desk.services.database.connection() as conn:
        there = await tables(conn)
    planned = [store.table for store in STORES]
    assert sorted([*planned, *NOBODYS]) == sorted(there), "name the new table in storage/records/holdings.py"
    assert len(planned) == len(set(planned))


async def test_erasing_leaves_nothing_of_a_customer_in_any_column(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await lived(make_desk, clock)
    await other_thread(desk, "th-other", "c2", text="Bruno Carvalho, 111.444.777-35", now=clock.now())
    database = desk.services.database
    before = await everything(database)
    spread = {column.partition(".")[0] for column, _ in traces(before, VALUES)}
    assert spread >= {
        "messages", "turns", "facts", "packages", "commitments", "human_queue", "checkpoint_blobs", "effects",
        "failures", "conversations", "proposals",
    }, "the customer is everywhere before"  # fmt: skip
    assert {column.partition(".")[0] for column in names(before, C1_ID)} >= {
        "conversations",
        "messages",
        "spend",
        "audit",
    }
    clock.pass_(days=1)

    erasure = await privacy_of(desk).erase(C1_ID)

    assert erasure.status == "erased", lines_of(erasure)
    after = await everything(database)
    assert traces(after, VALUES) == []
    assert names(after, C1_ID) == []
    assert names(after, desk.thread_id) == []
    assert traces(after, ["Bruno Carvalho", "111.444.777-35"]), "others' stay"


async def test_what_the_law_wants_kept_is_kept_without_anybody_in_it(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await lived(make_desk, clock)
    protocols = {row["p"] for row in await rows(desk, "select receipt ->> 'protocol' as p from effects")}
    contacts = await rows(desk, "select protocol from contacts")
    before = await counted(desk.services.database)

    erasure = await privacy_of(desk).erase(C1_ID)

    kept = await rows(desk, "select args, personal, receipt, state, tool from effects")
    assert {row["receipt"]["protocol"] for row in kept} == protocols
    assert all((row["args"], row["personal"]) == ({}, None) and row["state"] == "done" for row in kept)
    assert await rows(desk, "select protocol from contacts") == contacts
    assert (await rows(desk, "select text from commitments"))[0]["text"] == (
        "<name>, te ligo no <phone> até quarta sobre a entrega na <address>."
    )
    assert [row["status"] for row in await rows(desk, "select status from follow_ups")] == ["open"]
    assert "wrong" not in str(await rows(desk, "select rule, detail from audit where rule = 'foreign_order'"))
    assert await rows(desk, "select rule from audit where rule = 'foreign_order'"), "a refusal stays"
    assert (await rows(desk, "select detail from failures"))[0]["detail"] == "<erased>"
    assert await rows(desk, "select 1 as n from spend where thread_id is not null or customer_id is not null") == []
    after = await counted(desk.services.database)
    for table in (
        "effects",
        "contacts",
        "turns",
        "commitments",
        "follow_ups",
        "human_queue",
        "failures",
        "spend",
        "proposals",
    ):
        assert (after[table], receipt(erasure, table)) == (before[table], (before[table], 0, before[table])), table
    for table in (
        "messages",
        "facts",
        "packages",
        "checkpoints",
        "checkpoint_blobs",
        "webhook_deliveries",
        "spend_totals",
    ):
        gone = receipt(erasure, table)
        assert gone[0] == gone[1] > 0, table
    assert [after[table] for table in ("messages", "facts", "packages", "checkpoints", "checkpoint_blobs")] == [0] * 5
    assert all(r.why for r in erasure.stores if r.kept)


async def test_erasing_twice_finds_nothing_the_second_time(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(MONDAY))
    first = await privacy_of(desk).erase(C1_ID)
    lasting = await counted(desk.services.database)
    second = await privacy_of(desk).erase(C1_ID)
    assert (first.status, second.status) == ("erased", "nothing_held")
    assert second.erased_before == first.at
    assert await counted(desk.services.database) == lasting
    assert await privacy_of(desk).finish() == 0


async def test_an_act_stays_the_same_act_after_its_customer_was_erased(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(MONDAY))
    key = (await rows(desk, "select key from effects order by claimed_at"))[0]["key"]
    await privacy_of(desk).erase(C1_ID)
    assert key in {row["key"] for row in await rows(desk, "select key from effects")}


async def test_the_erased_customer_may_come_back_under_the_same_ids(make_desk: Make) -> None:
    desk = await lived(make_desk, SetClock(MONDAY))
    await privacy_of(desk).erase(C1_ID)
    desk.models.models["support"].script.append("Olá de novo.")
    await desk.say("oi, cadê o pedido 10405?")
    assert (await said(desk))[0].text == "oi, cadê o pedido 10405?"


@pytest.mark.parametrize("reason", ["turn_running", "message_waiting", "queue_item_open", "effect_unsettled"])
async def test_what_is_open_delays_it_and_maintenance_carries_it_out(make_desk: Make, reason: str) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, lambda m, e: "support", clock=clock)
    await other_thread(desk, "th-open", C1_ID, text="Ana Souza", now=clock.now())
    await other_thread(desk, "th-done", C1_ID, text="Ana Souza", now=clock.now())
    await other_thread(desk, "th-other", "c2", text="Bruno Carvalho", now=clock.now())
    await open_up(desk, "th-open", reason)

    delayed = await privacy_of(desk).erase(C1_ID)

    assert delayed.status == "delayed"
    assert [(d.thread_id, d.because) for d in delayed.waiting] == [("th-open", reason)]
    assert await threads(desk) == ["th-open", "th-other"], "what is not open is erased at once"
    assert receipt(delayed, "facts") == (2, 1, 1)
    assert "delays it" in str(next(r.why for r in delayed.stores if r.store == "facts"))
    assert await privacy_of(desk).finish() == 0
    await close_up(desk)
    clock.pass_(hours=1)
    await other_thread(desk, "th-newer", C1_ID, text="Ana Souza again", now=clock.now())
    assert await privacy_of(desk).finish() == 1
    assert await threads(desk) == ["th-newer", "th-other"], "what came after the request is not part of it"
    assert (await rows(desk, "select customer_id from erasures"))[0]["customer_id"] is None


async def threads(desk: Desk) -> list[str]:
    found = await rows(desk, "select thread_id from conversations where customer_id in ('c1', 'c2') order by 1")
    return [row["thread_id"] for row in found]


async def open_up(desk: Desk, thread_id: str, reason: str) -> None:
    now = desk.services.clock.now()
    async with desk.services.database.transaction() as conn:
        if reason == "queue_item_open":
            await queue.enqueue(
                conn, key="k", item_id="q-1", thread_id=thread_id, kind="review", reason="review", now=now
            )
            return
        await messages.add(conn, thread_id, message_id="m-9", role="customer", text="e aí?", now=now)
        if reason == "message_waiting":
            return
        begun = await begin(conn, thread_id, owner="w", turn_id="t-1", lease_s=60, now=now)
        assert isinstance(begun, Begun)
        if reason == "effect_unsettled":
            await effects.claim(
                conn, effect_id="ef-1", key="key", thread_id=thread_id, turn_id="t-1", tool="cancel_order", args={},
                fence=begun.turn.fence, epoch=begun.turn.epoch, now=now,
            )  # fmt: skip
            await conn.execute("update turns set status = 'failed' where id = 't-1'")


async def close_up(desk: Desk) -> None:
    async with desk.services.database.transaction() as conn:
        await conn.execute("update turns set status = 'failed'")
        await conn.execute("update messages set given_back = true")
        await conn.execute("update human_queue set status = 'resolved'")
        await conn.execute("update effects set state = 'refused'")


async def test_a_message_that_comes_while_its_conversation_is_erased_begins_a_new_one(make_desk: Make) -> None:
    """The erasing transaction holds the row: whoever stores meanwhile waits, and never writes into what was just emptied."""
    clock = SetClock(MONDAY)
    desk = await make_desk({}, lambda m, e: "support", clock=clock)
    await other_thread(desk, "th-1", C1_ID, text="Ana Souza", now=clock.now())
    database = desk.services.database

    async def store() -> None:
        async with database.transaction() as conn:
            await conversations.ensure(conn, "th-1", customer_id=C1_ID, channel="web", brand="demo", now=clock.now())
            await messages.add(conn, "th-1", message_id="m-2", role="customer", text="oi", now=clock.now())

    async with database.transaction() as conn:
        assert await erasing.lock_for_good(conn, "th-1", customer_id=C1_ID)
        storing = asyncio.create_task(store())
        await waits_for_a_lock(desk)
        await erasing.move_out(conn, "th-1", to="erased-1", alias="erased-x", mask=str, now=clock.now())
    await storing
    assert [row["seq"] for row in await rows(desk, "select seq from messages where thread_id = 'th-1'")] == [1]
    assert await rows(desk, "select 1 as n from messages where thread_id = 'erased-1'") == []


async def waits_for_a_lock(desk: Desk) -> None:
    for _ in range(500):
        waiting = await rows(
            desk, "select 1 as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        if waiting:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nobody waited")


async def test_an_export_holds_everything_that_is_found(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await lived(make_desk, clock)
    await other_thread(desk, "th-other", "c2", text="Bruno Carvalho", now=clock.now())
    before = await counted(desk.services.database)
    exported = await privacy_of(desk).export(C1_ID)
    text = exported.as_json()
    assert [value for value in VALUES if value not in text and not value.isdigit()] == []
    assert "Bruno" not in text
    assert set(json.loads(text)["stores"]) >= {store.table for store in STORES if store.fate != "elsewhere"} - {
        "checkpoint_writes", "erasures",
    }  # fmt: skip
    held = {name: len(found) for name, found in exported.stores.items()}
    for table in (
        "turns",
        "packages",
        "effects",
        "checkpoints",
        "checkpoint_blobs",
        "human_queue",
        "failures",
        "contacts",
    ):
        assert held[table] == before[table], table
    dialogue = [row["blob"] for row in exported.stores["checkpoint_blobs"] if row["channel"] == "dialogue"]
    assert any("Ana Souza" in str(blob) for blob in dialogue), "checkpoints are decoded"
    assert {"customers", "orders"} <= {name.partition(".")[2] for name in held if name.startswith("shop.")}
    assert (await rows(desk, "select rule from audit where actor = 'privacy'"))[0]["rule"] == "exported"


async def test_nobody_leaves_nothing(make_desk: Make) -> None:
    desk = await make_desk({}, lambda m, e: "support")
    assert (await privacy_of(desk).export("nobody")).stores == {}
    assert (await privacy_of(desk).erase("nobody")).status == "nothing_held"
    assert await rows(desk, "select 1 as n from erasures") == []


async def test_other_peoples_turns_go_on_while_somebody_is_erased(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    erased: list[Erasure] = []

    def answer(messages: object, kwargs: object) -> str:
        between()
        return "Está a caminho."

    desk = await make_desk({"support": answer}, lambda m, e: "support", clock=clock)
    await other_thread(desk, "th-1", C1_ID, text="Ana Souza", now=clock.now())

    async def erase() -> None:
        erased.append(await privacy_of(desk).erase(C1_ID))

    between = meanwhile(erase)
    assert reply_of(await desk.say("cadê o pedido 10412?", customer=C2)) == "Está a caminho."
    assert [erasure.status for erasure in erased] == ["erased"]


async def test_a_turn_that_runs_is_not_disturbed_and_its_conversation_is_erased_after_it(make_desk: Make) -> None:
    erased: list[Erasure] = []

    def answer(messages: object, kwargs: object) -> str:
        between()
        return "Está a caminho."

    desk = await make_desk({"support": answer}, lambda m, e: "support", clock=SetClock(MONDAY))

    async def erase() -> None:
        erased.append(await privacy_of(desk).erase(C1_ID))

    between = meanwhile(erase)
    assert reply_of(await desk.say("cadê o pedido 10405?")) == "Está a caminho."
    assert [[delay.because for delay in erasure.waiting] for erasure in erased] == [["turn_running"]]
    assert await privacy_of(desk).finish() == 1
    assert await rows(desk, "select 1 as n from messages") == []


async def test_without_the_order_system_nobody_knows_the_names_so_nothing_is_erased_yet(make_desk: Make) -> None:
    desk = await make_desk({}, lambda m, e: "support", clock=SetClock(MONDAY))
    await other_thread(desk, "th-1", C1_ID, text="Ana Souza", now=desk.services.clock.now())
    privacy = privacy_of(desk)
    with pytest.raises(ShopUnavailable):
        await replace(privacy, shop=Down()).erase(C1_ID)
    assert await replace(privacy, shop=Down()).finish() == 0
    assert await threads(desk) == ["th-1"]
    assert await privacy.finish() == 1
    assert await threads(desk) == []


class Down:
    """An order system that does not answer."""

    def __getattr__(self, name: str) -> Any:
        async def fail(*args: Any) -> None:
            raise ShopUnavailable

        return fail
