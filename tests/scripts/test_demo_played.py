"""The demo as a process: every scenario, every turn ends well, every expectation holds, and the evidence is kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.scenario import Fill, Line, Scenario, load_scenarios
from settings import ROOT


def run(environ: dict[str, str], *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scripts.demo", *argv], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=300
    )  # fmt: skip


def said(scenario: Scenario) -> list[tuple[str, str | None]]:
    """Every message of a scenario, in order, with the reply's ending where it is not an ordinary one."""
    found: list[tuple[str, str | None]] = []
    for step in scenario.turns:
        if isinstance(step, Line):
            found.append((step.say, step.ends))
        elif isinstance(step, Fill):
            found.extend((step.fill[n % len(step.fill)], None) for n in range(step.turns))
    return found


@pytest.mark.slow
def test_all_scenarios_end_well_hold_and_leave_evidence(surface_environ: dict[str, str], tmp_path: Path) -> None:
    ran = run(surface_environ, "--out", str(tmp_path))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "✗ " not in ran.stdout
    turns = 0
    for scenario in load_scenarios():
        assert scenario.title in ran.stdout
        for number, (text, ends) in enumerate(said(scenario), start=1):
            kept = json.loads((tmp_path / f"scenario-{scenario.id}-turn-{number}.json").read_text("utf-8"))
            assert (kept["message"], kept["status"]) == (text, ends or "replied")
            turns += 1
        checks = json.loads((tmp_path / f"scenario-{scenario.id}-checks.json").read_text("utf-8"))
        assert [c["that"] for c in checks] == [e.that for step in scenario.turns for e in step.expect]
        assert all(f"✓ {check['that']}" in ran.stdout and check["problems"] == [] for check in checks)
        assert ("roteiro no lugar de" in section(ran.stdout, scenario)) == scenario.scripted
    assert f"{turns} turnos, {turns} terminaram bem." in ran.stdout


def section(printed: str, scenario: Scenario) -> str:
    """What was printed of one scenario."""
    return printed.partition(f"━━ {scenario.id}. {scenario.title} ━━")[2].partition("\n━━ ")[0]
