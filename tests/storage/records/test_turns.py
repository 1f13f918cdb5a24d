import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from storage.database import Database
from storage.records import conversations, messages, turns
from storage.records.turns import Begun, Busy, EpochMoved, NothingToTake, StaleFence
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, begun, conversation, kill_owner, process, say

BEGIN = """
import asyncio, os, sys
from datetime import UTC, datetime
from storage.database import Database
from storage.records import turns

async def main():
    database = await Database.open(environ=os.environ)
    async with database.connection() as conn:
        answer = await turns.begin(
            conn, "t-1", owner=sys.argv[1], turn_id=sys.argv[1], lease_s=60, now=datetime.now(UTC)
        )
    print(type(answer).__name__, getattr(answer, "turn_id", ""), len(getattr(answer, "messages", ())))
    await database.close()

asyncio.run(main())
"""


def texts(answer: Begun) -> list[str]:
    return [message.text for message in answer.messages]


async def end(conn: Connection, answer: Begun, status: turns.Ending = "replied", **values: Any) -> turns.Turn:
    return await turns.end(conn, answer.turn.id, fence=answer.turn.fence, status=status, now=NOW, **values)


async def test_a_turn_takes_every_message_that_waits_and_only_those_of_the_customer(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "me manda o código pix")
        await messages.add(conn, THREAD, message_id="op", role="operator", author="op-1", text="olá", now=NOW)
        await say(conn, "meu cpf é …")
        answer = await begun(conn)
        assert texts(answer) == ["me manda o código pix", "meu cpf é …"]
        assert not answer.rerun
        turn = answer.turn
        assert (turn.number, turn.fence, turn.epoch, turn.attempts, turn.status) == (1, 1, 0, 1, "running")
        await end(conn, answer, reply="aqui está")
        await say(conn, "valeu")
        second = await begun(conn, "turn-2")
        assert texts(second) == ["valeu"]
        assert (second.turn.number, second.turn.fence) == (2, 2)


