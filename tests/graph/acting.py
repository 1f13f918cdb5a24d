"""What the tests about people share: a clock that is set, an operator's action, and what lies in the queue."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from graph.events import Event
from graph.people import ActionKind, PersonAction
from ops.reading import HistoryLine, history
from storage.records import queue
from storage.records.queue import QueueItem
from tests.graph.conftest import Desk


class SetClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def pass_(self, **more: float) -> None:
        self.at += timedelta(**more)


MONDAY = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)  # 10:00 in São Paulo


async def person(
    desk: Desk, kind: ActionKind, text: str | None = None, *, item_id: str | None = None, operator: str = "marta"
) -> list[Event]:
    action = PersonAction(kind=kind, text=text, item_id=item_id)
    return [e async for e in desk.conversation.person(desk.thread_id, action, operator=operator)]


async def items(desk: Desk) -> list[QueueItem]:
    """Everything that was ever queued for the conversation, oldest first."""
    async with desk.services.database.connection() as conn:
        return await queue.of_thread(conn, desk.thread_id)


async def said(desk: Desk) -> list[HistoryLine]:
    return list(await history(desk.services.database, desk.thread_id, customer=None))


async def rows(desk: Desk, query: Any) -> list[dict[str, Any]]:
    async with desk.services.database.connection() as conn:
        return await (await conn.execute(query)).fetchall()


def meanwhile(work: Callable[[], Awaitable[Any]]) -> Callable[[], None]:
    """Return what a scripted model calls, from the thread that it answers in, to have something happen while it thinks."""
    loop = asyncio.get_running_loop()

    async def do() -> None:
        await work()

    return lambda: asyncio.run_coroutine_threadsafe(do(), loop).result(30)
