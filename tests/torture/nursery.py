"""Processes that are there at once: a server that has imported everything forks them, and nothing of the test's own state."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.torture.preloaded"])
PATIENCE_S = 300  # of a machine that does a lot else


@contextmanager
def born(work: Callable[[Any, Connection], None], task: Any) -> Iterator[tuple[Any, Connection]]:
    """Run `work(task, pipe)` in a new process; give the process and our end of the pipe. It does not outlive the block."""
    process, ours = born_freely(work, task)
    try:
        yield process, ours
    finally:
        process.kill()
        process.join(PATIENCE_S)
        ours.close()


def heard(pipe: Connection) -> Any:
    """Return what the process says next. Raises EOFError when it died without a word, TimeoutError when it hangs."""
    if not pipe.poll(PATIENCE_S):
        raise TimeoutError("the process says nothing")
    return pipe.recv()


def ended(process: Any) -> int:
    """Wait for the process's end; return its exit code, negative for a signal."""
    process.join(PATIENCE_S)
    assert process.exitcode is not None, "the process does not end"
    return process.exitcode


KILLED = -signal.SIGKILL


def born_freely(work: Callable[[Any, Connection], None], task: Any) -> tuple[Any, Connection]:
    """As `born`, without an end: whoever asked for the process ends it."""
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=work, args=(task, theirs), daemon=True)
    process.start()
    theirs.close()
    return process, ours
