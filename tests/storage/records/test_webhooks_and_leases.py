import asyncio
from datetime import timedelta

from storage.database import Database
from storage.records import leases, queue, webhooks
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation


async def announced(conn: Connection, item_id: str = "q-1") -> None:
    await conversation(conn)
    await queue.enqueue(conn, key=item_id, item_id=item_id, thread_id=THREAD, kind="conversation", reason="x", now=NOW)
    for item in await webhooks.unannounced(conn):
        await webhooks.put(conn, delivery_id=f"w-{item.id}-{item.event}", item_id=item.id, event=item.event, body={}, now=NOW)  # fmt: skip


async def test_an_item_is_announced_once_and_its_end_only_after_its_beginning(db: Database) -> None:
    async with db.connection() as conn:
        await announced(conn)
        assert await webhooks.unannounced(conn) == []
        await queue.withdraw(conn, "q-1", now=NOW)
        assert [(i.id, i.event) for i in await webhooks.unannounced(conn)] == [("q-1", "item.withdrawn")]
        await queue.enqueue(conn, key="q-2", item_id="q-2", thread_id=THREAD, kind="conversation", reason="x", now=NOW)
        await queue.resolve(conn, "q-2", operator="bia", now=NOW)
        assert [i.id for i in await webhooks.unannounced(conn)] == ["q-1"], "q-2 was over before anybody was told of it"


async def test_one_attempt_at_a_time_whoever_asks(db: Database) -> None:
    hold = NOW + timedelta(minutes=1)
    async with db.connection() as conn:
        await announced(conn)

    async def take() -> int:
        async with db.transaction() as conn:
            return len(await webhooks.take_due(conn, now=NOW, hold_until=hold))

    assert sorted(await asyncio.gather(take(), take(), take())) == [0, 0, 1]
    async with db.connection() as conn:
        assert await webhooks.postponed(conn, "w-q-1-item.queued", error="HTTP 500", next_at=NOW)
        (again,) = await webhooks.take_due(conn, now=NOW, hold_until=hold)
        assert (again.attempts, again.last_error) == (2, "HTTP 500")
        assert await webhooks.delivered(conn, again.id, now=NOW)
        assert not await webhooks.postponed(conn, again.id, error="late", next_at=None)
        done = await webhooks.get(conn, again.id)
        assert done is not None
        assert (done.status, done.last_error) == ("delivered", None)


async def test_a_lease_is_one_transactions_until_it_ends(db: Database) -> None:
    async with db.transaction() as first, db.transaction() as second:
        assert await leases.try_take(first, 7)
        assert not await leases.try_take(second, 7)
        assert await leases.try_take(second, 8)
    async with db.transaction() as third:
        assert await leases.try_take(third, 7)


async def test_the_same_words_count_once_and_a_priority_never_falls(db: Database) -> None:
    async with db.connection() as conn:
        await announced(conn)
        for author, text in (("customer", "oi"), ("customer", "oi"), ("bia", "oi"), ("customer", "e aí")):
            await queue.add_note(conn, "q-1", author=author, text=text, now=NOW, once=True)
        item = await queue.get(conn, "q-1")
        assert item is not None
        assert [(n.author, n.text) for n in item.notes] == [("customer", "oi"), ("bia", "oi"), ("customer", "e aí")]
        assert await queue.raise_priority(conn, "q-1", priority=90)
        assert not await queue.raise_priority(conn, "q-1", priority=50)
