"""Without a database every command that needs one ends the same way: one sentence, exit 2, no traceback."""

import importlib
from pathlib import Path

import pytest

from ops.problems import DatabaseUnavailable, EmbeddedPostgresError
from scripts.ending import NO_DATABASE, UNUSABLE, unusable

NOBODY = "postgresql://nobody@127.0.0.1:1/none"
COMMANDS: dict[str, list[str]] = {
    "chat": ["--json"], "demo": ["--only", "1"], "evaluate": ["specialist"], "label_outcomes": ["--out", "x.jsonl"], "maintain": ["--once"],
    "model_check": ["--model", "m", "--base-url", "http://127.0.0.1:1/v1"], "privacy": ["export", "--customer", "c1"], "protocol": ["ER-1"],
    "simulate": ["--days", "1", "--contacts", "1", "--database", NOBODY], "spend": [], "trace": ["oi"],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_database_is_one_exit_code(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {"DATABASE_URL": NOBODY, "BASTAO_DATA_DIR": str(tmp_path), "BASTAO_SECRET": "s"}
    main = importlib.import_module(f"scripts.{command}").main
    code = main(COMMANDS[command], environ=environ)
    told = capfd.readouterr().err
    assert (code, "Traceback" in told) == (UNUSABLE, False), told
    assert told.startswith(command.replace("_check", "-check")), told


def test_what_steers_a_terminal_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert unusable("chat", DatabaseUnavailable("no \x1b[2Jserver")) == 2
    assert capsys.readouterr().err == "chat: no [2Jserver\n"
    assert EmbeddedPostgresError in NO_DATABASE
