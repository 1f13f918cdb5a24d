"""Whether this process can serve: what an orchestrator asks before it sends traffic."""

import asyncio
from typing import Literal

from ops.deciding import providers_behind, resting
from routing.model import Frozen
from routing.ports import Decider
from storage.database import Database, DatabaseUnavailable
from storage.migrate import is_current

_TIMEOUT_S = 2.0


class Check(Frozen):
    """One thing that should hold. `why` says what is wrong, without addresses or credentials.

    Without a `required` one no turn can be taken. Without another, turns are taken with less: restarting, or sending the
    traffic elsewhere, would mend nothing.
    """

    name: Literal["database", "migrations", "providers", "taking_turns"]
    ok: bool
    required: bool = True
    why: str | None = None


async def readiness(
    database: Database, decider: Decider | None = None, *, timeout_s: float = _TIMEOUT_S
) -> tuple[Check, ...]:
    """Return what must hold for a turn to be taken. Never raises for a database that is down."""
    providers = () if decider is None else (_providers(decider),)
    try:
        async with asyncio.timeout(timeout_s), database.connection() as conn:
            current = await is_current(conn)
    except (DatabaseUnavailable, TimeoutError) as error:
        why = f"no answer within {timeout_s:g} s" if isinstance(error, TimeoutError) else "unreachable"
        return (
            Check(name="database", ok=False, why=why),
            Check(name="migrations", ok=False, why="unknown while the database does not answer"),
            *providers,
        )
    behind = None if current else "the schema is older than this release: start one process of it, which migrates"
    return (Check(name="database", ok=True), Check(name="migrations", ok=current, why=behind), *providers)


def is_ready(checks: tuple[Check, ...]) -> bool:
    return all(check.ok for check in checks if check.required)


def _providers(decider: Decider) -> Check:
    """Look at the breakers: one provider that may be asked is enough."""
    left_alone = resting(decider)
    all_rest = bool(left_alone) and len(left_alone) >= len({provider.flag for provider in providers_behind(decider)})
    return Check(name="providers", ok=not all_rest, required=False, why="; ".join(left_alone) or None)
