"""A turn that runs in this process, as whoever listens to it sees it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from graph.events import Event


@dataclass(slots=True)
class RunningTurn:
    """A turn that runs in this process. Events are kept from the first on, so a late listener misses nothing."""

    turn_id: str
    thread_id: str
    events: list[Event] = field(default_factory=list[Event])
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    lost: bool = False
    over: bool = False
    task: asyncio.Task[None] | None = None
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def post(self, event: Event) -> None:
        async with self._news:
            self.events.append(event.model_copy(update={"seq": len(self.events) + 1}))
            self._news.notify_all()

    async def close(self) -> None:
        async with self._news:
            self.over = True
            self._news.notify_all()

    async def listen(self) -> AsyncIterator[Event]:
        """Yield every event of the turn. Leaving early does not stop it."""
        seen = 0
        while True:
            async with self._news:
                await self._news.wait_for(lambda seen=seen: len(self.events) > seen or self.over)
                fresh, over = self.events[seen:], self.over
            for event in fresh:
                yield event
            seen += len(fresh)
            if over and seen == len(self.events):
                return
