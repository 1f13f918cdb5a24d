"""The command in a repository of its own: committed, uncommitted and new files, and what it runs of them."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.evals_changed import main


def git(root: Path, *given: str) -> None:
    who = ["-c", "user.name=Bia", "-c", "user.email=bia@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *given], cwd=root, check=True, capture_output=True)


def put(root: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    put(tmp_path, "README.md", "tools/returns.py", "routing/reasons.py", "routing/package.py")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


class Runs:
    """Takes the place of the suites: keeps what was asked for, answers with an exit code."""

    def __init__(self, code: int = 0) -> None:
        self.code, self.asked = code, list[Sequence[str]]()

    def __call__(self, argv: Sequence[str]) -> int:
        self.asked.append(argv)
        return self.code


def test_what_is_committed_changed_renamed_and_new_is_run(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(repository, "tools/returns.py", text="x = 2\n")
    git(repository, "commit", "-q", "-am", "second")
    git(repository, "mv", "routing/package.py", "docs.md")
    runs = Runs(code=1)
    assert main(["--base", "main~1"], root=repository, run=runs) == 1
    assert runs.asked == [["handoff"], ["specialist"]]
    said = capsys.readouterr().out
    assert "specialist: tools and chat models (tools/returns.py)" in said
    assert "To run: handoff, specialist." in said
    put(repository, "routing/providers/ação.py")
    runs = Runs()
    assert main(["--base", "HEAD"], root=repository, run=runs) == 0
    assert runs.asked == [["router"], ["handoff"]]
    assert "routing/providers/ação.py" in capsys.readouterr().out


def test_words_for_people_run_nothing_and_say_so(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(repository, "README.md", text="new words\n")
    runs = Runs(code=1)
    assert main(["--base", "HEAD"], root=repository, run=runs) == 0
    assert capsys.readouterr().out == "none: read by people; no suite reads it (README.md)\nTo run: no suite.\n"
    put(repository, "routing/reasons.py", text="x = 3\n")
    assert main(["--base", "HEAD", "--list"], root=repository, run=runs) == 0
    assert runs.asked == []


@pytest.mark.parametrize("base", ["nowhere", "--output=x", ""])
def test_a_base_that_is_no_commit_is_refused(base: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"--base={base}"], root=repository, run=Runs()) == 2
    assert "no commit" in capsys.readouterr().err


def test_outside_of_a_repository_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--base", "HEAD"], root=tmp_path, run=Runs()) == 2
    assert capsys.readouterr().err.startswith("evals_changed: ")
