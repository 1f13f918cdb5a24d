"""Exclude the other processes of this machine while one of them works on a folder."""

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_POLL_SECONDS = 0.02


class FileLockTimeout(TimeoutError):
    """Another process held the lock for longer than we were willing to wait."""


@contextmanager
def file_lock(path: Path, *, timeout: float) -> Generator[None]:
    """Hold an exclusive lock on `path`, which is created when missing and never removed.

    The kernel drops the lock of a process that dies, however it dies. `timeout` is in seconds.

    Raises:
        FileLockTimeout: somebody else held it for all that time.
        OSError: the file cannot be created or opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + timeout
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise FileLockTimeout(f"{path} has been held by another process for {timeout:.0f} s")
            time.sleep(_POLL_SECONDS)
        try:
            yield
        finally:
            # Closing alone would not do: a child forked by another thread meanwhile shares this open file.
            _unlock(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
