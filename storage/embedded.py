"""Run a PostgreSQL server of our own, shared by the programs of this machine that use the same data folder.

Every program keeps one connection open, its keeper. On its way out it takes the folder's lock, and stops the server if no other
program's keeper is left. A server that is left by a killed program is used by the next one, or stopped by `stop_server`.
"""

import atexit
import logging
import os
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo

from storage.embedded_account import EmbeddedPostgresError
from storage.embedded_folder import ServerFolder, locate
from storage.embedded_keeper import ROLE, Keeper, attach
from storage.embedded_launch import OUR_SETTINGS, REMEDY, bring_up, longest_start
from storage.embedded_postmaster import has_postmaster, shut_down
from storage.file_lock import FileLockTimeout, file_lock

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "default_data_dir", "stop_server"]

_LOCK_FILE = ".lock"
_STOP_WAIT_SECONDS = 10.0


class EmbeddedPostgres:
    """One data folder's server: started when nobody has, joined when somebody has, recovered when it was killed.

    Threads may share an object; so may forked children, which get a keeper of their own. `start_timeout` is in seconds, and
    covers the recovery after a crash. `binaries` is the folder of `postgres` and `initdb`, found when None. `settings` are added
    to postgresql.conf when this program is the one that starts the server. `use_namespaces=False` makes root do without them.

    With `stop_on_exit` the interpreter's exit calls `stop`. SIGTERM ends Python without that exit: a program that is stopped so
    (Docker, systemd) needs a handler that raises SystemExit, `signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))`.
    Without one nothing is lost, but the server stays for the next program.

    Raises:
        ValueError: `settings` contain one that the supervisor needs for itself.
    """

    def __init__(
        self,
        root: Path,
        *,
        binaries: Path | None = None,
        dbname: str = "bastao",
        start_timeout: float = 60.0,
        settings: Mapping[str, str] | None = None,
        stop_on_exit: bool = True,
        use_namespaces: bool = True,
    ) -> None:
        if clash := OUR_SETTINGS & set(settings or ()):
            raise ValueError(f"the embedded server decides these settings itself: {', '.join(sorted(clash))}")
        self.root = root.expanduser().resolve()
        self._binaries = binaries
        self._dbname = dbname
        self._start_timeout = start_timeout
        self._settings = dict(settings or {})
        self._stop_on_exit = stop_on_exit
        self._use_namespaces = use_namespaces
        self._guard = threading.RLock()
        self._folder = ServerFolder(self.root)
        self._keeper: Keeper | None = None
        self._keeper_process = 0
        self._inherited: list[Keeper] = []
        self._stopped = False

    @property
    def pgdata(self) -> Path:
        """The cluster's folder; below `root`, unless the server's user cannot reach that."""
        return self._folder.pgdata

    @property
    def log_file(self) -> Path:
        """What the server writes: warnings and errors, without the statements."""
        return self._folder.log_file

    @property
    def conninfo(self) -> str:
        """The connection string as of now, with the password: keep it out of logs.

        Raises:
            EmbeddedPostgresError: the server has not been started.
        """
        if self._keeper is None:
            raise EmbeddedPostgresError("the embedded server has not been started: call start() first")
        return make_conninfo(
            host=self._keeper.host,
            port=self._keeper.port,
            user=ROLE,
            password=self._folder.password(),
            dbname=self._dbname,
        )

    def start(self) -> Self:
        """Start or join the server, and create the database when it is missing.

        Raises:
            EmbeddedPostgresError: no way; the message says why and what to do.
        """
        with self._guard:
            self._stopped = False
            self.ensure_running()
        return self

    def ensure_running(self) -> None:
        """Make sure that the server answers: one short query when it does, a start when it does not.

        Raises:
            EmbeddedPostgresError: it cannot be started, or `stop` has been called (a pool's worker that outlives the
                program's end must not bring the server back).
        """
        with self._guard:
            if self._stopped:
                raise EmbeddedPostgresError("the embedded server has been stopped: call start() to use it again")
            self._set_aside_inherited_keeper()
            if self._keeper is not None and self._keeper.answers() and self._accepts_more():
                return
            if self._keeper is not None:
                self._keeper.close()
                self._keeper = None
            with _explained(self.root):
                self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
                with file_lock(self.root / _LOCK_FILE, timeout=longest_start(self._start_timeout)):
                    self._folder = locate(self.root)
                    # Under the lock, as `stop` is: whoever stops sees our keeper, or we find the server gone.
                    self._keeper, self._keeper_process = self._join_or_bring_up(), os.getpid()
            if self._stop_on_exit:
                atexit.unregister(self._stop_at_exit)
                atexit.register(self._stop_at_exit)

    def ensure_conninfo(self) -> str:
        """Make sure that the server answers, and return `conninfo`.

        Give this method itself to `psycopg_pool.ConnectionPool(conninfo=...)`: the pool calls it before each new connection,
        and so recovers as soon as the server does. It blocks: `asyncio.to_thread` in front of an `AsyncConnectionPool`.
        A pool that checks connections when it hands them out (psycopg_pool 3.3) sleeps after each dead one, 1 s, 2 s, 4 s …;
        with more than two idle ones, let the check that fails call the pool's own `check()`, which replaces them all.

        Raises:
            EmbeddedPostgresError: as for `ensure_running`.
        """
        with self._guard:
            self.ensure_running()
            return self.conninfo

    def stop(self, *, force: bool = False) -> None:
        """Leave, and stop the server when no other program uses it, or in any case with `force`. Twice is harmless.

        Raises:
            EmbeddedPostgresError: it does not stop, or the folder's lock is held for too long.
        """
        with self._guard:
            self._stopped = True
            atexit.unregister(self._stop_at_exit)
            self._set_aside_inherited_keeper()
            keeper, self._keeper = self._keeper, None
            if keeper is None:
                return
            with (
                _explained(self.root),
                file_lock(self.root / _LOCK_FILE, timeout=longest_start(self._start_timeout)),
            ):
                if not keeper.answers():
                    keeper.close()
                    keeper = attach(self._folder, wait=_STOP_WAIT_SECONDS)  # another program may have recovered it
                if keeper is None:
                    return
                others_stay = keeper.leave()
                if force or not others_stay:
                    shut_down(self.pgdata, binaries=self._binaries)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _join_or_bring_up(self) -> Keeper:
        keeper = attach(self._folder, wait=self._start_timeout)
        if keeper is None:
            self._folder, keeper = bring_up(
                self._folder,
                root=self.root,
                binaries=self._binaries,
                settings=self._settings,
                use_namespaces=self._use_namespaces,
                timeout=self._start_timeout,
            )
        try:
            keeper.ensure_database(self._dbname, password=self._folder.password())
        except psycopg.Error:
            keeper.close()
            raise
        return keeper

    def _accepts_more(self) -> bool:
        """For a moment, or a long statement, the processes of a killed server go on without it: the keeper's is one of them."""
        return sys.platform == "win32" or has_postmaster(
            self.pgdata
        )  # to ask Windows takes longer than to fail and retry

    def _set_aside_inherited_keeper(self) -> None:
        """A forked child must neither use nor close its parent's connection: both would speak on the same socket."""
        if self._keeper is not None and self._keeper_process != os.getpid():
            self._inherited.append(self._keeper)
            self._keeper = None

    def _stop_at_exit(self) -> None:
        try:
            self.stop()
        except EmbeddedPostgresError as error:
            logging.getLogger(__name__).warning("%s", error)


