"""The people behind the bot: what a turn puts into their queue. Every item is idempotent by its key."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection

from routing.calendar import OpeningHours, remind_at
from routing.facts import Commitment
from routing.shop import Receipt
from storage.database import Database
from storage.records import commitments, queue, turns

Json = dict[str, Any]
# Larger is sooner. A sensitive topic carries its own priority on top of these.
PRIORITY = {"sensitive": 90, "asked_for_human": 50, "approval": 60, "effect_unknown": 80, "callback": 40, "review": 40}
PRIORITY_OTHER = 20
# On top: who is angry comes before who waits calmly, and a promise that is due before both (ops/follow_ups.py).
UPSET = 25
_MOST_NOTES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueDesk:
    """Implements `routing.ports.Desk` for one turn.

    With its `fence` nothing is written by an owner whose turn went to another: every write then raises `StaleFence`.
    """

    database: Database
    thread_id: str
    turn_id: str
    contact_id: str
    customer_id: str | None
    hours: OpeningHours
    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    fence: int | None = None

    async def open_review(self, key: str, *, about: str, order_id: str | None) -> Receipt:
        item = await self.call_person(key, reason="review", kind="review", note=about)
        return Receipt(
            protocol=item.protocol, kind="review", at=item.created_at, order_id=order_id, values={"about": about}
        )

    async def promise_callback(self, key: str, *, about: str, due: datetime | None) -> Receipt:
        """Queue a callback. A dated one also becomes a commitment with a follow-up that somebody owns."""
        item = await self.call_person(key, reason="callback", kind="callback", note=about, due=due)
        if due is not None:
            await self._commit_to(item, about, due)
        return Receipt(protocol=item.protocol, kind="callback", at=item.created_at, values={"about": about})

    async def _commit_to(self, item: queue.QueueItem, about: str, due: datetime) -> None:
        commitment = Commitment(
            id=f"c-{item.protocol}", text=about, by="callback", at=item.created_at, due=due, origin="promise_callback"
        )
        follow_up = commitments.FollowUp(
            id=f"fu-{item.protocol}", thread_id=self.thread_id, commitment_id=commitment.id, owner="desk", due=due, status="open",
            queued_at=None,
        )  # fmt: skip
        async with self._writing() as conn:
            await commitments.save(conn, self.thread_id, self.customer_id, [commitment])
            await commitments.add_follow_up(conn, follow_up)

    async def call_person(
        self, key: str, *, reason: str, note: str | None = None, kind: str = "conversation", due: datetime | None = None,
        proposal: Json | None = None, priority: int = 0,
    ) -> queue.QueueItem:  # fmt: skip
        """Put an item into the queue now, on its own: it must survive a turn that fails later."""
        async with self._writing() as conn:
            return await self.enqueue(
                conn, key, reason=reason, note=note, kind=kind, due=due, package=proposal, priority=priority
            )

    async def add(self, item_id: str, text: str, *, priority: int = 0) -> None:
        """Add the customer's words to an item that waits; a turn that runs again adds nothing twice."""
        async with self._writing() as conn:
            item = await queue.get(conn, item_id)
            await queue.raise_priority(conn, item_id, priority=priority)
            if item is not None and text.strip() and len(item.notes) < _MOST_NOTES:
                await queue.add_note(conn, item_id, author="customer", text=text, now=self.now(), once=True)

    async def withdraw(self) -> list[str]:
        """Take the conversation back out of the queue; return the protocols. What a person has taken stays with that person."""
        async with self._writing() as conn:
            waiting = [i for i in await queue.open_of_thread(conn, self.thread_id) if i.kind == "conversation"]
            return [i.protocol for i in waiting if await queue.withdraw(conn, i.id, now=self.now())]

    async def enqueue(
        self, conn: AsyncConnection[Any], key: str, *, reason: str, note: str | None = None, kind: str = "conversation",
        due: datetime | None = None, package: Json | None = None, priority: int = 0,
    ) -> queue.QueueItem:  # fmt: skip
        """Put an item into the queue in a transaction of the caller's. One that is over does not stand in for a new one."""
        item = await self._put(conn, key, reason, note, kind, due, package, priority)
        if item.status in ("waiting", "claimed") or item.turn_id == self.turn_id:
            return item
        again = [i for i in await queue.open_of_thread(conn, self.thread_id) if i.key.startswith(f"{key}:")]
        if again:
            return again[0]
        return await self._put(conn, f"{key}:{self.turn_id}", reason, note, kind, due, package, priority)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[AsyncConnection[Any]]:
        async with self.database.transaction() as conn:
            if self.fence is not None:
                await turns.check(conn, self.turn_id, fence=self.fence, epoch=None)
            yield conn

    async def _put(
        self, conn: AsyncConnection[Any], key: str, reason: str, note: str | None, kind: str, due: datetime | None,
        package: Json | None, priority: int,
    ) -> queue.QueueItem:  # fmt: skip
        return await queue.enqueue(
            conn, key=key, item_id=self.new_id("q"), thread_id=self.thread_id, kind=kind, reason=reason, about=note,
            contact_id=self.contact_id, turn_id=self.turn_id, priority=PRIORITY.get(reason, PRIORITY_OTHER) + priority, package=package,
            due=remind_at(due, self.hours) if due else None, now=self.now(),
        )  # fmt: skip