async def test_while_one_owner_works_the_others_are_told_until_when(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        first = await begun(conn)
        await say(conn, "tem alguém aí?")
        busy = await turns.begin(conn, THREAD, owner="w2", turn_id="turn-2", lease_s=60, now=NOW)
    assert busy == Busy(turn_id="turn-1", lease_until=first.turn.lease_until)


async def test_without_a_message_there_is_nothing_to_take(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        assert isinstance(await turns.begin(conn, THREAD, owner="w", turn_id="t", lease_s=60, now=NOW), NothingToTake)
        with pytest.raises(LookupError):
            await turns.begin(conn, "nobody", owner="w", turn_id="t", lease_s=60, now=NOW)


async def test_of_twelve_that_begin_at_once_one_does(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")

    async def begin(n: int) -> object:
        async with db.connection() as conn:
            return await turns.begin(conn, THREAD, owner=f"w{n}", turn_id=f"turn-{n}", lease_s=60, now=NOW)

    answers = await asyncio.gather(*(begin(n) for n in range(12)))
    assert sum(isinstance(answer, Begun) for answer in answers) == 1
    assert sum(isinstance(answer, Busy) for answer in answers) == 11


@pytest.mark.slow
async def test_of_two_processes_that_begin_at_once_one_does(db: Database, database_url: str) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        for n in range(3):
            await say(conn, f"m{n}")
    runs = await asyncio.gather(*(process(BEGIN, name, database_url=database_url) for name in ("p1", "p2")))
    assert [code for code, _ in runs] == [0, 0], runs
    async with db.connection() as conn:
        winner = await turns.running(conn, THREAD)
    assert winner is not None
    assert sorted(output.split() for _, output in runs) == [["Begun", "3"], ["Busy", winner.id, "0"]]


async def test_a_dead_turn_is_run_again_with_what_came_since(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "cadê o 10405?")
        dead = await begun(conn)
        await say(conn, "alô?")
        await conversations.bump_epoch(conn, THREAD, held_by=None, now=NOW)
        await kill_owner(conn, "turn-1")
        assert [turn.id for turn in await turns.expired(conn)] == ["turn-1"]
        again = await begun(conn, "turn-2", owner="w2")
        assert again.rerun
        assert texts(again) == ["cadê o 10405?", "alô?"]
        turn = again.turn
        assert (turn.id, turn.number, turn.owner, turn.attempts) == ("turn-1", 1, "w2", 2)
        assert (turn.fence, turn.epoch) == (dead.turn.fence + 1, 1)
        assert await turns.expired(conn) == []
        assert isinstance(await turns.begin(conn, THREAD, owner="w3", turn_id="x", lease_s=60, now=NOW), Busy)


async def test_an_owner_that_comes_back_after_its_lease_may_do_nothing(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        late = await begun(conn)
        await kill_owner(conn, "turn-1")
        for _ in ("nobody took it over yet", "somebody did"):
            beat = await turns.heartbeat(conn, "turn-1", fence=late.turn.fence, lease_s=60)
            assert not beat.ok
            with pytest.raises(StaleFence):
                await turns.check(conn, "turn-1", fence=late.turn.fence, epoch=late.turn.epoch)
            with pytest.raises(StaleFence):
                await turns.end(conn, "turn-1", fence=1, epoch=0, status="replied", reply="tarde", now=NOW)
            owned = await turns.begin(conn, THREAD, owner="w2", turn_id="x", lease_s=60, now=NOW)
        assert isinstance(owned, Busy)
        with pytest.raises(StaleFence):
            await end(conn, late, "failed")
        stored = await turns.get(conn, "turn-1")
        assert stored is not None
        assert (stored.status, stored.reply) == ("running", None)


async def test_heartbeats_extend_the_lease_and_bring_the_stop_mark_and_the_epoch(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        answer = await begun(conn, lease_s=5)
        first = await turns.heartbeat(conn, "turn-1", fence=1, lease_s=60)
        assert (first.ok, first.stop_requested, first.epoch) == (True, False, 0)
        extended = await turns.get(conn, "turn-1")
        assert extended is not None
        assert extended.lease_until - answer.turn.lease_until > timedelta(seconds=50)
        assert await turns.request_stop(conn, "turn-1")
        await conversations.bump_epoch(conn, THREAD, held_by="op-1", now=NOW)
        second = await turns.heartbeat(conn, "turn-1", fence=1, lease_s=60)
        assert (second.ok, second.stop_requested, second.epoch) == (True, True, 1)
        assert not (await turns.heartbeat(conn, "turn-1", fence=2, lease_s=60)).ok
        await end(conn, answer, "interrupted")
        assert not (await turns.heartbeat(conn, "turn-1", fence=1, lease_s=60)).ok
        assert not await turns.request_stop(conn, "turn-1")


async def test_a_reply_that_a_person_overtook_is_discarded_and_kept(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        answer = await begun(conn)
        await conversations.bump_epoch(conn, THREAD, held_by="op-1", now=NOW)

        async def commit() -> None:
            async with conn.transaction():
                await messages.add(
                    conn, THREAD, message_id="r", role="agent", text="resposta", turn_id="turn-1", now=NOW
                )
                await turns.end(conn, "turn-1", fence=1, epoch=answer.turn.epoch, status="replied", now=NOW)

        with pytest.raises(EpochMoved):
            await commit()
        assert await messages.get(conn, THREAD, "r") is None
        held = await end(conn, answer, "held", discarded_reply="resposta")
        assert (held.status, held.reply, held.discarded_reply) == ("held", None, "resposta")


async def test_a_person_waits_for_a_commit_at_most_and_never_comes_in_between(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        answer = await begun(conn)

    async def speak() -> int:
        async with db.connection() as conn:
            return await conversations.bump_epoch(conn, THREAD, held_by="op-1", now=NOW)

    async with db.transaction() as conn:
        await turns.check(conn, "turn-1", fence=1, epoch=0)
        person = asyncio.create_task(speak())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(person), timeout=0.1)
        ended = await turns.end(conn, "turn-1", fence=1, epoch=0, status="replied", reply="ok", now=NOW)
    assert await person == 1
    assert ended.status == "replied"
    assert answer.turn.epoch == 0


async def test_an_interrupted_turn_gives_its_messages_back_to_the_next_one(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "cancela tudo")
        answer = await begun(conn)
        await end(conn, answer, "interrupted")
        assert await turns.of_message(conn, THREAD, "cancela tudo") is None
        alone = await turns.begin(conn, THREAD, owner="w", turn_id="turn-2", lease_s=60, now=NOW)
        assert isinstance(alone, NothingToTake)
        assert await turns.waiting(conn, before=NOW.replace(hour=20)) == []
        await say(conn, "não, espera")
        assert texts(await begun(conn, "turn-2")) == ["cancela tudo", "não, espera"]


async def test_a_turn_whose_owner_died_while_it_was_stopped_is_not_run_again(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        await begun(conn)
        await turns.request_stop(conn, "turn-1")
        await kill_owner(conn, "turn-1")
        answer = await turns.begin(conn, THREAD, owner="w2", turn_id="turn-2", lease_s=60, now=NOW)
        assert isinstance(answer, NothingToTake)
        stopped = await turns.get(conn, "turn-1")
        assert stopped is not None
        assert stopped.status == "interrupted"


async def test_one_that_had_begun_to_act_is_run_again_all_the_same(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        await begun(conn)
        await turns.mark_effect(conn, "turn-1", now=NOW)
        await turns.mark_effect(conn, "turn-1", now=NOW.replace(hour=20))
        await turns.request_stop(conn, "turn-1")
        await kill_owner(conn, "turn-1")
        again = await begun(conn, "turn-2")
        assert (again.turn.id, again.rerun, again.turn.first_effect_at) == ("turn-1", True, NOW)
        assert not again.turn.stop_requested


async def test_a_failed_turn_is_run_again_when_its_message_comes_again_and_only_then(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        failed = await begun(conn)
        await end(conn, failed, "failed", reply="desculpe", error_protocol="ER-1")
        alone = await turns.begin(conn, THREAD, owner="w", turn_id="turn-2", lease_s=60, now=NOW)
        assert isinstance(alone, NothingToTake)
        again = await turns.reopen_failed(conn, THREAD, "oi", owner="w2", lease_s=60)
        assert isinstance(again, Begun)
        turn = again.turn
        assert (turn.id, turn.status, turn.fence, turn.attempts, again.rerun) == ("turn-1", "running", 2, 1, True)
        assert (turn.reply, turn.error_protocol, turn.ended_at) == (None, None, None)
        assert texts(again) == ["oi"]
        assert isinstance(await turns.reopen_failed(conn, THREAD, "oi", owner="w3", lease_s=60), NothingToTake)
        with pytest.raises(StaleFence):
            await end(conn, failed)
        await end(conn, again, reply="pronto")
        assert isinstance(await turns.reopen_failed(conn, THREAD, "oi", owner="w3", lease_s=60), NothingToTake)


async def test_a_failed_turn_waits_for_the_one_that_runs(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        await end(conn, await begun(conn), "failed")
        await say(conn, "alô")
        await begun(conn, "turn-2")
        busy = await turns.reopen_failed(conn, THREAD, "oi", owner="w2", lease_s=60)
    assert isinstance(busy, Busy)
    assert busy.turn_id == "turn-2"


async def test_an_operators_action_is_a_turn_that_takes_no_message(db: Database) -> None:
    action = {"kind": "approve", "proposal": "p-1", "operator": "op-1"}
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        answer = await turns.begin(conn, THREAD, owner="w", turn_id="turn-1", lease_s=60, now=NOW, action=action)
        assert isinstance(answer, Begun)
        assert (answer.turn.action, answer.messages) == (action, ())
        await kill_owner(conn, "turn-1")
        again = await begun(conn, "x")
        assert (again.turn.id, again.turn.action, again.messages, again.rerun) == ("turn-1", action, (), True)
        await end(conn, again)
        assert texts(await begun(conn, "turn-2")) == ["oi"]


async def test_everything_that_a_turn_leaves_behind_is_read_back(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        answer = await begun(conn)
        async with conn.transaction():
            ended = await turns.end(
                conn,
                "turn-1",
                fence=1,
                epoch=0,
                status="replied",
                reply="olá",
                reply_message_id="r",
                trail=[{"node": "classify", "reason": "courtesy"}],
                decision={"target": "courtesy", "probabilities": {"a": 0.25}},
                cost_usd=0.000123,
                tokens={"input": 10},
                versions={"prompt": "abc"},
                contact_id="k-1",
                now=NOW,
            )
            await messages.add(conn, THREAD, message_id="r", role="agent", text="olá", turn_id="turn-1", now=NOW)
        assert await turns.get(conn, "turn-1") == ended
        assert await turns.of_message(conn, THREAD, "oi") == ended
        assert [message.role for message in await messages.of_turn(conn, "turn-1")] == ["customer", "agent"]
        assert (ended.cost_usd, ended.tokens, ended.contact_id) == (Decimal("0.000123"), {"input": 10}, "k-1")
        assert ended.trail[0]["reason"] == "courtesy"
        assert ended.decision == {"target": "courtesy", "probabilities": {"a": 0.25}}
        assert ended.started_at == answer.turn.started_at
        with pytest.raises(StaleFence):
            await end(conn, answer, reply="outra")


async def test_the_trail_is_the_last_turns_in_order(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        for n in range(1, 5):
            await say(conn, f"m{n}")
            await end(conn, await begun(conn, f"turn-{n}"))
        assert [turn.number for turn in await turns.trail(conn, THREAD, limit=3)] == [2, 3, 4]
        assert await turns.running(conn, THREAD) is None


async def test_a_message_whose_sender_died_before_its_turn_is_found(db: Database) -> None:
    async with db.connection() as conn:
        for thread in ("busy", "left", "young"):
            await conversation(conn, thread)
        await say(conn, "oi", thread_id="busy")
        await begun(conn, thread_id="busy")
        for thread in ("busy", "left"):
            await say(conn, "alô", thread_id=thread)
        await messages.add(conn, "young", message_id="m", role="customer", text="oi", now=NOW.replace(minute=9))
        assert await turns.waiting(conn, before=NOW.replace(minute=8)) == ["left"]


async def test_the_database_itself_allows_one_running_turn_per_conversation(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await say(conn, "oi")
        await begun(conn)
        with pytest.raises(psycopg.errors.UniqueViolation):
            await conn.execute(
                "insert into turns (id, thread_id, number, owner, fence, epoch, lease_until, started_at)"
                " values ('x', %s, 2, 'w', 2, 0, now(), now())",
                (THREAD,),
            )
