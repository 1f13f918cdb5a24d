"""The connection: a pool on DATABASE_URL, or on the embedded server when there is none."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.abc import Buffer
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import IdleInTransactionSessionTimeout
from psycopg.rows import DictRow, dict_row
from psycopg.types.datetime import TimestamptzLoader
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from storage.embedded import EmbeddedPostgres, EmbeddedPostgresError, default_data_dir
from storage.migrate import migrate
from storage.rows import Connection

Conninfo = Callable[[], Awaitable[str]]

_DEFAULTS: Final[dict[str, Any]] = {"connect_timeout": "5", "keepalives_idle": "30"}
_NO = ("", "0", "false", "no")
_LOST = ("08", "57P", "53300")  # SQLSTATE: connection exception, server shut down or starting, too many connections


class DatabaseUnavailable(Exception):
    """There is no database to ask: it refused, it went away, or every connection is taken.

    What was being written in a transaction was not written, unless the connection was lost in the COMMIT itself.
    """


class Database:
    """A pool, and the two ways to take a connection from it.

    Connection budget. The embedded server allows 60, of which PostgreSQL keeps 3. A worker holds up to 8 in its pool, one
    keeper, and while it starts one more for the migration: four workers stay below 40, which leaves 17 for the pages'
    process (one more, to listen), terminals, scripts and maintenance. With a DATABASE_URL of your own: `workers * (pool_size + 1)` below its `max_connections`.
    """

    def __init__(
        self,
        pool: AsyncConnectionPool[Connection],
        *,
        conninfo: Conninfo,
        embedded: EmbeddedPostgres | None,
        real_sessions: bool = True,
    ) -> None:
        self.pool = pool
        self.real_sessions = real_sessions
        self._conninfo = conninfo
        self._embedded = embedded

    @classmethod
    async def open(
        cls,
        *,
        environ: Mapping[str, str],
        data_dir: Path | None = None,
        pool_size: int = 8,
        prepare: bool = True,
        timeout_s: float = 15.0,
        stalled_s: float = 30.0,
        connection_class: type[Connection] = AsyncConnection[DictRow],
    ) -> Self:
        """Connect to DATABASE_URL, or start (or join) the embedded server of `data_dir`.

        `timeout_s` is how long a caller waits for a free connection. After `stalled_s` without a statement the server ends a
        transaction: a process that stands still (stopped, swapped out, its machine frozen) would keep its locks for ever.
        Prepared statements are off with `prepare=False`; they and `stalled_s` are behind a transaction pooler
        (DB_TRANSACTION_POOLER set), where the next statement may run in another session.

        Raises:
            DatabaseUnavailable: no connection; the message says why.
        """
        url = environ.get("DATABASE_URL")
        remote = _readable(url) if url else ""
        embedded = None if remote else EmbeddedPostgres(data_dir or default_data_dir(environ))

        async def conninfo() -> str:
            return remote if embedded is None else await asyncio.to_thread(embedded.ensure_conninfo)

        try:
            if embedded is not None:
                await asyncio.to_thread(embedded.start)
            # The pool only ever reports that it waited in vain: one connection of our own tells why.
            async with await AsyncConnection.connect(await conninfo()):
                pass
        except (psycopg.Error, EmbeddedPostgresError) as error:
            raise DatabaseUnavailable(str(error)) from error
        kwargs: dict[str, Any] = {"autocommit": True, "row_factory": dict_row, "client_encoding": "UTF8"}
        pooled = environ.get("DB_TRANSACTION_POOLER", "").lower() not in _NO
        if not prepare or pooled:
            kwargs["prepare_threshold"] = None
        pool = AsyncConnectionPool[Connection](
            conninfo,
            connection_class=connection_class,
            kwargs=kwargs,
            min_size=1,
            max_size=max(2, pool_size),  # a migration takes two
            timeout=timeout_s,
            max_idle=300,
            # Soon given up, soon begun anew by the next caller: with the default of 300 the pauses between attempts grow, and
            # the pool sleeps on for many seconds after the server is back.
            reconnect_timeout=5,
            configure=partial(_configure, stalled_s=None if pooled else stalled_s),
            check=_check,
            open=False,
        )
        await pool.open()
        return cls(pool, conninfo=conninfo, embedded=embedded, real_sessions=not pooled)

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """Lend a connection in autocommit mode.

        Raises:
            DatabaseUnavailable: none could be had, or it was lost inside the block.
        """
        try:
            async with self.pool.connection() as conn:
                yield conn
        except (PoolTimeout, PoolClosed, TooManyRequests, IdleInTransactionSessionTimeout) as error:
            raise DatabaseUnavailable(str(error)) from error
        except psycopg.OperationalError as error:
            if not _lost(error):
                raise
            raise DatabaseUnavailable(str(error)) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """Lend a connection inside one READ COMMITTED transaction, which any exception rolls back.

        Raises:
            DatabaseUnavailable: as for `connection`.
        """
        async with self.connection() as conn, conn.transaction():
            yield conn

    async def own_connection(self) -> Connection:
        """Open a connection beside the pool, for the caller to close: one that listens belongs to nobody else.

        Raises:
            DatabaseUnavailable: there is none to be had.
        """
        try:
            conninfo = await self._conninfo()
            return await AsyncConnection[DictRow].connect(conninfo, autocommit=True, row_factory=dict_row)
        except (psycopg.Error, EmbeddedPostgresError) as error:
            raise DatabaseUnavailable(str(error)) from error

    async def migrate(self, after: Callable[[Connection], Awaitable[None]] | None = None) -> None:
        """Bring the schema up to date; several processes may do so at once. `after` runs under the same lock.

        Raises:
            DatabaseUnavailable: as for `connection`.
        """
        async with self.connection() as holder, self.connection() as conn:
            await migrate(holder, conn, conninfo=self._conninfo, after=after)

    async def close(self) -> None:
        """Give the connections back, and leave the embedded server: the last one out stops it."""
        await self.pool.close()
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.stop)


def _readable(url: str) -> str:
    """Add our time-outs where the URL names none. What cannot be read is not quoted: it may hold a password."""
    try:
        given: dict[str, Any] = {**_DEFAULTS, **conninfo_to_dict(url)}
        return make_conninfo("", **given)
    except psycopg.ProgrammingError:
        raise DatabaseUnavailable("DATABASE_URL is not like postgresql://user:password@host:5432/name") from None


class _UtcLoader(TimestamptzLoader):
    """Times in UTC whatever the session's zone, which a transaction pooler may change under us."""

    def load(self, data: Buffer) -> datetime:
        return super().load(data).astimezone(UTC)


async def _configure(conn: Connection, *, stalled_s: float | None) -> None:
    """Make every connection alike, also on a server whose defaults differ: locks are taken for READ COMMITTED."""
    await conn.set_isolation_level(IsolationLevel.READ_COMMITTED)
    if stalled_s is not None:
        stalled = str(int(stalled_s * 1000))
        await conn.execute("select set_config('idle_in_transaction_session_timeout', %(ms)s, false)", {"ms": stalled})
    conn.adapters.register_loader("timestamptz", _UtcLoader)


async def _check(conn: Connection) -> None:
    """Try a connection before it is lent: one that died in the pool is replaced instead."""
    await conn.execute("")


def _lost(error: psycopg.OperationalError) -> bool:
    return error.sqlstate is None or error.sqlstate.startswith(_LOST)
