"""kill -9 and kill -STOP of a real process at every point of a turn with a write, against both kinds of shop.

Whatever the point: the effect once, the reply once, and everything that is left behind as if nobody had died.
"""

import asyncio
import os
import signal
from typing import Any

import pytest

from storage.records import conversations, messages, turns
from tests.graph.conftest import of, reply_of
from tests.scripted import ScriptedModels
from tests.storage.values import kill_owner
from tests.torture import child, story
from tests.torture.building import utc_now
from tests.torture.fuse import PORT_POINTS, SQL_POINTS
from tests.torture.nursery import KILLED, PATIENCE_S, born, ended, heard
from tests.torture.snapshot import Snapshot
from tests.torture.stage import Kind, Story, own_database, staged

pytestmark = pytest.mark.slow
STORIES: list[tuple[Story, Kind]] = [("hop", "postgres"), ("hop", "http"), ("yes", "postgres")]
POINTS = [*SQL_POINTS, *PORT_POINTS]
# A yes is carried out by the graph before a model is asked: what differs from the other story.
OF_A_YES = ["claimed", "sent", "shop_answered", "settled", "model_tells", "commit_open", "committed"]
# A stopped process that goes on: it must find out that the turn is no longer its own, wherever it stood.
STOPS = [
    "turn_begun",
    "deciding",
    "claim_open",
    "claimed",
    "sent",
    "shop_answered",
    "settled",
    "model_tells",
    "commit_open",
]


@pytest.fixture(scope="module")
def undisturbed(postgres: str) -> dict[tuple[Story, Kind], Snapshot]:
    """What each story leaves when nobody dies."""

    async def played(url: str, told: Story, kind: Kind) -> Snapshot:
        async with staged(url, kind) as stage:
            await stage.say(await stage.before(told), message_id="m-1")
            await stage.say(story.AFTERWARDS, message_id="m-2")
            return await stage.left()

    async def migrated(url: str) -> None:
        async with staged(url, "postgres"):
            pass

    found: dict[tuple[Story, Kind], Snapshot] = {}
    with own_database(postgres, template="template0") as (pattern, url):
        asyncio.run(migrated(url))
        for told, kind in STORIES:
            with own_database(postgres, template=pattern) as (_, copy):
                found[told, kind] = asyncio.run(played(copy, told, kind))
    return found


def cases() -> list[Any]:
    found = [("hop", "postgres", point) for point in POINTS]
    found += [("hop", "http", point) for point in POINTS if point != "shop_open"]
    found += [("yes", "postgres", point) for point in OF_A_YES]
    return [pytest.param(*case, id="-".join(case)) for case in found]


def test_the_story_that_is_compared_with_has_what_it_is_about(
    undisturbed: dict[tuple[Story, Kind], Snapshot],
) -> None:
    for (told, _), left in undisturbed.items():
        [(tool, state, protocol, number)] = left.effects
        assert (tool, state, number) == ("open_billing_ticket", "done", 1 if told == "hop" else 2)
        assert protocol is not None
        assert sum(protocol in text for _, _, text in left.said) == 1
        assert [kind for _, kind, p in left.requests if p == protocol] == ["duplicate_charge"]
        assert left.checkpoints == len(left.turns) == len([role for role, _, _ in left.said if role == "agent"])
    hops = undisturbed["hop", "postgres"]
    assert hops.contacts == [("open", "billing", 1)]
    assert [package[1:3] for package in hops.packages] == [(None, "support"), ("support", "billing")]


@pytest.mark.parametrize(("told", "kind", "point"), cases())
async def test_killed_on_the_way_the_next_owner_leaves_the_same(
    database_url: str, undisturbed: dict[tuple[Story, Kind], Snapshot], told: Story, kind: Kind, point: str
) -> None:
    async with asyncio.timeout(PATIENCE_S), staged(database_url, kind) as stage:
        text = await stage.before(told)
        with born(child.main, stage.errand(text, point=point, how="kill")) as (process, pipe):
            assert await asyncio.to_thread(heard, pipe) == point
            assert await asyncio.to_thread(ended, process) == KILLED
        await stage.forsaken()
        first = await stage.say(text, message_id="m-1")
        again = await stage.say(text, message_id="m-1")
        assert reply_of(first) == reply_of(again)
        assert of(await stage.say(story.AFTERWARDS, message_id="m-2"), "done")[0].status == "replied"
        assert await stage.left() == undisturbed[told, kind]
        if stage.served is not None:
            assert stage.served.store.writes == 1


