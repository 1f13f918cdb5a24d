"""One PostgreSQL for the whole run, with a migrated database that is emptied before each test.

DATABASE_URL_TEST names a server to use instead of the embedded one; its role must be allowed to create databases.
"""

import asyncio
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from storage.database import Database
from storage.embedded import EmbeddedPostgres

# A crash of the test server loses nothing that anybody wants.
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "100"}


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The connection string of a server on which databases can be created."""
    if given := os.environ.get("DATABASE_URL_TEST"):
        yield given
        return
    root = Path(tempfile.mkdtemp(prefix="bt-"))  # short: the path of a socket has 107 bytes
    server = EmbeddedPostgres(root, settings=_FAST, stop_on_exit=False)
    try:
        yield server.start().conninfo
    finally:
        server.stop(force=True)
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="session")
def _migrated(postgres: str) -> Iterator[str]:
    async def migrate(url: str) -> None:
        database = await Database.open(environ={"DATABASE_URL": url})
        await database.migrate()
        await database.close()

    with fresh_database(postgres) as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture
def database_url(_migrated: str) -> str:
    """A migrated database without a row: give it to processes as DATABASE_URL. Tests that alter its schema take `own_db`."""
    with psycopg.connect(_migrated, autocommit=True) as conn:
        tables = conn.execute(
            "select schemaname, tablename from pg_tables where schemaname in ('public', 'shop')"
            " and tablename not like '%migrations'"
        ).fetchall()
        # One statement: references are checked at its end, so the order does not matter. Far cheaper than truncate.
        deletions = [
            sql.SQL("{} as (delete from {})").format(sql.Identifier(f"d{number}"), sql.Identifier(*table))
            for number, table in enumerate(tables)
        ]
        conn.execute(sql.SQL("with {} select 1").format(sql.SQL(", ").join(deletions)))
    return _migrated


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """An open database without a row."""
    database = await Database.open(environ={"DATABASE_URL": database_url}, pool_size=16)
    yield database
    await database.close()


@pytest.fixture
def empty_database_url(postgres: str) -> Iterator[str]:
    """A database without a table."""
    with fresh_database(postgres) as url:
        yield url


@pytest.fixture
async def own_db(empty_database_url: str) -> AsyncIterator[Database]:
    """A migrated database that this test alone uses, and may spoil."""
    database = await Database.open(environ={"DATABASE_URL": empty_database_url})
    await database.migrate()
    yield database
    await database.close()


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the trained classifier is cached: once per run, or in a folder that outlives it while developing."""
    return Path(os.environ.get("BASTAO_TEST_DATA_DIR") or tmp_path_factory.mktemp("data"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `db` whatever needs the server, so that nobody forgets to."""
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.db)


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    name = f"t_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("create database {} template template0").format(sql.Identifier(name)))
    yield make_conninfo(server, dbname=name)
    drop_database(server, name)


def drop_database(server: str, name: str) -> None:
    """Drop a database and whoever is still connected to it.

    A role that is no superuser may not end an autovacuum worker, and with (force) tries to; a plain drop ends it by itself.
    """
    drop = sql.SQL("drop database if exists {}").format(sql.Identifier(name))
    with psycopg.connect(server, autocommit=True) as conn:
        try:
            conn.execute(drop + sql.SQL(" with (force)"))
        except psycopg.errors.InsufficientPrivilege:
            conn.execute(drop)
