"""One conversation, two processes, eight messages at once: all kept, all answered, none twice."""

import asyncio
from contextlib import ExitStack

import pytest

from graph.checkpoint import setup_checkpoints
from storage.database import Database
from storage.records import messages, turns
from storage.seed import seed
from tests.torture import child
from tests.torture.building import utc_now
from tests.torture.child import Burst
from tests.torture.nursery import born, ended, heard

pytestmark = pytest.mark.slow
THREAD = "th-8"
TEXTS = [f"mensagem {n}" for n in range(8)]


async def test_eight_messages_from_two_processes_are_all_kept_and_answered_once(
    db: Database, database_url: str
) -> None:
    await db.migrate(after=setup_checkpoints)
    async with db.connection() as conn:
        await seed(conn, today=utc_now().date())
    with ExitStack() as stack:
        halves = [
            stack.enter_context(
                born(child.burst, Burst(database_url=database_url, thread_id=THREAD, texts=tuple(TEXTS[start::2])))
            )
            for start in (0, 1)
        ]
        for _, pipe in halves:
            assert await asyncio.to_thread(heard, pipe) == "ready"
        for _, pipe in halves:
            pipe.send("go")
        replies: dict[str, list[str]] = {}
        for _, pipe in halves:
            replies |= await asyncio.to_thread(heard, pipe)
        assert [await asyncio.to_thread(ended, process) for process, _ in halves] == [0, 0]
    async with db.connection() as conn:
        stored = await messages.history(conn, THREAD)
        ran = await turns.trail(conn, THREAD)
    assert sorted(m.text for m in stored if m.role == "customer") == TEXTS
    answers = [m.text for m in stored if m.role == "agent"]
    assert {text: sum(text in answer for answer in answers) for text in TEXTS} == dict.fromkeys(TEXTS, 1)
    for text in TEXTS:
        assert [text in reply for reply in replies[text]] == [True], "and its own sender was told"
    assert [t.status for t in ran] == ["replied"] * len(answers)
