"""Bring a database to the newest revision, once, however many processes start at the same time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg
from psycopg.rows import tuple_row

from storage.rows import Connection

VERSION_TABLE = "bastao_migrations"

_FOLDER = Path(__file__).parent / "migrations"
_TRY = "select pg_try_advisory_xact_lock(108170688356719) as mine"  # "bastao" as a number
_POLL_SECONDS = 0.1


async def migrate(
    holder: Connection,
    conn: Connection,
    *,
    conninfo: Callable[[], Awaitable[str]],
    after: Callable[[Connection], Awaitable[None]] | None,
) -> None:
    """Upgrade under a lock that `holder` keeps, then await `after(conn)` under the same lock.

    The lock is polled: one that waits would hold a snapshot, and CREATE INDEX CONCURRENTLY (which `after` may run) waits for
    every snapshot, so the two would wait for each other. It belongs to a transaction and not to the session, so that it also
    holds behind a transaction pooler; between statements a transaction keeps no snapshot.
    """
    while True:
        async with holder.transaction():
            # No parameters and not prepared: the simple protocol, whose portal does not outlive it with its snapshot.
            cursor = await holder.execute(_TRY, prepare=False)
            row = await cursor.fetchone()
            if row is not None and row["mine"]:
                await holder.execute(
                    "set local idle_in_transaction_session_timeout = 0", prepare=False
                )  # however long it takes
                if (await _revision(conn) or "") < _newest():
                    await asyncio.to_thread(_upgrade, await conninfo())
                if after is not None:
                    await after(conn)
                return
        await asyncio.sleep(_POLL_SECONDS)


async def is_current(conn: Connection) -> bool:
    """Tell whether the database has every migration that this release knows."""
    return (await _revision(conn) or "") >= _newest()


async def _revision(conn: Connection) -> str | None:
    """Return the database's revision, None for an empty one.

    Revisions are numbered, so that a process of an older release knows a newer database and leaves it alone: migrations add
    before they remove.
    """
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute("select to_regclass(%s) is not null", (VERSION_TABLE,))
    if await cursor.fetchone() != (True,):
        return None
    await cursor.execute("select version_num from bastao_migrations")
    row = await cursor.fetchone()
    return None if row is None else str(row[0])


def _newest() -> str:
    return max(path.stem.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*.py"))


def _upgrade(conninfo: str) -> None:
    """Run alembic. It is imported here because a database that is up to date, the usual case, can do without it."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    logging.getLogger("alembic").setLevel(logging.WARNING)
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo, prepare_threshold=None), poolclass=NullPool
    )
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
