"""What the customer is told of people without a turn, and what the clock does to a claim that nobody works on."""

from datetime import datetime

from graph.services import Services
from routing.opening import opening_words
from routing.queue_moves import Refused, move
from routing.sentences import say
from storage.records import audit, commitments, conversations, messages, queue
from storage.records.conversations import Conversation
from storage.records.queue import QueueItem
from storage.rows import Connection


async def tell(
    conn: Connection, services: Services, conversation: Conversation, key: str, *, now: datetime, **values: object
) -> None:
    """Tell the customer what people did, in our own words: it is in the history, and no turn is needed for it."""
    await messages.add(
        conn, conversation.thread_id, message_id=services.new_id("m"), role="system",
        text=say(key, conversation.language or "pt", **values), now=now,
    )  # fmt: skip


async def keep_promise(conn: Connection, item: QueueItem) -> None:
    """Note that the promise behind an item was kept: nobody is reminded of it again."""
    commitment_id = (item.package or {}).get("commitment") or f"c-{item.protocol}"
    thread_id = (item.package or {}).get("thread") or item.thread_id
    if thread_id is not None and await commitments.set_status(conn, thread_id, commitment_id, status="kept"):
        await commitments.end_follow_ups(conn, thread_id, commitment_id, status="done")


async def release(services: Services, item: QueueItem) -> bool:
    """Put a claimed item back because its operator is gone. The bot speaks again, and the customer is told. False: too late."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        conversation = await conversations.lock(conn, item.thread_id) if item.thread_id else None
        current = await queue.get(conn, item.id)
        if current is None or (current.operator, current.claimed_at) != (item.operator, item.claimed_at):
            return False
        if isinstance(move(current.standing, "release"), Refused) or not await queue.release(conn, item.id):
            return False
        await audit.write(
            conn, now=now, actor="clock", rule="claim_timed_out", thread_id=item.thread_id, detail={"item": item.id, "operator": item.operator}
        )  # fmt: skip
        if conversation is not None and conversation.held_by == item.operator:
            await conversations.bump_epoch(conn, conversation.thread_id, held_by=None, now=now)
            when = opening_words(now, services.hours, conversation.language or "pt")
            await tell(conn, services, conversation, "people.released", now=now, protocol=item.protocol, when=when)
    return True
