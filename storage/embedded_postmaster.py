"""Look at, and stop, the server process of one data folder: `postmaster.pid` names it, but its number alone proves nothing.

After a crash the number may be free, may belong to a zombie that nobody reaps (Docker without --init), or to any other process.
"""

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from storage.embedded_account import EmbeddedPostgresError, ServerAccount
from storage.embedded_binaries import EXECUTABLE_SUFFIX, find_binaries

PID_FILE = "postmaster.pid"

_POLL_SECONDS = 0.02
_FAST_STOP_SECONDS = 20.0
_IMMEDIATE_STOP_SECONDS = 15.0


@dataclass(frozen=True, kw_only=True)
class PidFile:
    """The lines of `postmaster.pid` that we use (its format: miscadmin.h, LOCK_FILE_LINE_*). Empty where not yet written."""

    pid: int
    port: str
    socket_folder: str
    rest: tuple[str, ...]


def read_pid_file(pgdata: Path) -> PidFile | None:
    """Return None when there is none; a torn or empty one (the machine went down while it was written) has the pid 0."""
    try:
        lines = (pgdata / PID_FILE).read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return None
    first, _, _, port, socket_folder = (line.strip() for line in [*lines, *[""] * 5][:5])
    number = first.removeprefix("-")  # negative: a single-user server
    pid = int(number) if number.isdecimal() else 0
    return PidFile(pid=pid, port=port, socket_folder=socket_folder, rest=tuple(lines[1:]))


def is_postmaster(pid: int, *, pgdata: Path) -> bool:
    """Tell whether the process `pid` lives, and is the server of this data folder.

    On Windows, where another process's arguments are not to be had, any live `postgres.exe` will do.
    """
    if pid <= 0:
        return False
    if sys.platform == "win32":
        return _is_postgres_on_windows(pid)
    process = Path(f"/proc/{pid}")
    if not Path("/proc/self/stat").exists():
        return _is_postmaster_by_ps(pid, pgdata=pgdata)
    try:
        state = (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
        arguments = (process / "cmdline").read_bytes().split(b"\0")
    except (OSError, IndexError):  # IndexError: it ended while we read
        return False
    # The server's children replace their arguments by a title ("postgres: checkpointer"), so that only itself is found.
    return state not in "ZX" and os.fsencode(pgdata) in arguments


def has_postmaster(pgdata: Path) -> bool:
    """Tell whether the server of this folder lives, as far as its pid file and the process list show."""
    found = read_pid_file(pgdata)
    return found is not None and is_postmaster(found.pid, pgdata=pgdata)


def shut_down(pgdata: Path, *, binaries: Path | None = None) -> bool:
    """Stop the server of this folder, whoever started it, and wait until it is gone. False when none was running.

    `binaries` are needed only on Windows, which has no signals; they are found when None.

    Raises:
        EmbeddedPostgresError: it does not stop.
    """
    found = read_pid_file(pgdata)
    if found is None or not is_postmaster(found.pid, pgdata=pgdata):
        return False
    # "fast" may hang while the server recovers from the crash of one of its processes (seen with 16.2, 18.4 and 18.6). What
    # is committed is safe with "immediate" too: the next start replays it.
    for mode, number, seconds in (
        ("fast", signal.SIGINT, _FAST_STOP_SECONDS),
        ("immediate", getattr(signal, "SIGQUIT", signal.SIGTERM), _IMMEDIATE_STOP_SECONDS),
    ):
        if sys.platform != "win32":
            # Not pg_ctl: it must be run by the very user that the server runs as, while a signal from root always arrives.
            _signal(found.pid, number)
        else:
            program = (binaries or find_binaries()) / f"pg_ctl{EXECUTABLE_SUFFIX}"
            command = [program, "-D", pgdata, "-m", mode, "-W", "stop"]
            ServerAccount().run(command, timeout=seconds)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not is_postmaster(found.pid, pgdata=pgdata):
                return True
            time.sleep(_POLL_SECONDS)
    raise EmbeddedPostgresError(f"the server of {pgdata} (process {found.pid}) does not stop: end it by hand")


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
    except PermissionError as error:
        raise EmbeddedPostgresError(f"process {pid} belongs to another user, who must stop it: {error}") from error


def _is_postmaster_by_ps(pid: int, *, pgdata: Path) -> bool:
    """macOS and the BSDs: no /proc."""
    done = subprocess.run(
        ["ps", "-ww", "-o", "stat=,command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    state, _, command = done.stdout.strip().partition(" ")
    return bool(state) and not state.startswith("Z") and str(pgdata) in command


def _is_postgres_on_windows(pid: int) -> bool:
    # os.kill(pid, 0) asks on other systems; on Windows it sends Ctrl-C.
    listing = subprocess.run(
        ["tasklist", "/FI", f"PID eq {pid}", "/FO", "CSV", "/NH"],
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [row for row in csv.reader(listing.stdout.splitlines()) if len(row) > 1]
    return any(row[0].lower() == "postgres.exe" and row[1] == str(pid) for row in rows)