def default_data_dir(environ: Mapping[str, str]) -> Path:
    """Return BASTAO_DATA_DIR, or "bastao" in the folder that this system keeps a user's data in."""
    if chosen := environ.get("BASTAO_DATA_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        given = Path(environ.get("XDG_DATA_HOME", ""))
        base = given if given.is_absolute() else Path.home() / ".local" / "share"  # the standard ignores relative ones
    return Path(base) / "bastao"


def stop_server(root: Path) -> bool:
    """Stop the server of a data folder, whoever started it; False when none runs. Programs that still use it start it again.

    Raises:
        EmbeddedPostgresError: it does not stop, or belongs to another user.
    """
    root = root.expanduser().resolve()
    if not (root / _LOCK_FILE).exists():
        return False
    with _explained(root), file_lock(root / _LOCK_FILE, timeout=longest_start(0)):
        folder = locate(root)
        if sys.platform == "win32":
            keeper = attach(folder, wait=0)  # there the process alone does not show whose server it is
            if keeper is None:
                return False
            keeper.close()
        return shut_down(folder.pgdata)


@contextmanager
def _explained(root: Path) -> Generator[None]:
    """Turn what the operating system and the server say into what to do about it."""
    try:
        yield
    except FileLockTimeout as error:
        raise EmbeddedPostgresError(f"{error}: end the program that hangs, or set DATABASE_URL") from error
    except OSError as error:
        raise EmbeddedPostgresError(f"the database's folder {root} cannot be used: {error}. {REMEDY}") from error
    except psycopg.Error as error:
        raise EmbeddedPostgresError(f"the embedded server of {root} failed: {error}. {REMEDY}") from error
