import asyncio
from datetime import timedelta
from typing import Any

import pytest

from storage.database import Database
from storage.records import conversations, effects, queue, turns
from storage.records.effects import Claim, Claimed, Effect, Repeated, Unfinished, Unknown, effect_key
from storage.records.turns import Begun, EpochMoved, StaleFence
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, begun, conversation, kill_owner, say

KEY = effect_key(b"secret", ["open_billing_ticket", "10405", "duplicate_charge"])


async def claim(conn: Connection, turn: Begun, effect_id: str = "e-1", **changes: Any) -> Claim:
    values: dict[str, Any] = {
        "effect_id": effect_id,
        "key": KEY,
        "thread_id": turn.turn.thread_id,
        "turn_id": turn.turn.id,
        "tool": "open_billing_ticket",
        "args": {"order": "10405"},
        "fence": turn.turn.fence,
        "epoch": turn.turn.epoch,
        "now": NOW,
    }
    return await effects.claim(conn, **(values | changes))


async def start(conn: Connection, thread_id: str = THREAD) -> Begun:
    await conversation(conn, thread_id)
    await say(conn, "pode abrir", thread_id=thread_id)
    return await begun(conn, f"turn of {thread_id}", thread_id=thread_id)


async def take_over(conn: Connection, turn: Begun) -> Begun:
    await kill_owner(conn, turn.turn.id)
    return await begun(conn, "x", owner="w2", thread_id=turn.turn.thread_id)


async def the_only(conn: Connection) -> Effect:
    [effect] = await effects.of_thread(conn, THREAD)
    return effect


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),
        (["a", ""], ["a"]),
        (["a", "b"], ["b", "a"]),
        (["é"], ["e"]),
    ],
)
def test_different_acts_have_different_keys(one: list[str], other: list[str]) -> None:
    assert effect_key(b"s", one) != effect_key(b"s", other)


def test_a_key_depends_on_the_secret_and_tells_nothing() -> None:
    assert effect_key(b"s", ["10405"]) == effect_key(b"s", ["10405"])
    assert effect_key(b"s", ["10405"]) != effect_key(b"t", ["10405"])
    assert len(KEY) == 64
    assert "10405" not in KEY


async def test_the_way_from_claim_to_receipt(db: Database) -> None:
    async with db.connection() as conn:
        turn = await start(conn)
        claimed = await claim(conn, turn)
        assert isinstance(claimed, Claimed)
        marked = await turns.get(conn, turn.turn.id)
        assert marked is not None
        assert marked.first_effect_at == NOW
        assert await effects.mark_sent(conn, "e-1", fence=turn.turn.fence)
        assert (await the_only(conn)).state == "sent"
        done = await effects.settle(
            conn, "e-1", state="done", receipt={"protocol": "CB-1"}, personal={"cpf": "1"}, fence=1, now=NOW
        )
        assert (done.state, done.receipt, done.personal, done.settled_at) == (
            "done",
            {"protocol": "CB-1"},
            {"cpf": "1"},
            NOW,
        )
        assert await effects.of_turn(conn, turn.turn.id) == [done]


async def test_an_act_that_was_done_is_told_as_a_repeat_also_in_another_conversation(db: Database) -> None:
    async with db.connection() as conn:
        turn = await start(conn)
        await claim(conn, turn)
        await effects.settle(conn, "e-1", state="done", receipt={"protocol": "CB-1"}, now=NOW)
        other = await start(conn, "t-2")
        for asked in (turn, other):
            repeat = await claim(conn, asked, "e-2")
            assert isinstance(repeat, Repeated)
            assert (repeat.effect.id, repeat.effect.receipt) == ("e-1", {"protocol": "CB-1"})
        untouched = await turns.get(conn, other.turn.id)
        assert untouched is not None
        assert untouched.first_effect_at is None


async def test_a_refused_act_may_be_tried_again_and_belongs_to_who_tries(db: Database) -> None:
    async with db.connection() as conn:
        await claim(conn, await start(conn))
        await effects.settle(conn, "e-1", state="refused", receipt={"because": "order_changed"}, now=NOW)
        other = await start(conn, "t-2")
        again = await claim(conn, other, "e-2", args={"order": "10405", "n": 2})
    assert isinstance(again, Claimed)
    effect = again.effect
    assert (effect.id, effect.thread_id, effect.turn_id) == ("e-1", "t-2", other.turn.id)
    assert (effect.state, effect.attempts, effect.receipt, effect.args) == (
        "claimed",
        2,
        None,
        {"order": "10405", "n": 2},
    )


async def test_an_act_that_nobody_knows_the_end_of_is_never_claimed_again(db: Database) -> None:
    async with db.connection() as conn:
        turn = await start(conn)
        await claim(conn, turn)
        await effects.settle(conn, "e-1", state="unknown", now=NOW)
        assert isinstance(await claim(conn, turn, "e-2"), Unknown)
        found_out = await effects.settle(conn, "e-1", state="done", receipt={"protocol": "CB-1"}, now=NOW)
        assert found_out.state == "done"
        assert isinstance(await claim(conn, turn, "e-2"), Repeated)


