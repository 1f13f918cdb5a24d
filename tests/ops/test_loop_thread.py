"""A loop of its own thread: work goes on without a waiter, and contexts are left by the task that entered them."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from ops.loop_thread import LoopThread, Opened


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    started = LoopThread()
    yield started
    started.close()


def test_work_runs_in_the_loop_thread(loop: LoopThread) -> None:
    async def where() -> str:
        return threading.current_thread().name

    assert loop.run(where()) == "bastao-loop" != threading.current_thread().name


def test_an_error_reaches_the_caller(loop: LoopThread) -> None:
    async def fail() -> None:
        raise LookupError("x")

    with pytest.raises(LookupError):
        loop.run(fail())


def test_a_wait_that_takes_too_long_is_cancelled(loop: LoopThread) -> None:
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        loop.run(wait(), timeout_s=0.01)
    assert ended.wait(2)


def test_a_context_is_entered_and_left_by_one_task(loop: LoopThread) -> None:
    tasks: list[object] = []

    @asynccontextmanager
    async def context() -> AsyncIterator[str]:
        tasks.append(asyncio.current_task())
        yield "value"
        tasks.append(asyncio.current_task())

    opened = Opened(loop, context())
    assert opened.value == "value"
    opened.close()
    assert len(tasks) == 2
    assert tasks[0] is tasks[1]


def test_a_context_that_does_not_open_says_why(loop: LoopThread) -> None:
    @asynccontextmanager
    async def context() -> AsyncIterator[None]:
        raise LookupError("no database")
        yield

    with pytest.raises(LookupError, match="no database"):
        Opened(loop, context())


def test_what_is_open_stays_open_when_only_its_value_is_kept(loop: LoopThread) -> None:
    left = threading.Event()

    @asynccontextmanager
    async def context() -> AsyncIterator[str]:
        try:
            yield "value"
        finally:
            left.set()

    value = Opened(loop, context()).value
    gc.collect()

    async def settle() -> None:
        gc.collect()
        await asyncio.sleep(0)

    loop.run(settle())
    assert value == "value"
    assert not left.is_set()


def test_closing_cancels_what_still_runs() -> None:
    loop = LoopThread()
    ended = threading.Event()
    started = threading.Event()

    async def forever() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    loop.submit(forever())
    assert started.wait(2)
    loop.close()
    assert ended.is_set()
