"""The gate's own run of every suite: what `config.json` promises of the router, the package and the specialists is held."""

import json
from pathlib import Path

import pytest

from scripts.evaluate import main

pytestmark = pytest.mark.slow


def test_every_suite_holds_its_floors(empty_database_url: str, data_dir: Path, tmp_path: Path) -> None:
    report, figures = tmp_path / "report", tmp_path / "run.json"
    given = ["all", "--provider", "local", "--report", str(report), "--run", str(figures)]
    environ = {"DATABASE_URL": empty_database_url, "BASTAO_DATA_DIR": str(data_dir)}
    assert main(given, environ=environ) == 0
    run = json.loads(figures.read_text("utf-8"))
    assert run["missed"] == {}
    assert {suite["suite"]: suite["n"] > 50 for suite in run["suites"]} == {"handoff": True, "specialist": True}
    assert "<svg" in (report / "index.html").read_text("utf-8")
