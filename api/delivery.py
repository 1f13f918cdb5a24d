"""A turn's events on their way to a caller: as a stream or as one answer. Who leaves stops listening, not the turn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from graph.events import Event, Failed

KEEPALIVE_S = 15.0
_LOOK_S = 0.05

Explain = Callable[[Exception], Awaitable[Failed]]


class Send:
    """One message or action on its way. Its events are read in a task of their own, whoever listens."""

    def __init__(self) -> None:
        self.finished = False
        self._events: asyncio.Queue[Event | Exception | None] = asyncio.Queue()
        self._first: Event | None = None

    async def begin(self) -> None:
        """Wait for the first event. Raises what the door raised before it: then nothing was begun."""
        first = await self._events.get()
        if isinstance(first, Exception):
            raise first
        self._first = first

    async def events(self, *, explain: Explain) -> AsyncIterator[Event | None]:
        """Yield every event, and None when nothing has happened for a while. An error on the way is an event too."""
        if self._first is not None:
            yield self._first
        while True:
            try:
                event = await asyncio.wait_for(self._events.get(), KEEPALIVE_S)
            except TimeoutError:
                yield None
                continue
            if event is None:
                return
            yield await explain(event) if isinstance(event, Exception) else event

    async def read(self, events: AsyncIterator[Event]) -> None:
        try:
            async for event in events:
                self._events.put_nowait(event)
        except Exception as error:  # a door: whoever listens is told
            self._events.put_nowait(error)
        finally:
            self.finished = True
            self._events.put_nowait(None)


class Sends:
    """The sends of a process."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, events: AsyncIterator[Event]) -> Send:
        """Begin to read the events of a door. The caller listens by `begin` and `events`, or leaves."""
        send = Send()
        self.keep(send.read(events))
        return send

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait for every send. Call it when the conversation takes no new turn."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))


async def stop_when_left(
    request: Request,
    send: Send,
    *,
    turn_of: Callable[[], Awaitable[str | None]],
    stop: Callable[[str], Awaitable[bool]],
) -> None:
    """Stop the message's turn once the caller has closed the connection, also one that is only about to begin."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    while not send.finished:
        turn_id = await turn_of()
        if turn_id is not None and await stop(turn_id):
            return
        await asyncio.sleep(_LOOK_S)


async def as_stream(send: Send, *, explain: Explain) -> AsyncIterator[bytes]:
    """Encode the events as Server-Sent Events: the type as `event`, the whole event as `data`."""
    async for event in send.events(explain=explain):
        if event is None:
            yield KEEPALIVE_COMMENT
        else:
            yield format_sse_event(event=event.type, data_str=event.model_dump_json())
