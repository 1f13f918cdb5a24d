"""Plant a fault: one exact edit in a copy of the program's source, and the suites run on it as their own processes."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from settings import ROOT

_SOURCE = ("agents", "evals", "graph", "ops", "routing", "scripts", "storage", "stubs", "tools")
_FILES = ("settings.py", "config.json")
_RUN = (
    "import json, sys; from scripts.evaluate import main;"
    " codes = {suite: main([suite, *given]) for suite, given in json.loads(sys.argv[1]).items()};"
    " print(json.dumps(codes))"
)


def edited(text: str, old: str, new: str) -> str:
    """Return a text with its one place changed: an edit that fits nowhere, or twice, would plant nothing or something else."""
    assert text.count(old) == 1, f"{text.count(old)} places for {old!r}"
    return text.replace(old, new)


@dataclass(frozen=True)
class Ran:
    """What became of the suites: each one's exit code, and all that was printed."""

    codes: Mapping[str, int]
    said: str


@dataclass(frozen=True)
class Copy:
    """The program's source in a folder of its own. `environ` names its database and where models are kept."""

    root: Path
    environ: Mapping[str, str]

    @contextmanager
    def with_fault(self, path: str, old: str, new: str) -> Iterator[None]:
        """Change one place of one file while the block runs."""
        file = self.root / path
        before, times = file.read_text("utf-8"), file.stat()
        file.write_text(edited(before, old, new), "utf-8")
        try:
            yield
        finally:
            file.write_text(before, "utf-8")
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, suites: Mapping[str, Sequence[str]], **environ: str) -> Ran:
        """Run `scripts.evaluate` with each suite's arguments, all in one process of the copy."""
        ran = subprocess.run(
            [sys.executable, "-c", _RUN, json.dumps(suites)], cwd=self.root, env={**self.environ, **environ},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        said = ran.stdout.strip()
        return Ran(codes=json.loads(said.splitlines()[-1]), said=said)


def copy_source(folder: Path, environ: Mapping[str, str]) -> Copy:
    """Copy what the suites run, compiled files too: their stamps are kept, so that nothing is compiled again."""
    for name in _SOURCE:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("cases", "results", "*.pyc.*"))
    for name in _FILES:
        shutil.copy2(ROOT / name, folder / name)
    kept = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
    }
    return Copy(root=folder, environ={**kept, **environ})


def module_with_fault(path: str, old: str, new: str, *, folder: Path) -> ModuleType:
    """Load a module of the program under another name, with one place changed."""
    file = folder / f"planted_{Path(path).name}"
    file.write_text(edited((ROOT / path).read_text("utf-8"), old, new), "utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