@pytest.mark.parametrize("point", STOPS)
async def test_stopped_past_its_lease_and_continued_it_claims_and_commits_nothing(
    database_url: str, undisturbed: dict[tuple[Story, Kind], Snapshot], point: str
) -> None:
    """And it tells its customer what the other one said, or that its own connection is gone."""
    async with asyncio.timeout(PATIENCE_S), staged(database_url, "postgres") as stage:
        with born(child.main, stage.errand(story.WITH_A_HOP, point=point, how="stop")) as (process, pipe):
            assert await asyncio.to_thread(heard, pipe) == point
            await stage.forsaken()
            said = await stage.say(story.WITH_A_HOP, message_id="m-1")
            assert of(said, "done")[0].status == "replied"
            os.kill(process.pid, signal.SIGCONT)
            assert await asyncio.to_thread(heard, pipe) in ([reply_of(said)], [])
            assert await asyncio.to_thread(ended, process) == 0
        await stage.say(story.AFTERWARDS, message_id="m-2")
        assert await stage.left() == undisturbed["hop", "postgres"]


async def test_killed_while_the_shop_is_at_it_the_act_is_done_once(
    database_url: str, undisturbed: dict[tuple[Story, Kind], Snapshot]
) -> None:
    """The request of the dead is still on its way: the look-up says no, the next owner writes, the late one meets its key."""
    async with asyncio.timeout(PATIENCE_S), staged(database_url, "http") as stage:
        assert stage.served is not None
        stage.served.fault("late_work", seconds=120, times=1)
        with born(child.main, stage.errand(story.WITH_A_HOP, point="", how="kill")) as (process, _):
            while not stage.served.asked("open_request"):
                assert process.is_alive()
            process.kill()
            assert await asyncio.to_thread(ended, process) == KILLED
        await stage.forsaken()
        assert of(await stage.say(story.WITH_A_HOP, message_id="m-1"), "done")[0].status == "replied"
        stage.served.heal()
        await stage.say(story.AFTERWARDS, message_id="m-2")
        assert await stage.left() == undisturbed["hop", "http"]
        first, second = stage.served.asked("open_request")
        assert first == second
        assert stage.served.store.writes == 1


async def test_what_the_dead_did_is_told_although_the_next_run_takes_another_road(database_url: str) -> None:
    """Its model asks for nothing: the receipt is told all the same, and shown to the model as done."""
    absent_minded = ScriptedModels({"support": ["Em que mais posso ajudar?"]})
    async with asyncio.timeout(PATIENCE_S), staged(database_url, "postgres", models=absent_minded) as stage:
        with born(child.main, stage.errand(story.WITH_A_HOP, point="shop_answered", how="kill")) as (process, _):
            assert await asyncio.to_thread(ended, process) == KILLED
        await stage.forsaken()
        told = reply_of(await stage.say(story.WITH_A_HOP, message_id="m-1"))
        [(_, state, protocol, _)] = (await stage.left()).effects
        assert state == "done"
        assert protocol is not None
        assert protocol in told
        [asked] = absent_minded.models["support"].asked
        assert protocol in str(asked["messages"][0])


async def test_a_turn_that_kills_whoever_runs_it_is_not_run_for_ever(database_url: str) -> None:
    async with asyncio.timeout(PATIENCE_S), staged(database_url, "postgres") as stage:
        async with stage.conversation.services.database.connection() as conn:
            await conversations.ensure(
                conn, stage.thread_id, customer_id="c1", channel="tests", brand="Loja Aurora", now=utc_now()
            )
            await messages.add(
                conn,
                stage.thread_id,
                message_id="m-1",
                role="customer",
                author="c1",
                text=story.WITH_A_HOP,
                now=utc_now(),
            )
            for n in range(stage.conversation.services.limits.turn_attempts):
                begun = await turns.begin(
                    conn, stage.thread_id, owner=f"dead {n}", turn_id="t-1", lease_s=60, now=utc_now()
                )
                assert isinstance(begun, turns.Begun)
                await kill_owner(conn, "t-1")
        given_up = await stage.say(story.WITH_A_HOP, message_id="m-1")
        assert of(given_up, "done")[0].status == "failed"
        again = await stage.say(story.WITH_A_HOP, message_id="m-1")
        assert of(again, "done")[0].status == "replied", "its customer asks again, and the count begins anew"
        left = await stage.left()
        assert left.queued == [("attempts", "waiting")]
        assert left.effects == [], "while somebody is awaited the bot only reads"
