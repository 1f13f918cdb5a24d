"""Run the suites that a change can move: selected by the paths that differ from a commit."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.changed import select
from scripts.evaluate import main as evaluate
from settings import ROOT

EXAMPLES = """\
examples:
  make evals-changed BASE=main                          run what differs from main, uncommitted and new files included
  python -m scripts.evals_changed --base HEAD~3 --list  only say which suites, and why
"""


class NoBase(ValueError):
    """There is no such commit, or no repository."""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.evals_changed", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--base", required=True, metavar="COMMIT", help="what the working tree is compared with")
    parser.add_argument("--list", action="store_true", help="run nothing")
    return parser.parse_args(argv)


def changed_paths(base: str, *, root: Path) -> list[str]:
    """Return what differs from a commit, and files that git does not know yet; a renamed file by both names.

    Raises `NoBase`.
    """
    if base.startswith("-"):
        raise NoBase(f"{base!r} is no commit")
    _git(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}", why=f"git knows no commit {base!r}")
    differing = _git(root, "diff", "--name-only", "--no-renames", "-z", base, "--", why="git diff failed")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", why="git ls-files failed")
    return [path for path in (differing + new).split("\0") if path]


def _git(root: Path, *given: str, why: str) -> str:
    try:
        ran = subprocess.run(["git", *given], cwd=root, capture_output=True, check=False)
    except OSError as error:
        raise NoBase(f"git cannot be run ({error.strerror})") from error
    if ran.returncode != 0:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise NoBase(f"{why}: {said}" if said else why)
    return ran.stdout.decode("utf-8", "surrogateescape")


def main(
    argv: Sequence[str] | None = None, *, root: Path = ROOT, run: Callable[[Sequence[str]], int] = evaluate
) -> int:
    """Exit 0, 1 when a selected suite misses a floor, 2 when there is no such commit or a suite cannot be run."""
    given = arguments(argv)
    try:
        selection = select(changed_paths(given.base, root=root))
    except NoBase as error:
        print(f"evals_changed: {error}", file=sys.stderr)
        return 2
    print("\n".join(selection.lines))
    print(f"To run: {', '.join(selection.suites) or 'no suite'}.", flush=True)
    return 0 if given.list else max((run([suite]) for suite in selection.suites), default=0)


if __name__ == "__main__":
    sys.exit(main())
