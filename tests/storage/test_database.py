import asyncio
import os
import shutil
import signal
import sys
import tempfile
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from storage.database import Database, DatabaseUnavailable
from storage.embedded_folder import locate
from storage.embedded_postmaster import read_pid_file
from storage.records import conversations
from tests.storage.values import NOW, THREAD, conversation


async def test_a_transaction_that_fails_leaves_nothing(db: Database) -> None:
    async def fail() -> None:
        async with db.transaction() as conn:
            await conversation(conn)
            assert await conversations.get(conn, THREAD) is not None
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with db.connection() as conn:
        assert await conversations.get(conn, THREAD) is None


async def test_times_come_back_in_utc_whatever_the_session_says(db: Database) -> None:
    written = datetime(2026, 11, 30, 9, 0, tzinfo=timezone(timedelta(hours=-3)))
    async with db.connection() as conn:
        await conn.execute("set time zone 'Asia/Tokyo'")
        cursor = await conn.execute("select %s::timestamptz as at", (written,))
        row = await cursor.fetchone()
        await conn.execute("reset time zone")
    assert row is not None
    assert row == {"at": written}
    assert row["at"].tzinfo is UTC


async def test_transactions_are_read_committed_on_a_server_that_defaults_to_another_level(
    own_db: Database, empty_database_url: str
) -> None:
    name = conninfo_to_dict(empty_database_url)["dbname"]
    async with own_db.connection() as conn:
        await conn.execute(
            sql.SQL("alter database {} set default_transaction_isolation = serializable").format(
                sql.Identifier(str(name))
            )
        )
    other = await Database.open(environ={"DATABASE_URL": empty_database_url})
    async with other.transaction() as conn:
        cursor = await conn.execute("show transaction_isolation")
        assert await cursor.fetchone() == {"transaction_isolation": "read committed"}
    await other.close()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [({"dbname": "nobody_has_this"}, "does not exist"), ({"host": "/nowhere", "hostaddr": ""}, "No such file")],
)
async def test_a_database_that_cannot_be_reached_says_why(postgres: str, wrong: dict[str, str], why: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=why):
        await Database.open(environ={"DATABASE_URL": make_conninfo(postgres, **wrong)})


async def test_a_url_that_cannot_be_read_is_not_quoted() -> None:
    with pytest.raises(DatabaseUnavailable, match="DATABASE_URL") as refused:
        await Database.open(environ={"DATABASE_URL": "postgres//ana:s3cret@host/bastao"})
    assert "s3cret" not in str(refused.value)
    assert refused.value.__suppress_context__


async def test_an_embedded_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    with pytest.raises(DatabaseUnavailable, match="cannot be used"):
        await Database.open(environ={}, data_dir=taken)


async def test_a_connection_cut_in_the_middle_is_reported_and_the_pool_recovers(db: Database, postgres: str) -> None:
    async def lose() -> None:
        async with db.transaction() as conn:
            await conversation(conn)
            await _cut(postgres, conn.info.backend_pid)
            await conn.execute("select 1")

    with pytest.raises(DatabaseUnavailable):
        await lose()
    async with db.connection() as conn:
        assert await conversations.get(conn, THREAD) is None


async def test_a_connection_cut_while_it_rests_is_replaced_before_it_is_lent(db: Database, postgres: str) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        pid = conn.info.backend_pid
    await _cut(postgres, pid)
    async with db.connection() as conn:
        assert conn.info.backend_pid != pid
        assert await conversations.get(conn, THREAD) is not None


async def test_other_operational_errors_are_not_taken_for_an_outage(db: Database) -> None:
    async def overrun() -> None:
        async with db.transaction() as conn:
            await conn.execute("set local statement_timeout = 20")
            await conn.execute("select pg_sleep(20)")

    with pytest.raises(psycopg.errors.QueryCanceled):
        await overrun()


async def test_when_every_connection_is_taken_the_next_caller_is_told(database_url: str) -> None:
    database = await Database.open(environ={"DATABASE_URL": database_url}, pool_size=2, timeout_s=0.2)
    async with database.connection(), database.connection():
        with pytest.raises(DatabaseUnavailable):
            async with database.connection():
                pass
    async with database.connection() as conn:
        await conversation(conn)
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        async with database.connection():
            pass


@pytest.mark.parametrize(
    ("environ", "prepare", "prepared"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"DB_TRANSACTION_POOLER": "1"}, True, False),
        ({"DB_TRANSACTION_POOLER": "0"}, True, True),
    ],
)
async def test_statements_are_prepared_unless_a_pooler_or_the_caller_forbids_it(
    database_url: str, environ: dict[str, str], prepare: bool, prepared: bool
) -> None:
    database = await Database.open(environ={"DATABASE_URL": database_url, **environ}, prepare=prepare)
    async with database.connection() as conn:
        for _ in range(8):
            await conversations.get(conn, THREAD)
        cursor = await conn.execute("select count(*) > 0 as some from pg_prepared_statements")
        assert await cursor.fetchone() == {"some": prepared}
    await database.close()


async def test_prepared_statements_outlive_a_column_that_a_later_release_adds(own_db: Database) -> None:
    async with own_db.connection() as conn:
        await conversation(conn)
        for _ in range(8):
            await conversations.get(conn, THREAD)
        await conn.execute("alter table conversations add column later text default 'x'")
        found = await conversations.get(conn, THREAD)
    assert found is not None
    assert found.created_at == NOW


async def _cut(server: str, pid: int) -> None:
    """Terminate a session and wait until it is gone."""
    async with await psycopg.AsyncConnection.connect(server, autocommit=True) as conn:
        cursor = await conn.execute("select pg_terminate_backend(%s, 5000)", (pid,))
        assert await cursor.fetchone() == (True,)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills are POSIX matters")
async def test_without_a_url_the_embedded_server_is_started_shared_and_recovered() -> None:
    root = Path(tempfile.mkdtemp(prefix="bt-"))

    async def known(database: Database) -> bool:
        """Ask until there is an answer: a server that was just killed may take the first question along."""
        while True:
            with suppress(DatabaseUnavailable):
                async with database.connection() as conn:
                    return await conversations.get(conn, THREAD) is not None

    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        first = await Database.open(environ={"BASTAO_DATA_DIR": str(root)})
        stack.push_async_callback(first.close)
        await first.migrate()
        second = await Database.open(environ={}, data_dir=root)
        stack.push_async_callback(second.close)
        async with second.connection() as conn:
            await conversation(conn)
        running = read_pid_file(locate(root).pgdata)
        assert running is not None
        os.kill(running.pid, signal.SIGKILL)
        assert await asyncio.wait_for(known(first), timeout=60)
        assert await asyncio.wait_for(known(second), timeout=60)
        await first.close()
        assert await known(second)
        await second.close()
        assert read_pid_file(locate(root).pgdata) is None, "the last one out stops the server"


async def test_a_process_that_stands_still_in_a_transaction_gives_its_locks_back(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        frozen = await Database.open(environ={"DATABASE_URL": database_url}, stalled_s=0.2)
        stack.push_async_callback(frozen.close)
        other = await Database.open(environ={"DATABASE_URL": database_url})
        stack.push_async_callback(other.close)
        async with other.connection() as conn:
            await conversation(conn)
        with pytest.raises(DatabaseUnavailable):  # noqa: PT012 - it is the holder's own next statement that must fail
            async with frozen.transaction() as holds:
                await conversations.lock(holds, THREAD)
                async with (
                    other.transaction() as conn
                ):  # waits for the row, until the server ends the one that holds it
                    assert (await conversations.lock(conn, THREAD)).thread_id == THREAD
                await holds.execute("select 1")
