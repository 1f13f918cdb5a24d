"""The command: exit codes, and what it writes. The provider is the stub, asked through the real client."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from routing.providers.calibration import load
from scripts.calibrate import main
from tests.stubs.fixtures import KEY, stub

__all__ = ["stub"]

NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
DEV = Path(__file__).parents[2] / "evals" / "cases" / "router" / "dev_opening.jsonl"


def run(tmp_path: Path, stub: str, *more: str) -> int:
    environ = {"OPENROUTER_API_KEY": KEY, "OPENROUTER_BASE_URL": stub, "BASTAO_DATA_DIR": str(tmp_path)}
    command = ["--provider", "msd1", "--dataset", str(DEV), "--out", str(tmp_path / "out"), *more]
    return main(command, environ=environ, now=NOW)


def test_a_provider_that_guesses_gets_no_threshold_and_a_file_that_says_so(
    tmp_path: Path, stub: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stub's decider counts four words: right far less often than the 0.9 that it states."""
    assert run(tmp_path, stub) == 1
    assert "no threshold meets the target of 95.0%" in capsys.readouterr().out
    file = load(tmp_path / "out" / "msd1.json")
    assert file.thresholds is None
    assert "simulado" in file.build
    assert (tmp_path / "out" / "msd1.png").stat().st_size > 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--dataset", "nowhere.jsonl"), "nowhere"),
        (("--provider", "msd1+local"), "one flag"),
        (("--provider", "nobody"), "nobody"),
        (("--most-usd", "0"), "raise the limit"),
    ],
)
def test_nothing_was_measured(
    tmp_path: Path, stub: str, more: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, stub, *more) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [("--target", "1"), ("--delta", "0"), ("--target", "x")])
def test_a_promise_that_is_none(wrong: tuple[str, str]) -> None:
    with pytest.raises(SystemExit):
        main(["--provider", "local", "--dataset", "x", *wrong], environ={})
