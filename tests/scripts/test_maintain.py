"""The command that works by the clock, as a person starts it."""

import json
from pathlib import Path

import pytest

from scripts import maintain
from settings import ROOT

pytestmark = pytest.mark.slow


def test_one_round_says_what_it_did(surface_environ: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert maintain.main(["--once"], environ=surface_environ) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["resumed_turns"] == 0
    assert set(done.values()) == {0}


def test_a_webhook_without_its_secret_is_a_configuration_error(
    surface_environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = json.loads((ROOT / "config.json").read_text("utf-8"))
    config["people"]["webhook"] = {"url": "https://desk.example/in"}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    environ = {**surface_environ, "BASTAO_CONFIG": str(tmp_path / "config.json")}
    assert maintain.main(["--once"], environ=environ) == 2
    assert "BASTAO_WEBHOOK_SECRET" in capsys.readouterr().err
