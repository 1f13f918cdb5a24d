"""Promises with a date: in the queue before they are due, and again when nobody kept them in time."""

from datetime import timedelta
from typing import Literal

from graph.people import CONVERSATION
from graph.services import Services
from routing.calendar import remind_at
from routing.facts import Commitment
from storage.records import commitments, queue
from storage.records.commitments import FollowUp
from storage.rows import Connection

# Above every other reason in the queue (graph/desk.py): a promise that is due comes before whoever waits.
DUE, OVERDUE = 130, 140
# `remind_at` looks back over holidays and weekends; no promise is queued earlier than that.
_HORIZON_DAYS = 30


async def queue_follow_ups(services: Services, *, limit: int = 100) -> int:
    """Queue the promises whose reminder has come and those that are overdue; return how many were put before a person."""
    now, hours = services.clock.now(), services.hours
    async with services.database.connection() as conn:
        found = await commitments.due(conn, now=now, ahead=timedelta(days=_HORIZON_DAYS), limit=limit)
    queued = 0
    for follow_up in found:
        if follow_up.due > now and remind_at(follow_up.due, hours) > now:
            continue
        status: Literal["queued", "overdue"] = "overdue" if follow_up.due <= now else "queued"
        async with services.database.transaction() as conn:
            queued += await _queue(conn, services, follow_up, status)
    return queued


async def _queue(
    conn: Connection, services: Services, follow_up: FollowUp, status: Literal["queued", "overdue"]
) -> int:
    """Put one promise before a person: the item that it made itself is seen sooner, else it gets one."""
    now = services.clock.now()
    promise = await commitments.get(conn, follow_up.thread_id, follow_up.commitment_id)
    if promise is None or promise.status in ("kept", "withdrawn"):
        await commitments.end_follow_ups(conn, follow_up.thread_id, follow_up.commitment_id, status="done")
        return 0
    if not await commitments.mark_queued(conn, follow_up.id, status=status, now=now):
        return 0
    if status == "overdue":
        await commitments.set_status(conn, follow_up.thread_id, promise.id, status="overdue")
    priority = OVERDUE if status == "overdue" else DUE
    if (own := await _open_item(conn, follow_up, promise)) is not None:
        await queue.raise_priority(conn, own.id, priority=priority)
        return 1
    item_id = services.new_id("q")
    await queue.enqueue(
        conn, key=f"follow_up:{follow_up.id}:{status}", item_id=item_id, thread_id=follow_up.thread_id, kind="follow_up",
        reason=f"commitment_{'overdue' if status == 'overdue' else 'due'}", about=promise.text, priority=priority,
        package={"commitment": promise.id, "thread": follow_up.thread_id, "owner": follow_up.owner, "by": promise.by},
        due=follow_up.due, now=now,
    )  # fmt: skip
    return 1


async def _open_item(conn: Connection, follow_up: FollowUp, promise: Commitment) -> queue.QueueItem | None:
    """Return the item that already stands for the promise: a callback's own, or the one that reminded of it."""
    for item in await queue.open_of_thread(conn, follow_up.thread_id):
        own = f"c-{item.protocol}" == promise.id
        if item.kind != CONVERSATION and (own or (item.package or {}).get("commitment") == promise.id):
            return item
    return None
