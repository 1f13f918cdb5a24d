import asyncio
from datetime import timedelta

from routing.facts import Commitment
from storage.database import Database
from storage.records import commitments
from storage.records.commitments import FollowUp
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation

FRIDAY = NOW + timedelta(days=4)
PROMISE = Commitment(
    id="c-1", text="Te retornamos até sexta, sem falta!", by="support", at=NOW, due=FRIDAY, origin="promise_callback"
)


async def promised(conn: Connection) -> FollowUp:
    await conversation(conn)
    await commitments.save(conn, THREAD, "c1", [PROMISE])
    follow_up = FollowUp(id="u-1", thread_id=THREAD, commitment_id="c-1", owner="desk", due=FRIDAY)
    await commitments.add_follow_up(conn, follow_up)
    await commitments.add_follow_up(conn, follow_up)
    return follow_up


async def test_a_promise_is_kept_word_for_word_and_found_from_any_conversation_of_the_customer(db: Database) -> None:
    async with db.connection() as conn:
        await promised(conn)
        await commitments.save(conn, THREAD, "c1", [PROMISE])
        await conversation(conn, "t-2")
        await conversation(conn, "t-3", customer_id="c2")
        assert await commitments.open_of(conn, THREAD, None) == [PROMISE]
        assert await commitments.open_of(conn, "t-2", "c1") == [PROMISE]
        assert await commitments.open_of(conn, "t-3", "c2") == []
        assert await commitments.set_status(conn, THREAD, "c-1", status="overdue")
        assert [each.status for each in await commitments.open_of(conn, "t-2", "c1")] == ["overdue"]
        assert await commitments.set_status(conn, THREAD, "c-1", status="kept")
        assert await commitments.open_of(conn, "t-2", "c1") == []
        assert [each.text for each in await commitments.all_of(conn, THREAD)] == [PROMISE.text]
        assert not await commitments.set_status(conn, THREAD, "c-9", status="kept")


async def test_it_is_due_before_its_date_and_again_after_it(db: Database) -> None:
    ahead = timedelta(days=1)
    thursday = FRIDAY - ahead
    async with db.connection() as conn:
        follow_up = await promised(conn)
        assert await commitments.due(conn, now=thursday - timedelta(minutes=1), ahead=ahead) == []
        assert await commitments.due(conn, now=thursday, ahead=ahead) == [follow_up]
        assert await commitments.mark_queued(conn, "u-1", status="queued", now=thursday)
        assert await commitments.due(conn, now=thursday, ahead=ahead) == []
        [late] = await commitments.due(conn, now=FRIDAY, ahead=ahead)
        assert (late.id, late.status, late.queued_at) == ("u-1", "queued", thursday)
        assert await commitments.mark_queued(conn, "u-1", status="overdue", now=FRIDAY)
        assert await commitments.due(conn, now=FRIDAY + ahead, ahead=ahead) == []
        assert await commitments.end_follow_ups(conn, THREAD, "c-1", status="done") == 1
        assert await commitments.end_follow_ups(conn, THREAD, "c-1", status="done") == 0


async def test_of_several_sweepers_one_queues_it(db: Database) -> None:
    async with db.connection() as conn:
        await promised(conn)

    async def sweep() -> bool:
        async with db.connection() as conn:
            return await commitments.mark_queued(conn, "u-1", status="queued", now=NOW)

    assert sorted(await asyncio.gather(*(sweep() for _ in range(4)))) == [False, False, False, True]