@pytest.mark.parametrize("sent", [False, True])
async def test_what_a_dead_turn_left_unfinished_goes_to_who_takes_over(db: Database, sent: bool) -> None:
    async with db.connection() as conn:
        dead = await start(conn)
        await claim(conn, dead)
        if sent:
            await effects.mark_sent(conn, "e-1", fence=dead.turn.fence)
        heir = await take_over(conn, dead)
        found = await claim(conn, heir, "e-2")
        assert isinstance(found, Unfinished)
        assert (found.effect.id, found.effect.fence, found.effect.attempts) == ("e-1", heir.turn.fence, 2)
        assert found.effect.state == ("sent" if sent else "claimed")
        assert not await effects.mark_sent(conn, "e-1", fence=dead.turn.fence)
        assert await effects.mark_sent(conn, "e-1", fence=heir.turn.fence)


@pytest.mark.parametrize(("state", "stands"), [("refused", "claimed"), ("unknown", "claimed"), ("done", "done")])
async def test_from_an_owner_that_was_taken_over_only_proof_counts(db: Database, state: Any, stands: str) -> None:
    async with db.connection() as conn:
        dead = await start(conn)
        await claim(conn, dead)
        await claim(conn, await take_over(conn, dead))
        settled = await effects.settle(conn, "e-1", state=state, fence=dead.turn.fence, now=NOW)
    assert settled.state == stands


@pytest.mark.parametrize("state", ["refused", "unknown", "done"])
async def test_done_is_final(db: Database, state: Any) -> None:
    async with db.connection() as conn:
        await claim(conn, await start(conn))
        done = await effects.settle(conn, "e-1", state="done", receipt={"protocol": "CB-1"}, now=NOW)
        assert await effects.settle(conn, "e-1", state=state, receipt={"protocol": "CB-2"}, now=NOW) == done
        with pytest.raises(LookupError):
            await effects.settle(conn, "nothing", state="done", now=NOW)


async def test_whoever_may_not_act_claims_nothing(db: Database) -> None:
    async with db.connection() as conn:
        turn = await start(conn)
        with pytest.raises(StaleFence):
            await claim(conn, turn, fence=turn.turn.fence + 1)
        with pytest.raises(StaleFence):
            await claim(conn, turn, turn_id="nobody")
        await conversations.bump_epoch(conn, THREAD, held_by="op-1", now=NOW)
        with pytest.raises(EpochMoved):
            await claim(conn, turn)
        await kill_owner(conn, turn.turn.id)
        with pytest.raises(StaleFence):
            await claim(conn, turn, epoch=1)
        assert await effects.of_thread(conn, THREAD) == []
        stored = await turns.get(conn, turn.turn.id)
        assert stored is not None
        assert stored.first_effect_at is None


async def test_of_two_conversations_that_claim_the_same_act_at_once_one_begins_it(db: Database) -> None:
    async with db.connection() as conn:
        asking = [await start(conn, f"t-{n}") for n in range(1, 7)]

    async def try_it(turn: Begun) -> Claim:
        async with db.connection() as conn:
            return await claim(conn, turn, f"e of {turn.turn.thread_id}")

    answers = await asyncio.gather(*(try_it(turn) for turn in asking))
    assert sum(isinstance(answer, Claimed) for answer in answers) == 1
    assert sum(isinstance(answer, Unfinished) for answer in answers) == 5
    assert len({answer.effect.id for answer in answers}) == 1


async def test_what_ended_turns_left_is_somebodys_to_ask_and_what_a_person_closed_is_not(db: Database) -> None:
    async with db.connection() as conn:

        async def left() -> list[str]:
            return [effect.id for effect in await effects.unsettled(conn, before=NOW + timedelta(hours=1))]

        turn = await start(conn)
        await claim(conn, turn)
        assert await left() == [], "a running turn's effects are its own"
        await turns.end(conn, turn.turn.id, fence=turn.turn.fence, status="failed", now=NOW)
        assert await left() == ["e-1"]
        assert await effects.unsettled(conn, before=NOW) == [], "not yet"
        await effects.settle(conn, "e-1", state="unknown", now=NOW)
        assert await left() == ["e-1"], "nobody was called yet"
        item = await queue.enqueue(
            conn, key="unknown:e-1", item_id="q-1", thread_id=THREAD, kind="conversation", reason="x", now=NOW
        )
        assert await left() == ["e-1"], "it may still turn up"
        await queue.resolve(conn, item.id, operator="bia", now=NOW)
        assert await left() == [], "a person closed it"
        found = await effects.unsettled(conn, before=NOW + timedelta(hours=1), doubted_since=NOW)
        assert [effect.id for effect in found] == ["e-1"], "and did not say what happened"
        await effects.settle(conn, "e-1", state="refused", now=NOW)
        assert await effects.unsettled(conn, before=NOW + timedelta(hours=1), doubted_since=NOW) == []


async def test_what_is_unknown_waits_behind_what_nobody_asked_about(db: Database) -> None:
    async with db.connection() as conn:
        for number in (1, 2):
            turn = await start(conn, f"t-{number}")
            await claim(conn, turn, f"e-{number}", key=f"key-{number}")
            await turns.end(conn, turn.turn.id, fence=turn.turn.fence, status="failed", now=NOW)
        await effects.settle(conn, "e-1", state="unknown", now=NOW)
        found = await effects.unsettled(conn, before=NOW + timedelta(hours=1), limit=1)
    assert [effect.id for effect in found] == ["e-2"]
