"""News of conversations for whoever shows one: heard from PostgreSQL where it can be, else asked for every few seconds.

A page takes the `mark` of a conversation, reads and draws it, and asks later whether it is `stale`. Nothing can be missed: what
was written between mark and read makes it stale once for nothing, and marks from before a lost connection are all stale.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from time import monotonic
from uuid import uuid4

from storage.database import Database, DatabaseUnavailable
from storage.notify import heard, key_of, knock

POLL_S = 2.0
_REMEMBERED = 10_000
_KNOCK = "knock-"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mark:
    """How much was heard of a conversation; `heard` is None while nobody listens. `at` by the feed's clock."""

    thread_id: str
    heard: int | None
    at: float


class LiveFeed:
    """What was heard, written by the task that listens and read by any thread.

    Listening is proved, not believed: behind a transaction pooler LISTEN succeeds and nothing ever comes. It knocks first and
    every `every_s`; a knock that is not heard within `proof_s` means polling until the next try.
    """

    def __init__(
        self,
        database: Database,
        *,
        every_s: float = 60.0,
        proof_s: float = 10.0,
        retry_s: float = 5.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._every_s, self._proof_s, self._retry_s = every_s, proof_s, retry_s
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._floor = 0
        self._last: dict[str, int] = {}
        self._listening = False
        self._knock = f"{_KNOCK}{uuid4().hex}"

    @property
    def listening(self) -> bool:
        return self._listening

    def mark(self, thread_id: str) -> Mark:
        """Return where a conversation stands; take it before reading the conversation."""
        with self._lock:
            now = self._last.get(key_of(thread_id), self._floor) if self._listening else None
        return Mark(thread_id=thread_id, heard=now, at=self._clock())

    def stale(self, mark: Mark) -> bool:
        """Tell whether it is time to look again: there is news, or nobody listens and `POLL_S` passed."""
        now = self.mark(mark.thread_id)
        if now.heard is None:
            return mark.heard is not None or now.at - mark.at >= POLL_S
        return now.heard != mark.heard

    async def run(self) -> None:
        """Listen for ever, anew whenever the connection is lost. Returns at once where there is no session to listen in."""
        while self._database.real_sessions:
            try:
                await self._listen()
            except (DatabaseUnavailable, TimeoutError) as problem:
                log.warning("not listening for news, pages ask every %g s: %s", POLL_S, type(problem).__name__)
            finally:
                self._listening = False
            await asyncio.sleep(self._retry_s)

    async def _listen(self) -> None:
        async with aclosing(heard(self._database, every_s=self._every_s)) as news:
            while True:
                key = await anext(news)
                if key is None:
                    async with asyncio.timeout(self._proof_s):
                        await self._proved(news)
                else:
                    self._note(key)

    async def _proved(self, news: AsyncGenerator[str | None]) -> None:
        """Knock, and hear it. What is heard before it is news as any other."""
        await knock(self._database, self._knock)
        while (key := await anext(news)) != self._knock:
            if key is not None:
                self._note(key)
        if not self._listening:
            with self._lock:
                self._count += 1
                self._forget()
                self._listening = True

    def _note(self, key: str) -> None:
        if key.startswith(_KNOCK):
            return  # another process asks whether it hears itself
        with self._lock:
            self._count += 1
            self._last[key] = self._count
            if len(self._last) > _REMEMBERED:
                self._forget()

    def _forget(self) -> None:
        """Begin anew: every mark from before is stale."""
        self._floor = self._count
        self._last.clear()


@asynccontextmanager
async def live_feed(database: Database) -> AsyncGenerator[LiveFeed]:
    """Yield a feed that listens until the block is left."""
    feed = LiveFeed(database)
    task = asyncio.create_task(feed.run(), name="live feed")
    try:
        yield feed
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
