import re
from datetime import timedelta

from storage.database import Database
from storage.records import contacts, messages, queue
from tests.storage.values import NOW, THREAD, begun, conversation, say


async def test_a_conversation_has_one_open_contact(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        first = await contacts.open_(conn, THREAD, contact_id="k-1", subject="billing", now=NOW)
        again = await contacts.open_(conn, THREAD, contact_id="k-2", now=NOW)
        assert again == first
        assert await contacts.open_of(conn, THREAD) == first
        assert re.fullmatch(r"AT-[2-9A-Z]{6}", first.protocol)


async def test_a_number_that_is_taken_gives_way_to_another(db: Database) -> None:
    async with db.connection() as conn:
        for thread in ("t-1", "t-2"):
            await conversation(conn, thread)
        wanted = await contacts.open_(conn, "t-1", contact_id="k-1", now=NOW)
        await conn.execute("update contacts set id = 'other'")
        second = await contacts.open_(conn, "t-2", contact_id="k-1", now=NOW)
    assert second.thread_id == "t-2"
    assert second.protocol != wanted.protocol


async def test_it_ends_once_and_its_specialist_and_hops_end_with_it(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await contacts.open_(conn, THREAD, contact_id="k-1", now=NOW)
        await contacts.update(conn, "k-1", current_agent="billing", hops=2, subject="refund")
        working = await contacts.get(conn, "k-1")
        assert working is not None
        assert (working.current_agent, working.hops, working.subject) == ("billing", 2, "refund")
        ended = await contacts.close(conn, "k-1", status="resolved", outcome={"by": "customer"}, now=NOW)
        assert ended is not None
        assert (ended.status, ended.closed_at, ended.current_agent, ended.hops) == ("resolved", NOW, None, 0)
        assert await contacts.close(conn, "k-1", status="abandoned", outcome={}, now=NOW) is None
        assert await contacts.open_of(conn, THREAD) is None
        assert await contacts.last_of(conn, THREAD) == ended


async def test_a_closed_one_is_reopened_by_its_successor_and_keeps_how_it_ended(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await contacts.open_(conn, THREAD, contact_id="k-1", now=NOW)
        assert not await contacts.mark_reopened(conn, "k-1", by="k-2")
        await contacts.close(conn, "k-1", status="resolved", outcome={"by": "clock"}, now=NOW)
        await contacts.open_(conn, THREAD, contact_id="k-2", now=NOW + timedelta(hours=5))
        assert await contacts.mark_reopened(conn, "k-1", by="k-2")
        newest, old = await contacts.of_thread(conn, THREAD)
        assert (newest.id, newest.status) == ("k-2", "open")
        assert (old.status, old.reopened_by) == ("reopened", "k-2")
        assert old.outcome == {"by": "clock", "ended_as": "resolved"}


async def test_idle_ones_are_those_in_which_nobody_has_anything_left_to_do(db: Database) -> None:
    later = NOW + timedelta(hours=12)
    async with db.connection() as conn:
        for thread in ("idle", "written", "queued", "running"):
            await conversation(conn, thread)
            await contacts.open_(conn, thread, contact_id=thread, now=NOW)
        await messages.add(conn, "written", message_id="m", role="customer", text="oi", now=later)
        await queue.enqueue(conn, key="q", item_id="q", thread_id="queued", kind="review", reason="x", now=NOW)
        await say(conn, "oi", thread_id="running")
        await begun(conn, thread_id="running")
        assert [contact.id for contact in await contacts.idle(conn, before=later)] == ["idle"]
        await queue.withdraw(conn, "q", now=NOW)
        assert [contact.id for contact in await contacts.idle(conn, before=later)] == ["idle", "queued"]
        assert await contacts.idle(conn, before=NOW) == []
