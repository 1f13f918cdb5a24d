"""One hash of what runs: the same for the same, another for whatever changes an answer, and it says which part changed."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.roster import load_roster
from ops.release import Release, release_of
from routing.reasons import ReasonOverride
from settings import ROOT
from tests.graph.acting import rows
from tests.graph.conftest import Make
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only

ROSTER = ["agents/returns.py", "agents/support.py", "agents/billing.py"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the specialists, and a little code: what may be edited in a test."""
    shutil.copytree(ROOT / "agents", tmp_path / "agents", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "node.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "requirements.txt").write_text("a==1\n", "utf-8")
    return tmp_path


def measured(root: Path, *, config: Any = None, overrides: Any = None) -> Release:
    roster = load_roster(ROSTER, base=root, fallback=ROOT)
    return release_of(
        root=root, base=root, config=config or {"mode": "demo"}, roster=roster, reasons=roster.reasons(overrides),
        calibrations={},
    )  # fmt: skip


def changed(before: Release, after: Release) -> set[str]:
    return {name for name, value in before.parts.items() if after.parts[name] != value}


def test_the_same_is_the_same(root: Path) -> None:
    assert measured(root) == measured(root)
    assert measured(root).id == measured(root).id
    assert len(measured(root).id) == 12


def test_each_part_shows_what_was_edited(root: Path) -> None:
    before = measured(root)
    assert changed(before, measured(root, config={"mode": "demo", "claims": "observe"})) == {"config"}
    override = {"duplicate_charge": ReasonOverride(sentence="cobrado duas vezes")}
    assert changed(before, measured(root, overrides=override)) == {"reasons"}
    (root / "graph" / "node.py").write_text("x = 2\n", "utf-8")
    assert changed(before, measured(root)) == {"code"}


def test_a_prompt_and_an_example_count(root: Path) -> None:
    before = measured(root)
    prompt = root / "agents" / "prompts" / "billing.md"
    prompt.write_text(prompt.read_text("utf-8") + "\nSeja breve.\n", "utf-8")
    after = measured(root)
    assert changed(before, after) == {"prompts"}
    assert after.id != before.id
    examples = root / "agents" / "examples" / "billing.jsonl"
    examples.write_text(
        examples.read_text("utf-8") + '{"text": "paguei duas vezes", "register": "informal"}\n', "utf-8"
    )
    taught = measured(root)
    assert changed(after, taught) == {"examples"}
    with (root / "agents" / "examples_person" / "fraud.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"text": "levaram o meu cartão", "sign": "fraud"}\n')
    assert changed(taught, measured(root)) == {"examples"}


async def test_every_turn_carries_its_release_also_one_that_fails(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": ["Está a caminho.", RuntimeError("broken")]},
        only("support"),
        release="r-1",
        versions={"code": "c-1"},
    )
    await desk.say("cadê o pedido 10405?")
    await desk.say("e o outro?")
    stored = await rows(desk, "select status, release, versions from turns order by number")
    assert [(row["status"], row["release"]) for row in stored] == [("replied", "r-1"), ("failed", "r-1")]
    assert stored[0]["versions"] == {"code": "c-1"}
