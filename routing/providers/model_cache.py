"""Trained models on disk: a file that is there is read, else the model is made and put there, by one process at a time."""

import logging
import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar
from zipfile import BadZipFile

log = logging.getLogger(__name__)

Model = TypeVar("Model")

Alone = Callable[[Path], AbstractContextManager[object]]
"""Keeps the other processes of the machine out while one works: given the path of a lock file. May raise OSError."""


def kept(
    path: Path | None,
    *,
    what: str,
    read: Callable[[Path], Model],
    make: Callable[[], Model],
    write: Callable[[Model], bytes],
    alone: Alone | None = None,
) -> Model:
    """Return the model that `path` holds, else make it and put it there. Without a path nothing is kept.

    Any number of processes may share the folder: a file appears whole or not at all, and one that cannot be read is made
    again. With `alone`, processes that start together make a model once, the others wait for it: making one takes a core
    and a gigabyte. A folder that cannot be written costs the next start its time, nothing else. `what` names the model in
    the log.
    """
    if path is None:
        return make()
    if (found := _found(path, read, what)) is not None:
        return found
    with _in_turn(path, alone, what):
        if alone is not None and path.exists() and (found := _found(path, read, what)) is not None:
            return found
        # Said aloud: a first start takes minutes, and looks like one that hangs.
        log.warning(
            "%s: learning from the examples, as at every first start; up to some minutes on a slow machine", what
        )
        model = make()
        try:
            put_whole(path, write(model))
        except OSError as error:
            log.warning("%s not cached (%s)", what, type(error).__name__)
        return model


def put_whole(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as waiting:
            waiting.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _found(path: Path, read: Callable[[Path], Model], what: str) -> Model | None:
    try:
        return read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        log.warning("cached %s unreadable (%s): trained again", what, type(error).__name__)
        return None


@contextmanager
def _in_turn(path: Path, alone: Alone | None, what: str) -> Generator[None]:
    """Hold the model's lock; where it cannot be had, two processes do the same work."""
    with ExitStack() as held:
        if alone is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                held.enter_context(alone(path.with_suffix(".lock")))
            except OSError as error:
                log.warning("%s is trained without a lock (%s)", what, type(error).__name__)
        yield
