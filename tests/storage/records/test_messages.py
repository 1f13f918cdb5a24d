import asyncio

import psycopg
import pytest

from storage.database import Database
from storage.records import conversations, messages
from tests.storage.values import NOW, THREAD, conversation, process, say

ADD_MANY = """
import asyncio, os, sys
from datetime import UTC, datetime
from storage.database import Database
from storage.records import messages

async def main():
    database = await Database.open(environ=os.environ)
    async def add(n):
        async with database.connection() as conn:
            await messages.add(conn, "t-1", message_id=f"{sys.argv[1]}-{n}", role="customer", text="oi", now=datetime.now(UTC))
    await asyncio.gather(*(add(n) for n in range(8)))
    await database.close()

asyncio.run(main())
"""


async def test_eight_messages_at_once_are_all_kept_and_numbered_without_gaps(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)

    async def add(text: str) -> int:
        async with db.connection() as conn:
            return (await say(conn, text)).seq

    numbers = await asyncio.gather(*(add(f"m{n}") for n in range(8)))
    async with db.connection() as conn:
        history = await messages.history(conn, THREAD)
    assert sorted(numbers) == list(range(1, 9))
    assert [message.seq for message in history] == list(range(1, 9))
    assert {message.text for message in history} == {f"m{n}" for n in range(8)}


@pytest.mark.slow
async def test_two_processes_lose_none_either(db: Database, database_url: str) -> None:
    async with db.connection() as conn:
        await conversation(conn)
    runs = await asyncio.gather(*(process(ADD_MANY, name, database_url=database_url) for name in "ab"))
    assert [code for code, _ in runs] == [0, 0], runs
    async with db.connection() as conn:
        history = await messages.history(conn, THREAD)
    assert [message.seq for message in history] == list(range(1, 17))
    assert {message.message_id for message in history} == {f"{name}-{n}" for name in "ab" for n in range(8)}


async def test_the_same_id_again_returns_the_first_message(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        first = await say(conn, "cadê meu pedido?")
        again, created = await messages.add(
            conn, THREAD, message_id=first.message_id, role="customer", text="other words", now=NOW.replace(hour=20)
        )
        assert not created
        assert again == first
        assert len(await messages.history(conn, THREAD)) == 1


async def test_the_same_id_five_times_at_once_is_one_message(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)

    async def add() -> bool:
        async with db.connection() as conn:
            _, created = await messages.add(conn, THREAD, message_id="m", role="customer", text="oi", now=NOW)
            return created

    assert sorted(await asyncio.gather(*(add() for _ in range(5)))) == [False] * 4 + [True]


async def test_parts_author_and_channel_are_kept(db: Database) -> None:
    parts = [{"kind": "image", "ref": "media/1"}, {"kind": "text", "text": "olha 📷"}]
    async with db.connection() as conn:
        await conversation(conn)
        message, _ = await messages.add(
            conn, THREAD, message_id="m", role="operator", author="op-1", text="olha 📷", parts=parts, now=NOW
        )
        stored = await messages.get(conn, THREAD, "m")
    assert stored == message
    assert list(message.parts) == parts
    assert (message.author, message.channel, message.brand, message.at) == ("op-1", "web", "demo", NOW)


async def test_reading_takes_pieces_in_order(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        for n in range(1, 6):
            await say(conn, f"m{n}")
        pieces = [
            await messages.history(conn, THREAD, after=1, limit=2),
            await messages.latest(conn, THREAD, limit=2),
            await messages.newer_than(conn, THREAD, 3),
        ]
    assert [[message.seq for message in piece] for piece in pieces] == [[2, 3], [4, 5], [4, 5]]


async def test_a_message_moves_its_conversation_up(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await messages.add(conn, THREAD, message_id="m", role="customer", text="oi", now=NOW.replace(hour=23))
        found = await conversations.get(conn, THREAD)
    assert found is not None
    assert found.updated_at == NOW.replace(hour=23)


async def test_there_is_no_message_without_a_conversation(db: Database) -> None:
    async with db.connection() as conn:
        with pytest.raises(LookupError):
            await messages.add(conn, "nobody", message_id="m", role="customer", text="oi", now=NOW)


@pytest.mark.parametrize(
    ("text", "parts", "error"),
    [
        ("a\0b", [], psycopg.DataError),
        ("", [{"kind": "text", "text": "a\0b"}], psycopg.DataError),
        ("\ud800", [], UnicodeEncodeError),
        ("", [{"kind": "text", "text": "\ud800"}], psycopg.DataError),
    ],
)
async def test_what_postgresql_cannot_store_is_refused_whole_and_the_connection_lives(
    db: Database, text: str, parts: list[dict[str, str]], error: type[Exception]
) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        with pytest.raises(error):
            await messages.add(conn, THREAD, message_id="m", role="customer", text=text, parts=parts, now=NOW)
        assert (await say(conn, "oi")).seq == 1
