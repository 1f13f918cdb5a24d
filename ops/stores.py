"""The database for a command that runs and ends."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from storage.database import Database

__all__ = ["Database", "open_database"]


@asynccontextmanager
async def open_database(environ: Mapping[str, str]) -> AsyncGenerator[Database]:
    """Open (and migrate) the database of an environment while the block runs. Raises `DatabaseUnavailable`."""
    database = await Database.open(environ=environ, pool_size=2)
    try:
        await database.migrate()
        yield database
    finally:
        await database.close()
