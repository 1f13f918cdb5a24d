"""Between Streamlit's script threads and the one event loop that owns the database, the graph and the running turns.

A message is sent once and then watched: closing the browser, reloading or choosing another conversation ends the
watching, never the turn. A page that comes back finds the run and goes on watching from its first event.
"""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from graph.conversation import Bastao
from graph.events import Event
from ops.live import LiveFeed, live_feed
from ops.logs import configure_logs
from ops.loop_thread import LoopThread, Opened
from routing.shop import Customer
from settings import load_settings, open_bastao

T = TypeVar("T")
CHANNEL = "web"
HEARTBEAT_S = 0.2
MAINTAIN_EVERY_S = 60.0
READ_TIMEOUT_S = 30.0


class Run:
    """One message on its way, with every event so far. Written by the loop's thread, read by any script thread."""

    def __init__(self, *, thread_id: str, message_id: str, text: str) -> None:
        self.thread_id = thread_id
        self.message_id = message_id
        self.text = text
        self.error: Exception | None = None
        self._events: list[Event] = []
        self._finished = False
        self._changed = threading.Condition()

    def add(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def finish(self, error: Exception | None = None) -> None:
        with self._changed:
            self.error = error
            self._finished = True
            self._changed.notify_all()

    def watch(self, heartbeat_s: float = HEARTBEAT_S) -> Iterator[Event | None]:
        """Yield the events from the first on, and None while nothing happens.

        Streamlit can only end or rerun a script at one of its own calls: the caller makes one at each None.

        Raises:
            Exception: whatever the door raised, after the events that came before it.
        """
        seen = 0
        while True:
            with self._changed:
                if seen == len(self._events) and not self._finished:
                    self._changed.wait(heartbeat_s)
                new, finished = self._events[seen:], self._finished
            seen += len(new)
            yield from new
            if finished:
                break
            if not new:
                yield None
        if self.error is not None:
            raise self.error


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs that have not ended, by conversation."""

    loop: LoopThread
    _live: dict[str, list[Run]] = field(default_factory=dict[str, list[Run]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, run: Run, send: Callable[[], AsyncIterator[Event]]) -> Run:
        """Send and return at once. The same message id again, while it is on its way, joins the first run."""
        with self._lock:
            known = self._live.setdefault(run.thread_id, [])
            if same := next((r for r in known if r.message_id == run.message_id), None):
                return same
            known.append(run)
        self.loop.submit(self._pump(run, send))
        return run

    def live(self, thread_id: str) -> Run | None:
        """Return the newest run of a conversation that has not ended."""
        with self._lock:
            return self._live[thread_id][-1] if self._live.get(thread_id) else None

    async def _pump(self, run: Run, send: Callable[[], AsyncIterator[Event]]) -> None:
        error: Exception | None = None
        try:
            async for event in send():
                run.add(event)
        except Exception as raised:  # this is a door between threads: whoever watches gets it
            error = raised
        finally:
            with self._lock:
                self._live[run.thread_id].remove(run)
                if not self._live[run.thread_id]:
                    del self._live[run.thread_id]
            run.finish(error)


@dataclass(frozen=True, slots=True)
class Backend:
    """What the pages of one process share."""

    loop: LoopThread
    opened: Opened[Bastao]
    runs: Runs
    news: Opened[LiveFeed]

    @property
    def bastao(self) -> Bastao:
        return self.opened.value

    @property
    def feed(self) -> LiveFeed:
        return self.news.value

    def read(self, work: Awaitable[T]) -> T:
        """Wait for a read of ops/. Raises TimeoutError, and DatabaseUnavailable as the read does."""

        async def reading() -> T:
            return await work

        return self.loop.run(reading(), READ_TIMEOUT_S)

    def send(self, *, thread_id: str, text: str, message_id: str, customer: Customer) -> Run:
        """Start a customer's message on its way."""
        run = Run(thread_id=thread_id, message_id=message_id, text=text)
        conversation = self.bastao.conversation
        return self.runs.start(
            run, lambda: conversation.send(thread_id, [text], message_id=message_id, customer=customer, channel=CHANNEL)
        )

    def stop(self, thread_id: str) -> None:
        """Ask the running turn to stop, if there is one."""
        self.loop.run(self.bastao.conversation.stop(thread_id), READ_TIMEOUT_S)

    def close(self) -> None:
        """Let running turns finish, give the database back, and end the loop."""
        self.news.close()  # first: one that listens would wake an embedded server that is being stopped
        self.opened.close()
        self.loop.close()


def open_backend(environ: Mapping[str, str]) -> Backend:
    """Open everything in a loop of its own, and finish what an earlier process left unfinished.

    Raises:
        ConfigurationError, DatabaseUnavailable: as the door does; nothing is left running then.
    """
    settings = load_settings(environ)
    configure_logs(settings.logs, environ)
    loop = LoopThread()
    try:
        opened = Opened[Bastao](loop, open_bastao(settings, environ, maintain_every_s=MAINTAIN_EVERY_S))
        loop.run(opened.value.ready())
        news = Opened[LiveFeed](loop, live_feed(opened.value.database))
    except BaseException:
        loop.close()
        raise
    loop.submit(opened.value.conversation.resume())
    return Backend(loop, opened, Runs(loop), news)
