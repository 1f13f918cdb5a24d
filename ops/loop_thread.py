"""An event loop of its own thread, for callers that are not async: a page's script threads, a terminal.

One loop per process owns the connections and the running turns. A turn therefore goes on while a terminal waits for the
next line, or after a page was closed.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class LoopThread:
    """A daemon thread that runs one event loop until `close`."""

    def __init__(self, name: str = "bastao-loop") -> None:
        self.loop = asyncio.new_event_loop()
        self._kept: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._thread.start()

    def _main(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start `work` in the loop; the caller does not wait."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        # A loop holds its tasks weakly: one that only waits, and that nobody else holds, would be collected.
        self._kept.add(future)
        future.add_done_callback(self._kept.discard)
        return future

    def run(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None) -> T:
        """Run `work` in the loop and wait for it here. An interrupted wait (Ctrl-C) cancels the work.

        Raises:
            TimeoutError: it took longer than `timeout_s`; it is cancelled.
        """
        future = self.submit(work)
        try:
            return future.result(timeout_s)
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""

        async def cancel_all() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.loop.shutdown_asyncgens()

        self.run(cancel_all())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class Opened(Generic[T]):
    """An async context manager that is entered and left by one task of a loop thread, as task-bound contexts require."""

    def __init__(self, loop: LoopThread, context: AbstractAsyncContextManager[T]) -> None:
        self._loop = loop
        self._leave = asyncio.Event()
        ready: Future[T] = Future()
        self._keeper = loop.submit(self._keep(context, ready))
        self.value = ready.result()

    async def _keep(self, context: AbstractAsyncContextManager[T], ready: Future[T]) -> None:
        try:
            async with context as value:
                ready.set_result(value)
                await self._leave.wait()
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def close(self) -> None:
        """Leave the context and wait until it is left."""
        self._loop.loop.call_soon_threadsafe(self._leave.set)
        self._keeper.result()
