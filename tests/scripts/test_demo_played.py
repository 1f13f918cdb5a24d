"""The demo as a process: every turn ends well, and its evidence is kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.scenario import load_scenarios
from settings import ROOT


@pytest.mark.slow
def test_all_scenarios_end_well_and_leave_evidence(surface_environ: dict[str, str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.demo", "--out", str(tmp_path)], cwd=ROOT, env=surface_environ, capture_output=True,
        text=True, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for scenario in load_scenarios():
        assert scenario.title in ran.stdout
        for number, line in enumerate(scenario.turns, start=1):
            kept = json.loads((tmp_path / f"scenario-{scenario.id}-turn-{number}.json").read_text("utf-8"))
            assert (kept["message"], kept["status"]) == (line.say, "replied")
            assert kept["reply"].splitlines()[0] in ran.stdout
