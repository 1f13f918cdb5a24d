"""The feed over a real PostgreSQL: another's commit wakes it, a lost connection means asking until it is back."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow, dict_row

from ops.live import POLL_S, LiveFeed
from storage.database import Database
from storage.notify import CHANNEL
from storage.rows import Connection
from tests.storage.values import PROJECT, conversation, say

PATIENCE_S = 60.0
ELSEWHERE = """
import asyncio, os
from storage.database import Database
from tests.storage.values import say

async def main():
    database = await Database.open(environ=os.environ)
    async with database.connection() as conn:
        await say(conn, "oi", thread_id="mine")
    await database.close()

asyncio.run(main())
"""


async def until(true: Callable[[], bool]) -> None:
    """Wait for what another connection's work brings about."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110 - another connection has no event of ours
            await asyncio.sleep(0.01)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def feed(db: Database) -> AsyncIterator[LiveFeed]:
    async with db.transaction() as conn:
        await conversation(conn, "mine")
        await conversation(conn, "other")
    listening = LiveFeed(db, proof_s=PATIENCE_S, retry_s=0.05, clock=Clock())
    task = asyncio.create_task(listening.run())
    await until(lambda: listening.listening)
    yield listening
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_commit_of_another_connection_wakes_its_conversation_and_no_other(db: Database, feed: LiveFeed) -> None:
    mine, other = feed.mark("mine"), feed.mark("other")
    assert not feed.stale(mine)
    async with db.connection() as conn:
        await say(conn, "oi", thread_id="mine")
    await until(lambda: feed.stale(mine))
    assert not feed.stale(other)
    assert not feed.stale(feed.mark("mine"))


async def test_a_rollback_wakes_nobody(db: Database, feed: LiveFeed) -> None:
    mine, other = feed.mark("mine"), feed.mark("other")
    with suppress(ZeroDivisionError):
        async with db.transaction() as conn:
            await say(conn, "oi", thread_id="mine")
            raise ZeroDivisionError
    async with db.connection() as conn:
        await say(conn, "oi", thread_id="other")
    await until(lambda: feed.stale(other))
    assert not feed.stale(mine)


async def test_a_commit_of_another_process_wakes_it(database_url: str, feed: LiveFeed) -> None:
    mark = feed.mark("mine")
    command = [sys.executable, "-c", ELSEWHERE]
    await asyncio.to_thread(subprocess.run, command, cwd=PROJECT, env={"DATABASE_URL": database_url}, check=True)
    await until(lambda: feed.stale(mark))


async def test_a_lost_connection_means_asking_until_it_is_back(db: Database, feed: LiveFeed) -> None:
    before = feed.mark("mine")
    async with db.connection() as conn:
        await conn.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = %(listen)s",
            {"listen": f"listen {CHANNEL}"},
        )
    await until(lambda: feed.stale(before))  # nobody knows what was written meanwhile
    await until(lambda: feed.listening)
    assert feed.stale(before)
    again = feed.mark("mine")
    assert not feed.stale(again)
    async with db.connection() as conn:
        await say(conn, "oi", thread_id="mine")
    await until(lambda: feed.stale(again))


class Unheard(Database):
    """LISTEN succeeds and nothing ever comes, as behind a pooler that nobody named: it listens in another database."""

    async def own_connection(self) -> Connection:
        conninfo = make_conninfo(await self._conninfo(), dbname="postgres")
        return await AsyncConnection[DictRow].connect(conninfo, autocommit=True, row_factory=dict_row)


@pytest.mark.parametrize(
    ("kind", "environ"), [(Unheard, {}), (Database, {"DB_TRANSACTION_POOLER": "1"})], ids=["silent", "named"]
)
async def test_where_nothing_can_be_heard_a_page_asks_every_two_seconds(
    database_url: str, kind: type[Database], environ: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    database, clock = await kind.open(environ={"DATABASE_URL": database_url, **environ}), Clock()
    feed = LiveFeed(database, proof_s=0.05, retry_s=3600, clock=clock)
    task = asyncio.create_task(feed.run())
    await until(lambda: task.done() or "not listening" in caplog.text)
    mark = feed.mark("mine")
    assert (feed.listening, mark.heard, feed.stale(mark)) == (False, None, False)
    clock.now += POLL_S
    assert feed.stale(mark)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await database.close()
