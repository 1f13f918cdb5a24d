"""What a transaction tells is heard once, when it commits, and not at all when it is rolled back."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress

from storage.database import Database
from storage.notify import heard, key_of, knock, wrote
from storage.records import conversations, turns
from tests.storage.values import NOW, begun, conversation, say

PATIENCE_S = 60.0


async def keys_of(db: Database, act: Callable[[], Awaitable[None]]) -> list[str]:
    """Return the keys that were heard of what `act` did."""
    async with aclosing(heard(db, every_s=PATIENCE_S)) as news:
        assert await anext(news) is None
        await act()
        await knock(db, "end")
        found: list[str] = []
        while (key := await anext(news)) != "end":
            found.append(str(key))
    return found


async def test_every_change_that_a_page_shows_is_told(db: Database) -> None:
    async with db.transaction() as conn:
        for thread in "abc":
            await conversation(conn, thread)

    async def act() -> None:
        async with db.connection() as conn:
            await say(conn, "oi", thread_id="a")
            await conversations.bump_epoch(conn, "b", held_by="bia", now=NOW)
            await say(conn, "oi", thread_id="c")
            turn = (await begun(conn, thread_id="c")).turn
            await turns.end(conn, turn.id, fence=turn.fence, status="interrupted", now=NOW)

    assert await keys_of(db, act) == [key_of(thread) for thread in "abcc"]


async def test_a_transaction_tells_once_and_only_when_it_commits(db: Database) -> None:
    async with db.transaction() as conn:
        await conversation(conn, "rolled-back")
        await conversation(conn, "committed")

    async def act() -> None:
        with suppress(ZeroDivisionError):
            async with db.transaction() as conn:
                await say(conn, "um", thread_id="rolled-back")
                raise ZeroDivisionError
        async with db.transaction() as conn:
            await say(conn, "um", thread_id="committed")
            await say(conn, "dois", thread_id="committed")

    assert await keys_of(db, act) == [key_of("committed")]


async def test_what_is_told_names_no_conversation(db: Database) -> None:
    async def act() -> None:
        async with db.connection() as conn:
            await wrote(conn, "web-segredo-ção")

    (key,) = await keys_of(db, act)
    assert key == key_of("web-segredo-ção")
    assert "segredo" not in key
