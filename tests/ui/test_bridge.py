"""Runs outlive their watchers: a fake door that yields real events, and script threads that come and go."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from graph.events import Done, Event, Reply, Token
from ops.live import live_feed
from ops.loop_thread import LoopThread, Opened
from routing.shop import Customer
from ui.bridge import Backend, Run, Runs

PATIENCE_S = 5.0
POOLED: Any = SimpleNamespace(real_sessions=False)  # a database without a session to listen in


class Door:
    """Yields one token, waits until it is let go, yields the rest. Counts how often it was asked."""

    def __init__(self, loop: LoopThread) -> None:
        self._loop = loop
        self._go = asyncio.Event()
        self.asked = 0
        self.ended = threading.Event()

    async def send(self) -> AsyncIterator[Event]:
        self.asked += 1
        try:
            yield Token(text="olá ")
            await self._go.wait()
            yield Reply(text="olá mundo", agent=None, message_id="r", turn_id="t")
            yield Done(turn_id="t", turn=1, status="replied", latency_ms=1.0)
        finally:
            self.ended.set()

    def let_go(self) -> None:
        self._loop.loop.call_soon_threadsafe(self._go.set)


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    started = LoopThread()
    yield started
    started.close()


def started(loop: LoopThread, message_id: str = "m") -> tuple[Runs, Run, Door]:
    runs, door = Runs(loop), Door(loop)
    return runs, runs.start(Run(thread_id="t", message_id=message_id, text="oi"), door.send), door


def types(items: Iterator[Event | None]) -> list[str]:
    return [item.type for item in items if item is not None]


def next_event(items: Iterator[Event | None]) -> Event:
    """Return the next event: a watched turn beats with None for as long as it is silent."""
    return next(item for item in items if item is not None)


def test_events_arrive_in_order(loop: LoopThread) -> None:
    _, run, door = started(loop)
    door.let_go()
    assert types(run.watch()) == ["token", "reply", "done"]


def test_a_silent_turn_beats(loop: LoopThread) -> None:
    _, run, door = started(loop)
    watching = run.watch(heartbeat_s=0.01)
    assert next(item for item in watching if item is None) is None
    door.let_go()
    assert types(watching)[-1] == "done"


def test_a_closed_browser_does_not_end_the_turn(loop: LoopThread) -> None:
    runs, run, door = started(loop)
    watching = run.watch(heartbeat_s=0.01)
    assert next_event(watching) == Token(text="olá ")
    watching.close()
    assert not door.ended.is_set()
    assert runs.live("t") is run
    door.let_go()
    assert door.ended.wait(PATIENCE_S)


def test_a_page_that_comes_back_sees_the_turn_from_its_first_event(loop: LoopThread) -> None:
    runs, run, door = started(loop)
    first = run.watch(heartbeat_s=0.01)
    next_event(first)
    first.close()
    again = runs.live("t")
    assert again is run
    door.let_go()
    assert types(again.watch()) == ["token", "reply", "done"]


def test_two_pages_watch_one_turn(loop: LoopThread) -> None:
    _, run, door = started(loop)
    one, two = run.watch(heartbeat_s=0.01), run.watch(heartbeat_s=0.01)
    assert next_event(one) == next_event(two) == Token(text="olá ")
    door.let_go()
    assert types(one) == types(two) == ["reply", "done"]


def test_the_same_message_is_sent_once(loop: LoopThread) -> None:
    runs, run, door = started(loop)
    assert runs.start(Run(thread_id="t", message_id="m", text="oi"), door.send) is run
    door.let_go()
    assert types(run.watch()) == ["token", "reply", "done"]
    assert door.asked == 1


def test_the_newest_of_two_messages_is_the_live_one(loop: LoopThread) -> None:
    runs, first, door = started(loop)
    second = runs.start(Run(thread_id="t", message_id="m2", text="e mais"), door.send)
    assert runs.live("t") is second
    door.let_go()
    assert types(first.watch()) == types(second.watch()) == ["token", "reply", "done"]


def test_an_ended_run_is_no_longer_live(loop: LoopThread) -> None:
    runs, run, door = started(loop)
    door.let_go()
    types(run.watch())
    assert runs.live("t") is None


def test_what_the_door_raises_reaches_the_watcher_even_when_it_comes_late(loop: LoopThread) -> None:
    async def refuse() -> AsyncIterator[Event]:
        yield Token(text="a")
        raise LookupError("not yours")

    runs = Runs(loop)
    run = runs.start(Run(thread_id="t", message_id="m", text="oi"), refuse)
    watching = (item for item in run.watch() if item is not None)
    assert next_event(watching) == Token(text="a")
    with pytest.raises(LookupError, match="not yours"):
        next(watching)
    assert runs.live("t") is None
    late = (item for item in run.watch() if item is not None)
    assert next(late) == Token(text="a")
    with pytest.raises(LookupError):
        next(late)


class FakeConversation:
    """A door whose turn runs until somebody stops it."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        self.closed = False
        self._stopped = asyncio.Event()

    async def send(self, thread_id: str, parts: list[str], **given: Any) -> AsyncIterator[Event]:
        self.given = {"thread_id": thread_id, "parts": parts, **given}
        yield Token(text="olá")
        await self._stopped.wait()
        yield Done(turn_id="t", turn=1, status="interrupted", latency_ms=1.0)

    async def stop(self, thread_id: str, turn_id: str | None = None) -> bool:
        self._stopped.set()
        return True


@pytest.fixture
def conversation() -> FakeConversation:
    return FakeConversation()


@pytest.fixture
def backend(conversation: FakeConversation) -> Iterator[Backend]:
    @asynccontextmanager
    async def open_fake() -> AsyncIterator[Any]:
        yield SimpleNamespace(conversation=conversation)
        conversation.closed = True

    loop = LoopThread()
    yield Backend(loop, Opened(loop, open_fake()), Runs(loop), Opened(loop, live_feed(POOLED)))
    if not loop.loop.is_closed():
        loop.close()


ANA = Customer(id="c1", name="Ana", level="session")


def test_a_message_is_sent_as_the_customer_on_the_web(backend: Backend, conversation: FakeConversation) -> None:
    run = backend.send(thread_id="t", text="oi", message_id="m", customer=ANA)
    assert next(item for item in run.watch() if item is not None) == Token(text="olá")
    assert conversation.given == {
        "thread_id": "t",
        "parts": ["oi"],
        "message_id": "m",
        "customer": ANA,
        "channel": "web",
    }
    backend.stop("t")


def test_only_stop_stops(backend: Backend) -> None:
    run = backend.send(thread_id="t", text="oi", message_id="m", customer=ANA)
    left = run.watch(heartbeat_s=0.01)
    next(left)
    left.close()
    assert backend.runs.live("t") is run
    backend.stop("t")
    assert types(run.watch()) == ["token", "done"]
    assert backend.runs.live("t") is None


def test_a_read_waits_for_its_result(backend: Backend) -> None:
    async def read() -> int:
        return 7

    assert backend.read(read()) == 7


def test_closing_gives_everything_back(backend: Backend, conversation: FakeConversation) -> None:
    backend.close()
    assert conversation.closed
    assert backend.loop.loop.is_closed()
