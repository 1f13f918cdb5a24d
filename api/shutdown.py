"""SIGTERM, SIGINT: first the work ends, while the port still answers that this process takes nothing new; then the server."""

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)
Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def drained_first(drain: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """While inside, a signal that ends the process waits for `drain`; a second one does not wait.

    Whoever handled the signals before (uvicorn, which then closes its port) gets them afterwards. Without a handler of
    somebody's, or outside the main thread, where no handler can be set, nothing changes.
    """
    loop = asyncio.get_running_loop()
    before = _handlers()
    draining: list[asyncio.Task[None]] = []
    told: list[int] = []

    def pass_on(number: int) -> None:
        told.append(number)
        before[number](number, None)

    def begin(number: int) -> None:
        async def ending() -> None:
            try:
                await drain()
            finally:
                if not told:
                    pass_on(number)

        draining.append(loop.create_task(ending()))

    def received(number: int, frame: FrameType | None) -> None:
        if draining:
            pass_on(number)
        else:
            loop.call_soon_threadsafe(begin, number)

    for number in before:
        signal.signal(number, received)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _handlers() -> dict[int, Handler]:
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = {number: signal.getsignal(number) for number in SIGNALS}
    return {int(number): handler for number, handler in found.items() if callable(handler)}
