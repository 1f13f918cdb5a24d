import asyncio
import re
from datetime import timedelta
from typing import Any

from storage.database import Database
from storage.records import queue
from storage.records.queue import QueueItem
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation


async def put(conn: Connection, item_id: str, **changes: Any) -> QueueItem:
    values: dict[str, Any] = {
        "key": item_id,
        "thread_id": THREAD,
        "kind": "conversation",
        "reason": "hop_limit",
        "now": NOW,
    }
    return await queue.enqueue(conn, item_id=item_id, **(values | changes))


async def test_the_same_key_is_the_same_item_whatever_became_of_it(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        first = await put(conn, "q-1", package={"facts": [1]}, about="endereço", due=NOW, priority=3)
        assert re.fullmatch(r"BA-[2-9A-Z]{6}", first.protocol)
        assert (first.status, first.package, first.about, first.due) == ("waiting", {"facts": [1]}, "endereço", NOW)
        assert await put(conn, "q-2", key="q-1", reason="other") == first
        done = await queue.resolve(conn, "q-1", operator="op-1", now=NOW)
        assert await put(conn, "q-3", key="q-1") == done
        assert await queue.get(conn, "q-1") == done
        assert await queue.get(conn, "q-2") is None


async def test_five_at_once_with_one_key_are_one_item(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)

    async def enqueue(n: int) -> str:
        async with db.connection() as conn:
            return (await put(conn, f"q-{n}", key="same")).id

    assert len(set(await asyncio.gather(*(enqueue(n) for n in range(5))))) == 1


async def test_the_urgent_come_first_and_then_the_old(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await put(conn, "new", now=NOW + timedelta(minutes=9))
        await put(conn, "old")
        await put(conn, "urgent", priority=5, now=NOW + timedelta(minutes=10), thread_id=None)
        assert [item.id for item in await queue.waiting(conn)] == ["urgent", "old", "new"]
        assert [item.id for item in await queue.waiting(conn, limit=1)] == ["urgent"]
        await queue.claim(conn, "old", operator="op-1", now=NOW)
        assert [item.id for item in await queue.waiting(conn)] == ["urgent", "new"]
        assert [item.id for item in await queue.open_of_thread(conn, THREAD)] == ["old", "new"]
        assert [item.id for item in await queue.of_thread(conn, THREAD)] == ["old", "new"]


async def test_one_operator_gets_an_item_and_keeps_it(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await put(conn, "q-1")

    async def claim(operator: str) -> QueueItem | None:
        async with db.connection() as conn:
            return await queue.claim(conn, "q-1", operator=operator, now=NOW)

    taken = [item for item in await asyncio.gather(*(claim(f"op-{n}") for n in range(5))) if item is not None]
    assert len(taken) == 1
    owner = str(taken[0].operator)
    assert await claim(owner) == taken[0]
    assert await claim("somebody else") is None
    async with db.connection() as conn:
        assert await queue.claimed(conn) == taken
        assert await queue.claimed(conn, operator="somebody else") == []
        assert await queue.resolve(conn, "q-1", operator="somebody else", now=NOW) is None
        assert not await queue.withdraw(conn, "q-1", now=NOW)
        assert await queue.release(conn, "q-1")
        assert not await queue.release(conn, "q-1")
        assert await queue.claim(conn, "q-1", operator="somebody else", now=NOW) is not None
        resolved = await queue.resolve(conn, "q-1", operator="somebody else", now=NOW)
        assert resolved is not None
        assert (resolved.status, resolved.resolved_at) == ("resolved", NOW)
        assert await queue.claim(conn, "q-1", operator=owner, now=NOW) is None


async def test_notes_are_added_in_order_and_what_is_solved_is_withdrawn(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await put(conn, "q-1")
        for author in ("bot", "op-1"):
            assert await queue.add_note(conn, "q-1", author=author, text=f"nota de {author}", now=NOW)
        assert not await queue.add_note(conn, "nothing", author="bot", text="x", now=NOW)
        assert await queue.withdraw(conn, "q-1", now=NOW)
        assert not await queue.withdraw(conn, "q-1", now=NOW)
        item = await queue.get(conn, "q-1")
        assert item is not None
        assert [(note.author, note.text, note.at) for note in item.notes] == [
            ("bot", "nota de bot", NOW),
            ("op-1", "nota de op-1", NOW),
        ]
        assert (item.status, await queue.open_of_thread(conn, THREAD)) == ("withdrawn", [])
