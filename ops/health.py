"""Whether this process can serve: what an orchestrator asks before it sends traffic."""

import asyncio
from typing import Literal

from routing.model import Frozen
from storage.database import Database, DatabaseUnavailable
from storage.migrate import is_current

_TIMEOUT_S = 2.0


class Check(Frozen):
    """One thing that must hold. `why` says what is wrong, without addresses or credentials."""

    name: Literal["database", "migrations"]
    ok: bool
    why: str | None = None


async def readiness(database: Database, *, timeout_s: float = _TIMEOUT_S) -> tuple[Check, ...]:
    """Return what must hold for a turn to be taken. Never raises for a database that is down."""
    try:
        async with asyncio.timeout(timeout_s), database.connection() as conn:
            current = await is_current(conn)
    except (DatabaseUnavailable, TimeoutError) as error:
        why = f"no answer within {timeout_s:g} s" if isinstance(error, TimeoutError) else "unreachable"
        return (
            Check(name="database", ok=False, why=why),
            Check(name="migrations", ok=False, why="unknown while the database does not answer"),
        )
    behind = None if current else "the schema is older than this release: start one process of it, which migrates"
    return (Check(name="database", ok=True), Check(name="migrations", ok=current, why=behind))
