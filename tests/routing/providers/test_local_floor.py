"""The embedded model over the roster's examples, on the project's own development set: a floor under what was measured."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, Exchange
from routing.providers.base import ask
from routing.providers.local import LocalProvider
from routing.question import build_question

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "evals/cases/router").glob("dev_*.jsonl"))
QUESTION = build_question([("returns", ""), ("support", ""), ("billing", "")])

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CASES, reason="no development set")]


def cases() -> list[dict[str, Any]]:
    """Return the cases that a provider is asked about: courtesy and persons are decided by rules before it."""
    rows = [
        json.loads(line) for path in CASES for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    return [row for row in rows if row["expected"] not in ("person", "courtesy")]


def exchange(case: dict[str, Any]) -> Exchange:
    said = {turn["role"]: turn["text"] for turn in case["history"]}
    return Exchange(
        last_customer=said.get("customer"), last_agent=said.get("agent"), current_agent=case["current_agent"]
    )


@pytest.fixture(scope="module")
async def answers() -> list[tuple[dict[str, Any], str, float]]:
    """Each case with the top option and its milliseconds. Examples close to a case are not learned from."""
    rows = cases()
    local = LocalProvider(examples_dir=ROOT / "agents/examples", held_out=tuple(row["message"] for row in rows))
    local.warm_up()
    assert local.removed < 600  # of 15,426: more would mean that the sets were learned from
    found: list[tuple[dict[str, Any], str, float]] = []
    for row in rows:
        answer = await ask(local, row["message"], exchange=exchange(row), question=QUESTION)
        top = max(answer.probabilities, key=lambda option: answer.probabilities[option])
        found.append((row, {NEEDS_QUESTION: "clarification"}.get(top, top), answer.latency_ms))
    return found


def share(answers: list[tuple[dict[str, Any], str, float]], *kinds: str) -> float:
    return float(np.mean([top in row["acceptable"] for row, top, _ in answers if row["kind"] in kinds]))


@pytest.mark.parametrize(
    ("kinds", "floor"),
    [
        (("opening",), 0.96),
        (("english",), 0.91),
        (("informal",), 0.82),
        (("topic_switch",), 0.87),
        (("follow_up",), 0.80),
        (("two_subjects",), 0.76),
        (("adversarial",), 0.70),
        (("ambiguous",), 0.85),
    ],
)
async def test_the_top_option_is_right(
    answers: list[tuple[dict[str, Any], str, float]], kinds: tuple[str, ...], floor: float
) -> None:
    assert share(answers, *kinds) >= floor


async def test_little_that_is_none_of_our_business_reaches_a_specialist(
    answers: list[tuple[dict[str, Any], str, float]],
) -> None:
    tops = [top for row, top, _ in answers if row["kind"] == "out_of_scope"]
    assert np.mean([top not in (OUT_OF_SCOPE, "clarification") for top in tops]) <= 0.05
