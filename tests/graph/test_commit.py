"""The single commit: reply, trail and checkpoint together, or none of them; and one owner at a time."""

import asyncio
from datetime import UTC, datetime

import pytest

from graph.limits import Limits
from graph.people import PersonAction
from ops.reading import history, trail
from storage.records import turns
from storage.records.conversations import NotYours
from tests.graph.conftest import C1, C2, Desk, Make, of, reply_of
from tests.scripted import call


def support(message: str, exchange: object) -> str:
    return "support"


async def counts(desk: Desk) -> tuple[int, int]:
    """Return how many replies and how many checkpoints the conversation has."""
    async with desk.services.database.connection() as conn:
        replies = await (
            await conn.execute(
                "select count(*) as n from messages where thread_id = %s and role = 'agent'", (desk.thread_id,)
            )
        ).fetchone()
        saved = await (
            await conn.execute("select count(*) as n from checkpoints where thread_id = %s", (desk.thread_id,))
        ).fetchone()
    assert replies is not None
    assert saved is not None
    return replies["n"], saved["n"]


async def test_one_checkpoint_a_turn_with_its_reply(make_desk: Make) -> None:
    desk = await make_desk({"support": [call("lookup_order", order="10405"), "Um.", "Dois."]}, support)
    await desk.say("cadê o 10405?")
    assert await counts(desk) == (1, 1)
    await desk.say("e agora?")
    assert await counts(desk) == (2, 2)


async def test_a_rollback_leaves_neither_reply_nor_checkpoint(make_desk: Make) -> None:
    """Break the last statement of the transaction from outside: a check constraint on the table of contacts."""
    desk = await make_desk({"support": ["Nunca visto.", "Agora sim."]}, support)
    async with desk.services.database.connection() as conn:
        await conn.execute("alter table conversations add constraint broken check (language is null)")
    events = await desk.say("cadê?", message_id="m-1")
    assert "Nunca visto." not in str(events)
    assert of(events, "done")[0].status == "failed"
    replies, saved = await counts(desk)
    assert saved == 0
    assert replies == 1  # the apology
    async with desk.services.database.connection() as conn:
        await conn.execute("alter table conversations drop constraint broken")
    assert reply_of(await desk.say("cadê?", message_id="m-1")) == "Agora sim."


async def test_eight_messages_at_once_are_all_kept_and_answered_once(make_desk: Make) -> None:
    desk = await make_desk({"support": lambda messages, kwargs: f"li: {messages[-1].text}"}, support)
    results = await asyncio.gather(*(desk.say(f"mensagem {i}") for i in range(8)))
    lines = await history(desk.services.database, desk.thread_id, customer=C1)
    asked = [line for line in lines if line.role == "customer"]
    answers = [line.text for line in lines if line.role == "agent"]
    assert sorted(line.text for line in asked) == [f"mensagem {i}" for i in range(8)]
    for i in range(8):
        assert sum(f"mensagem {i}" in answer for answer in answers) == 1, answers
    assert all(of(events, "done")[0].status == "replied" for events in results)


async def test_an_owner_that_lost_its_lease_commits_nothing(make_desk: Make) -> None:
    """While it decides, another process takes the turn over: the first one ends without a trace."""
    desk = await make_desk({"support": ["Tarde demais."]}, support, limits=Limits(wait_s=1))

    async def steal() -> None:
        async with desk.services.database.connection() as conn:
            await conn.execute(
                "update turns set lease_until = now() - interval '1 minute' where thread_id = %s", (desk.thread_id,)
            )
            taken = await turns.begin(
                conn, desk.thread_id, owner="another", turn_id="t-other", lease_s=60, now=datetime.now(UTC)
            )
        assert isinstance(taken, turns.Begun)
        assert taken.rerun

    desk.decider.meanwhile = steal
    events = await desk.say("cadê?")
    async with desk.services.database.connection() as conn:
        row = await (
            await conn.execute("select status, owner, reply from turns where thread_id = %s", (desk.thread_id,))
        ).fetchone()
    assert row is not None
    assert (row["status"], row["owner"], row["reply"]) == ("running", "another", None)
    assert await counts(desk) == (0, 0)
    assert of(events, "reply") == []
    assert of(events, "error")[0].code == "busy"


async def test_a_persons_reply_discards_the_bots(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Resposta do robô."]}, support)

    async def person_writes() -> None:
        action = PersonAction(kind="reply", text="Aqui é a Marta, já resolvo.")
        async for _ in desk.conversation.person(desk.thread_id, action, operator="marta"):
            pass

    desk.decider.meanwhile = person_writes
    events = await desk.say("cadê?")
    assert of(events, "reply") == []
    assert of(events, "token") == []
    assert of(events, "done")[0].status == "held"
    lines = await history(desk.services.database, desk.thread_id, customer=C1)
    assert [(line.role, line.text) for line in lines] == [
        ("customer", "cadê?"),
        ("operator", "Aqui é a Marta, já resolvo."),
    ]
    assert (await trail(desk.services.database, desk.thread_id))[0].discarded_reply == "Resposta do robô."


async def test_another_customers_conversation_is_refused(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Oi."]}, support)
    await desk.say("cadê o 10405?")
    with pytest.raises(NotYours):
        await desk.say("oi", customer=C2)


async def test_a_failure_is_numbered_and_its_secret_hidden(make_desk: Make) -> None:
    leak = RuntimeError("auth failed for Bearer sk-live-1234567890abcdef")
    desk = await make_desk({"support": [leak]}, support)
    events = await desk.say("cadê?")
    failed = of(events, "error")[0]
    assert failed.protocol
    assert failed.protocol in failed.text
    assert "sk-live" not in str(events)
    async with desk.services.database.connection() as conn:
        row = await (
            await conn.execute("select detail from failures where protocol = %s", (failed.protocol,))
        ).fetchone()
    assert row is not None
    assert "RuntimeError" in row["detail"]
    assert "sk-live" not in row["detail"]
    assert next(line.text for line in await history(desk.services.database, desk.thread_id, customer=C1)) == "cadê?"
