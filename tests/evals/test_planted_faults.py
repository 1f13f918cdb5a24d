"""A planted fault is caught by the suite whose business it is, and by no other.

Each fault is also the control of the others: a suite that it must leave alone passes on the same copy and the same cases.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from evals.baselines import Baseline, alone
from evals.floors import Bounds
from evals.integrity import run as run_handoff
from evals.router import Desk, play
from evals.router_cases import RouterCase
from evals.router_figures import figures
from routing.addressing import Member
from routing.decision import Thresholds
from settings import ROOT, load_settings
from tests.conftest import fresh_database
from tests.evals.cases import own
from tests.evals.planting import Copy, copy_source, module_with_fault
from tests.evals.playing_ground import only
from tests.graph.conftest import ROSTER

pytestmark = pytest.mark.slow

PACKAGE = "routing/package.py"
ALL_WELL = {"handoff": 0, "specialist": 0, "router": 0}
# A refusal, a request, and a subject that is somebody else's: what every fault but its own must leave alone.
PLAYED = ("returns-cancel-shipped", "returns-size", "returns-declines-money")
DECIDED = {
    "quero trocar o tênis, ficou pequeno": "returns", "cadê meu reembolso?": "billing", "bom dia!": "courtesy",
    "onde está o meu pedido 10405?": "support",
}  # fmt: skip


def bounds_of(suite: str) -> Bounds:
    """Return what config.json demands of a suite."""
    floors = load_settings({}).evals.floors
    return next(Bounds(each.at_least, each.at_most) for name, each in floors.items() if name == suite)


@pytest.fixture(scope="module")
def copy(postgres: str, data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    with fresh_database(postgres) as url:
        environ = {"DATABASE_URL": url, "BASTAO_DATA_DIR": str(data_dir)}
        yield copy_source(tmp_path_factory.mktemp("planted"), environ)


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[str]]:
    """The suites on a few cases each, with their arguments."""
    folder = tmp_path_factory.mktemp("cases")
    router = [
        {"id": f"r{n}", "kind": "opening", "message": message, "expected": expected}
        for n, (message, expected) in enumerate(DECIDED.items())
    ]
    (folder / "router.jsonl").write_text("\n".join(json.dumps(case) for case in router), "utf-8")
    handoff = [str(ROOT / "evals/cases/handoff" / f"{name}.jsonl") for name in ("carried", "reasons")]
    return {
        "handoff": ["--dataset", *handoff],
        "specialist": ["--dataset", str(only(PLAYED, folder))],
        "router": ["--provider", "local", "--dataset", str(folder / "router.jsonl")],
    }


def test_a_swapped_line_in_the_reasons_table_is_the_handoff_suites(
    copy: Copy, suites: Mapping[str, Sequence[str]]
) -> None:
    swapped = copy.root / "swapped.json"
    config: dict[str, Any] = json.loads((copy.root / "config.json").read_text("utf-8"))
    config["reasons"] = {"defect": {"agent": "billing"}, "invoice": {"agent": "returns"}}
    swapped.write_text(json.dumps(config), "utf-8")
    ran = copy.run(suites, BASTAO_CONFIG=str(swapped))
    assert ran.codes == {**ALL_WELL, "handoff": 1}, ran.said
    assert "MISSED: broken is 2, the ceiling is 0" in ran.said
    assert "defect leads to billing, not to returns" in ran.said


def test_a_commitment_that_the_builder_drops_is_the_handoff_suites(
    copy: Copy, suites: Mapping[str, Sequence[str]]
) -> None:
    with copy.with_fault(PACKAGE, "commitments=tuple(commitments),", "commitments=(),"):
        ran = copy.run(suites)
    assert ran.codes == {**ALL_WELL, "handoff": 1}, ran.said
    assert "MISSED: broken is" in ran.said


def test_a_rule_that_a_tool_lost_is_the_specialist_suites(copy: Copy, suites: Mapping[str, Sequence[str]]) -> None:
    rule = "    if not before_shipping(order):\n        status = "
    with copy.with_fault("tools/returns.py", rule, rule.replace("not before_shipping(order)", "False")):
        ran = copy.run(suites)
    assert ran.codes == {**ALL_WELL, "specialist": 1}, ran.said
    assert "passed                        66.7 %" in ran.said
    assert "returns-cancel-shipped: no call cancel_order" in ran.said


class Sure(Baseline):
    """Right in eight cases of nine, and as sure of each as it is told to be."""

    known_as: str = "sure"
    right: Mapping[str, str]
    certainty: float

    def weigh(self, message: str, options: Sequence[str]) -> Mapping[str, float]:
        place = list(self.right).index(message)
        wrong = next(option for option in options if option != self.right[message])
        top = wrong if place % 9 == 0 else self.right[message]
        rest = (1.0 - self.certainty) / (len(options) - 1)
        return {option: self.certainty if option == top else rest for option in options}


@pytest.mark.parametrize(("certainty", "missed"), [(0.89, []), (0.999, ["calibration_error"])])
async def test_an_overconfident_provider_fails_the_calibration_and_nothing_else(
    certainty: float, missed: list[str]
) -> None:
    cases = [
        RouterCase(id=f"c{n}", kind="opening", message=f"caso {word} número {n}", expected=ROSTER.ids[n % 3])
        for n, word in enumerate(["azul", "verde", "roxo"] * 30)
    ]
    ticks = count()
    desk = Desk(
        decider=alone(Sure(right={case.message: case.expected for case in cases}, certainty=certainty), clock=lambda: 0.0),
        members=tuple(Member(spec.id, names=(), aliases=()) for spec in ROSTER.specs),
        roles=tuple((spec.id, spec.role) for spec in ROSTER.specs), thresholds=lambda provider: Thresholds(), clock=lambda: next(ticks),
    )  # fmt: skip
    found = figures(await play(cases, desk))
    assert found["weighed"] == len(cases)
    assert [said.partition(" is ")[0] for said in bounds_of("router").missed(found)] == missed


DROPPED = {
    "commitments": ("commitments=tuple(commitments),", "commitments=(),"),
    "hypotheses": ("hypotheses=tuple(hypotheses),", "hypotheses=(),"),
    "executed_actions": ("executed_actions=tuple(executed_actions),", "executed_actions=(),"),
    "facts": ("facts=subject(facts, entities, max_facts),", "facts=(),"),
    "conflicts": ("conflicts=conflicts(facts),", "conflicts=(),"),
    "open_question": ("open_question=open_question,", "open_question=None,"),
    "pending_action": ("pending_action=pending_action(proposal) if proposal is not None else None,", "pending_action=None,"),
    "open_topics": ("open_topics=tuple(open_topics),", "open_topics=(),"),
    "detail": ("        detail=detail,", "        detail=None,"),
    "visited": ("visited=leg.visited_agents,", "visited=(),"),
    "the oldest of the recent turns": ("recent = tuple(turns[-RECENT_TURNS:])", "recent = tuple(turns[-RECENT_TURNS + 1 :])"),
    "what is older": (
        "earlier_summary=extend_summary(earlier_summary, turns[:-RECENT_TURNS], protected=protected),",
        "earlier_summary=earlier_summary,",
    ),
    "what was promised, in what is older": ("[item.text for item in commitments] + ", "[] + "),
}  # fmt: skip


@pytest.mark.parametrize("field", DROPPED)
def test_a_field_that_the_builder_drops_fails_the_handoff_suite(field: str, tmp_path: Path) -> None:
    cases, bounds = own("carried", "long"), bounds_of("handoff")
    assert bounds.missed(run_handoff(cases).metrics) == []
    planted = module_with_fault(PACKAGE, *DROPPED[field], folder=tmp_path)
    assert bounds.missed(run_handoff(cases, build=planted.build_package).metrics) != []
