"""Run PostgreSQL's programs as somebody PostgreSQL accepts: it refuses to run as root.

Somebody other than root gets himself. Root gets a user namespace, in which the server sees an unprivileged id while its
files stay root's: nothing is handed over, and no folder is opened to anybody. Where namespaces are forbidden (Docker's default
seccomp profile) the programs run as `postgres` or `nobody`, who must then be able to reach both the programs and the data.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534", "--")
_PROBE_SECONDS = 20.0
# No console window, and not in the console's process group: Ctrl-C is meant for the program, not for its database.
_CREATION_FLAGS = 0x08000000 | 0x00000200 if sys.platform == "win32" else 0


class EmbeddedPostgresError(RuntimeError):
    """The embedded server cannot be used; the message says why and what to do about it."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a program left behind: its exit code (126 when it could not be run, 124 when it took too long) and its output."""

    code: int
    text: str


@dataclass(frozen=True, kw_only=True)
class ServerAccount:
    """The identity under which PostgreSQL's programs run.

    `user` is (uid, gid) when they run as another user than we are, None when their files are ours. `prefix` is the command
    that comes in front of theirs.
    """

    user: tuple[int, int] | None = None
    prefix: tuple[str, ...] = ()

    def run(self, command: Sequence[str | Path], *, timeout: float) -> Outcome:
        """Run a program to its end, for at most `timeout` seconds. Does not raise: failures are in the outcome."""
        # PGHOST and its like are the engineer's, for other servers. A message that we look for must not be translated.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}
        uid, gid = self.user or (None, None)
        try:
            # A file and not a pipe: the server inherits it, and would keep a pipe's reader waiting for as long as it lives.
            with tempfile.TemporaryFile() as output:
                done = subprocess.run(
                    [*self.prefix, *map(str, command)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=os.sep,  # ours may be one that the server's user cannot enter
                    env=environment,
                    timeout=timeout,
                    user=uid,
                    group=gid,
                    extra_groups=None if self.user is None else [],
                    creationflags=_CREATION_FLAGS,
                    check=False,
                )
                output.seek(0)
                return Outcome(code=done.returncode, text=output.read().decode("utf-8", "replace").strip())
        except subprocess.TimeoutExpired:
            return Outcome(code=124, text=f"no end after {timeout:.0f} s")
        except OSError as error:
            return Outcome(code=126, text=str(error))

    @property
    def is_another(self) -> bool:
        """True when the programs lack our rights: they may be unable to reach what we can."""
        return self.user is not None or bool(self.prefix)

    def can_enter(self, folder: Path) -> bool:
        """Ask the kernel itself, by trying: mode bits do not tell of access lists, mounts and security modules."""
        return (
            not self.is_another or self.run(["sh", "-c", 'cd -- "$1"', "sh", folder], timeout=_PROBE_SECONDS).code == 0
        )

    @property
    def owner(self) -> tuple[int, int]:
        """The (uid, gid) of the server's files, as seen from outside a namespace."""
        return self.user or (os.geteuid(), os.getegid())

    def give(self, path: Path) -> None:
        """Hand one file or folder of ours to the server's user; only root needs to, and can."""
        if sys.platform != "win32" and os.geteuid() == 0:
            os.chown(path, *self.owner, follow_symlinks=False)

    def let_through(self, folder: Path) -> None:
        """Let the server's user pass through a folder of ours, without listing it. Its parents are left as they are."""
        if sys.platform != "win32" and self.user is not None and folder.stat().st_uid == os.geteuid():
            os.chown(folder, -1, self.user[1], follow_symlinks=False)
            folder.chmod(folder.stat().st_mode & 0o7777 | 0o010)

    def adopt(self, tree: Path) -> None:
        """Make a whole tree the server's: it may date from a time when namespaces were allowed here, or were not.

        Raises:
            EmbeddedPostgresError: it belongs to somebody else, and we are not root.
        """
        if sys.platform == "win32":
            return
        if tree.stat().st_uid == self.owner[0]:
            return
        if os.geteuid() != 0:
            raise EmbeddedPostgresError(
                f"{tree} belongs to the user with the id {tree.stat().st_uid}: run as that user, choose another folder with"
                " BASTAO_DATA_DIR, or set DATABASE_URL"
            )
        for folder, folders, files in os.walk(tree):
            for name in (*folders, *files):
                self.give(Path(folder, name))
        self.give(tree)  # last: it is what tells that the rest is done


def choose_account(*, use_namespaces: bool) -> ServerAccount:
    """Find an identity that PostgreSQL accepts.

    Raises:
        EmbeddedPostgresError: we are root, without namespaces, and the machine has no unprivileged user.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return ServerAccount()
    namespaced = ServerAccount(prefix=_NAMESPACE)
    if use_namespaces and namespaced.run(["true"], timeout=_PROBE_SECONDS).code == 0:
        return namespaced
    import pwd  # not on Windows

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerAccount(user=(entry.pw_uid, entry.pw_gid))
    raise EmbeddedPostgresError(
        "PostgreSQL refuses to run as root, user namespaces are not allowed here, and there is neither a user `postgres` nor"
        " `nobody`: run as another user, or set DATABASE_URL"
    )
