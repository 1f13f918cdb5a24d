import pytest

from storage.database import Database
from storage.records import conversations
from storage.records.conversations import NotYours
from tests.storage.values import NOW, THREAD, conversation


async def test_it_is_made_once_and_then_found(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        again = await conversations.ensure(
            conn, THREAD, customer_id="c1", channel="whatsapp", brand="other", now=NOW.replace(hour=20)
        )
    assert (again.channel, again.brand, again.created_at, again.epoch, again.fence) == ("web", "demo", NOW, 0, 0)


@pytest.mark.parametrize(("owner", "visitor"), [("c1", "c2"), ("c1", None), (None, "c1")])
async def test_nobody_opens_anothers(db: Database, owner: str | None, visitor: str | None) -> None:
    async with db.connection() as conn:
        await conversation(conn, customer_id=owner)
        with pytest.raises(NotYours) as refused:
            await conversation(conn, customer_id=visitor)
        assert refused.value.thread_id == THREAD
        assert str(owner) not in str(refused.value)
        await conversation(conn, customer_id=owner)


async def test_a_customers_conversations_are_listed_by_last_use(db: Database) -> None:
    async with db.connection() as conn:
        for thread, customer in (("a", "c1"), ("b", "c1"), ("x", "c2")):
            await conversation(conn, thread, customer_id=customer)
        await conversations.touch(conn, "a", now=NOW.replace(hour=18))
        await conversations.touch(conn, "a", now=NOW.replace(hour=1))
        assert [found.thread_id for found in await conversations.of_customer(conn, "c1")] == ["a", "b"]
        assert [found.thread_id for found in await conversations.of_customer(conn, "c1", limit=1)] == ["a"]


async def test_a_persons_word_moves_the_epoch_and_says_who_holds_it(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        assert await conversations.bump_epoch(conn, THREAD, held_by="op-1", now=NOW) == 1
        held = await conversations.get(conn, THREAD)
        assert await conversations.bump_epoch(conn, THREAD, held_by=None, now=NOW) == 2
        free = await conversations.get(conn, THREAD)
        assert held is not None
        assert free is not None
        assert (held.held_by, free.held_by) == ("op-1", None)
        with pytest.raises(LookupError):
            await conversations.bump_epoch(conn, "nobody", held_by=None, now=NOW)


async def test_language_and_title_are_remembered(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await conversations.set_language(conn, THREAD, language="en")
        await conversations.set_title(conn, THREAD, title="Where is my order")
        found = await conversations.get(conn, THREAD)
    assert found is not None
    assert (found.language, found.title) == ("en", "Where is my order")
