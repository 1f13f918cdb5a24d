"""Lay out the folder of an embedded server, and find another place for it when the server's user cannot reach it.

    <home>/pgdata/          the database cluster, made elsewhere in the folder and renamed when complete
    <home>/run/             the socket's private folder (below the temporary folder when its path will not do)
    <home>/secret           the password, readable by its owner only
    <home>/server.conf      our settings, written at each start; pgdata/postgresql.conf includes it
    <home>/postgres.log
    <root>/.lock            held by whoever starts or stops the server
    <root>/moved-to         the path of <home>, when it is not <root> itself

When the server runs as another user than root, only pgdata, run, secret and postgres.log are that user's: what root writes, it
writes into a folder in which that user can plant no link.
"""

import hashlib
import logging
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from storage.embedded_account import EmbeddedPostgresError, ServerAccount
from storage.embedded_postmaster import PID_FILE, has_postmaster, read_pid_file

SOCKET_PORT = "5432"  # a part of the socket's name, not of any network
CONFIG_FILE = "server.conf"

_MARKER = "moved-to"
_WORKPLACE = "pgdata.init-"
_SOCKET_PATH_BYTES = 103  # macOS; Linux allows 107
_LOG_ROTATION_BYTES = 5_000_000
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerFolder:
    """The paths below one server's home, and how its small files are written."""

    home: Path

    @property
    def pgdata(self) -> Path:
        return self.home / "pgdata"

    @property
    def log_file(self) -> Path:
        return self.home / "postgres.log"

    @property
    def secret_file(self) -> Path:
        return self.home / "secret"

    @property
    def has_cluster(self) -> bool:
        return (self.pgdata / "PG_VERSION").exists()

    def password(self) -> str:
        """Read the password.

        Raises:
            EmbeddedPostgresError: the file is gone, and the database cannot be opened without it.
        """
        try:
            return self.secret_file.read_text("ascii")
        except FileNotFoundError as error:
            raise EmbeddedPostgresError(
                f"{self.secret_file}, the password of the database beside it, is missing: restore it from a backup, or move"
                f" {self.home} away to begin with an empty database, or set DATABASE_URL"
            ) from error

    def make_password(self, *, account: ServerAccount) -> None:
        """Choose a password, unless an unfinished start has left one."""
        if not self.secret_file.exists():
            self.write(self.secret_file, secrets.token_urlsafe(24), account=account)
        account.give(self.secret_file)

    def write(self, path: Path, text: str, *, account: ServerAccount) -> None:
        """Put a private file in its place as a whole, so that a crash leaves the former one or the new one."""
        unfinished = self.home / f".{path.name}.new"
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        account.give(unfinished)
        unfinished.replace(path)

    def write_settings(self, settings: Mapping[str, str], *, account: ServerAccount) -> None:
        lines = (
            "{} = '{}'\n".format(key, value.replace("\\", "\\\\").replace("'", "''")) for key, value in settings.items()
        )
        self.write(self.home / CONFIG_FILE, "".join(lines), account=account)

    def open_log(self, *, account: ServerAccount) -> int:
        """Make sure that the server can append to its log; return its size in bytes."""
        if self.log_file.exists() and self.log_file.stat().st_size > _LOG_ROTATION_BYTES:
            self.log_file.replace(self.log_file.with_suffix(".log.1"))
        self.log_file.touch(mode=0o600)
        account.give(self.log_file)
        return self.log_file.stat().st_size

    def log_since(self, offset: int) -> str:
        """Return what the server has logged since then, at most the last 2000 characters."""
        with self.log_file.open("rb") as log:
            log.seek(offset)
            return log.read().decode("utf-8", "replace")[-2000:].strip()

    def socket_folders(self) -> list[Path]:
        """Where a running server may listen: in our folder, or else where its pid file says, if that folder is private."""
        places: list[Path] = []
        if _fits(self.home / "run"):
            places.append(self.home / "run")
        found = read_pid_file(self.pgdata)
        if found and found.socket_folder:
            folder = Path(found.socket_folder)
            if folder not in places and _is_private(folder, owners={os.geteuid(), self.pgdata.stat().st_uid}):
                places.append(folder)
        return places

    def make_socket_folder(self, *, account: ServerAccount) -> Path:
        """Make the private folder of the socket.

        Raises:
            EmbeddedPostgresError: somebody else has taken its name in the temporary folder.
        """
        folder = self.home / "run"
        if not _fits(folder):
            name = f"bastao-{account.owner[0]}-{_path_hash(self.home)}"
            folder = Path(tempfile.gettempdir(), name)
            if not _fits(folder):
                folder = Path("/tmp", name)
        folder.mkdir(mode=0o700, exist_ok=True)
        # In our own folder nobody else can make anything, and its owner changes when root's namespaces come or go.
        if folder.parent != self.home and not _is_private(folder, owners={os.geteuid(), account.owner[0]}):
            raise EmbeddedPostgresError(
                f"{folder} is not ours: remove it, or choose a shorter BASTAO_DATA_DIR without commas"
            )
        account.give(folder)
        folder.chmod(0o700)
        return folder

    def make_workplace(self, *, account: ServerAccount) -> Path:
        """Make an empty folder for a cluster to come, which `publish` puts in its place."""
        workplace = Path(tempfile.mkdtemp(prefix=_WORKPLACE, dir=self.home))
        account.give(workplace)
        return workplace

    def publish(self, workplace: Path) -> None:
        """Rename a complete cluster to its final name, durably."""
        workplace.rename(self.pgdata)
        if sys.platform != "win32":
            descriptor = os.open(self.home, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def clear_leftovers(self) -> None:
        """Remove what a start that was killed has left unfinished. Only under the lock, while no server runs."""
        for unfinished in self.home.glob(f"{_WORKPLACE}*"):
            shutil.rmtree(unfinished, ignore_errors=True)

    def disarm_stale_pid(self, *, account: ServerAccount) -> None:
        """Let the server start although a dead one has left its pid, which may be some other process's by now.

        PostgreSQL refuses to start while that pid lives, for ever if need be. It makes an exception for its own ancestors,
        so the first line becomes our pid (`pg_ctl` tells the server who its grandparent is). Removing the file would lose
        the rest: the shared memory that shows whether processes of the dead server still work on the data.
        """
        found = read_pid_file(self.pgdata)
        if sys.platform == "win32" or found is None or has_postmaster(self.pgdata):
            return
        if not found.pid:
            (self.pgdata / PID_FILE).unlink(missing_ok=True)
        else:
            self.write(self.pgdata / PID_FILE, "\n".join((str(os.getpid()), *found.rest)) + "\n", account=account)

    def clear_sockets(self, socket_folder: Path) -> None:
        """Remove a dead server's socket and its lock file, which names a pid of its own and has the same problem."""
        if not has_postmaster(self.pgdata):
            for path in socket_folder.glob(".s.PGSQL.*"):
                path.unlink(missing_ok=True)


def locate(root: Path) -> ServerFolder:
    """Return the folder that an earlier start has chosen, `root` itself if none has.

    Raises:
        EmbeddedPostgresError: it was moved to a place that is no longer there.
    """
    marker = root / _MARKER
    if not marker.exists():
        return ServerFolder(root)
    home = Path(marker.read_text("utf-8").strip())
    if not home.is_dir():
        raise EmbeddedPostgresError(
            f"the database of {root} was kept in {home}, which is gone (a container's own file system?): restore it, or remove"
            f" {marker} to begin with an empty database, or set DATABASE_URL. A BASTAO_DATA_DIR on a volume that other users"
            " can reach keeps it"
        )
    return ServerFolder(home)


def within_reach(folder: ServerFolder, *, root: Path, account: ServerAccount) -> ServerFolder:
    """Return `folder`, or a new one elsewhere when the server's user cannot reach it (below a home that is closed to others).

    Raises:
        EmbeddedPostgresError: there is no other place, or there are data in the old one.
    """
    if not account.is_another:
        return folder
    account.let_through(folder.home)
    if account.can_enter(folder.home):
        return folder
    if folder.has_cluster or folder.home != root:
        raise EmbeddedPostgresError(
            f"there is a database in {folder.home}, and the user that PostgreSQL runs as cannot enter that folder: move it to"
            " one that other users can reach and name that with BASTAO_DATA_DIR, or set DATABASE_URL"
        )
    for parent in (Path("/var/lib"), Path(tempfile.gettempdir())):
        home = parent / f"bastao-{_path_hash(root)}"
        if _take(home, account=account):
            found = ServerFolder(home)
            found.write(home / "belongs-to", f"{root}\n", account=account)
            ServerFolder(root).write(root / _MARKER, f"{home}\n", account=ServerAccount())
            _logger.warning(
                "the user that PostgreSQL runs as cannot enter %s: the database is kept in %s (choose the place with BASTAO_DATA_DIR)",
                root,
                home,
            )
            return found
    raise EmbeddedPostgresError(
        f"the user that PostgreSQL runs as cannot enter {root}, and no folder can be made in /var/lib or {tempfile.gettempdir()}:"
        " name one that other users can reach with BASTAO_DATA_DIR, or set DATABASE_URL"
    )


def _take(home: Path, *, account: ServerAccount) -> bool:
    """Make a folder of ours that the account can enter, or take the one that we made before."""
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        if not _is_private(home, owners={os.geteuid()}):
            return False
        account.let_through(home)
    except OSError:
        return False
    return account.can_enter(home)


def _is_private(folder: Path, *, owners: set[int]) -> bool:
    """Tell whether a folder is one of theirs and nobody else can write to it: in /tmp anybody may have made it before us."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in owners and not found.st_mode & 0o022


def _fits(socket_folder: Path) -> bool:
    """Tell whether a socket's address may lie there: it has few bytes, and to libpq a comma separates two hosts."""
    path = socket_folder / f".s.PGSQL.{SOCKET_PORT}"
    return len(os.fsencode(path)) <= _SOCKET_PATH_BYTES and "," not in str(path)


def _path_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
