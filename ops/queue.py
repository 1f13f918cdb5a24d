"""The human queue as operators read it."""

from datetime import datetime
from typing import Any, Literal

from graph.services import Services
from routing.model import Frozen
from storage.records import audit, queue

Json = dict[str, Any]
Which = Literal["waiting", "claimed", "open"]


class QueueNote(Frozen):
    at: datetime
    author: str
    text: str


class QueueRow(Frozen):
    """What a person has to do (`kind`), why (`reason`, a code), and what to know about it (`about`, in words; `package`)."""

    id: str
    protocol: str
    thread_id: str | None
    turn_id: str | None
    kind: str
    reason: str
    about: str | None
    status: Literal["waiting", "claimed", "resolved", "withdrawn"]
    priority: int
    package: Json | None
    notes: tuple[QueueNote, ...]
    operator: str | None
    created_at: datetime
    claimed_at: datetime | None
    due: datetime | None


async def queue_rows(
    services: Services, *, operator: str, which: Which = "open", limit: int = 100
) -> tuple[QueueRow, ...]:
    """Return what waits (most urgent first), then what operators are working on, and note who looked."""
    async with services.database.connection() as conn:
        waiting = await queue.waiting(conn, limit=limit) if which != "claimed" else []
        claimed = await queue.claimed(conn) if which != "waiting" else []
        await audit.write(
            conn, actor=f"operator:{operator}", rule="read_queue", detail={"which": which}, now=services.clock.now()
        )
    return tuple(QueueRow.model_validate(_plain(item)) for item in [*waiting, *claimed][:limit])


def _plain(item: queue.QueueItem) -> Json:
    return item.model_dump(include=set(QueueRow.model_fields))
