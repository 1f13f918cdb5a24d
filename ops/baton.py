"""What a conversation has learned, promised and done, and what waits for people because of it: the stores, not a reply."""

from datetime import datetime
from typing import Any

from ops.queue import QueueRow
from routing.facts import Commitment, Fact
from routing.model import Frozen
from storage.database import Database
from storage.records import audit, commitments, conversations, effects, facts, queue

Json = dict[str, Any]


class EffectRow(Frozen):
    """One row of the effects ledger; `state` is done, refused, unknown, or claimed and sent while it is under way."""

    turn_id: str
    tool: str
    args: Json
    state: str
    protocol: str | None


class Baton(Frozen):
    """`facts` are those that hold, `promises` all that were ever made, `items` all that were ever queued, oldest first."""

    facts: tuple[Fact, ...]
    promises: tuple[Commitment, ...]
    effects: tuple[EffectRow, ...]
    items: tuple[QueueRow, ...]


async def baton_of(database: Database, thread_id: str, *, reader: str, now: datetime) -> Baton:
    """Read a conversation's stores. Who looked is noted."""
    async with database.connection() as conn:
        known = await facts.all_of(conn, thread_id)
        promises = await commitments.all_of(conn, thread_id)
        ledger = await effects.of_thread(conn, thread_id)
        items = await queue.of_thread(conn, thread_id)
        await audit.write(conn, actor=f"operator:{reader}", rule="read_baton", thread_id=thread_id, now=now)
    return Baton(
        facts=tuple(f for f in known if f.status != "replaced"),
        promises=tuple(promises),
        effects=tuple(
            EffectRow(
                turn_id=e.turn_id, tool=e.tool, args=e.args, state=e.state, protocol=(e.receipt or {}).get("protocol")
            )
            for e in ledger
        ),
        items=tuple(QueueRow.model_validate(i.model_dump(include=set(QueueRow.model_fields))) for i in items),
    )


async def is_unused(database: Database) -> bool:
    """Tell whether nobody has ever written anything in this database."""
    async with database.connection() as conn:
        return not await conversations.any_at_all(conn)
