"""Calibration from cases to file and picture, with providers whose truth is known."""

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.decisions import ChoiceAnswer, State
from langchain_core.decisions import Question as WireQuestion
from PIL import Image
from pydantic import Field

from ops.calibration import BadCases, Case, Measured, calibrate, halve, load_cases, measure, only_provider, render
from ops.calibration_curve import curve, draw, reliability
from routing.decision import Answer, Exchange
from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.providers.breaker import Breakers
from routing.providers.calibration import (
    CalibrationFile,
    NoThreshold,
    ThresholdFound,
    applies,
    apply_temperature,
    fewest_rows,
    load,
    save,
    threshold_for,
)
from routing.providers.chain import ChainDecider
from tests.stubs.simulated import QUESTION, WordDecider

NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
DEV = Path(__file__).parents[2] / "evals" / "cases" / "router"
GATE = (0xB3, 0x26, 0x1E)


def row(number: int, p: float, *, right: bool, build: str = "m-1") -> Measured:
    """A case whose label is `billing`, answered with p for it or for another option."""
    top = "billing" if right else "support"
    shares = {option: p if option == top else (1 - p) / 4 for option in QUESTION.ids}
    answer = Answer(probabilities=shares, provider="msd1", model=build, calibrated=False, latency_ms=1, cost_usd=0.001)
    case = Case(id=f"c-{number}", message="x", exchange=Exchange(), label="billing", acceptable=frozenset({"billing"}))
    return Measured(case=case, answer=answer)


def rows(n: int, stated: Callable[[random.Random], tuple[float, float]], seed: int = 1) -> list[Measured]:
    """Rows of (stated probability, true chance of being right)."""
    dice = random.Random(seed)
    made: list[Measured] = []
    for number in range(n):
        p, chance = stated(dice)
        made.append(row(number, p, right=dice.random() < chance))
    return made


def honest(dice: random.Random) -> tuple[float, float]:
    """Mostly sure, and right as often as it says."""
    p = 1 - 0.5 * dice.random() ** 3
    return p, p


def overconfident(dice: random.Random) -> tuple[float, float]:
    p = dice.uniform(0.4, 0.95)
    return 0.5 + p / 2, p


def test_an_honest_provider_keeps_its_temperature_and_gets_a_threshold() -> None:
    outcome = calibrate(rows(1600, honest), QUESTION, target=0.95, delta=0.1, at=NOW)
    assert isinstance(outcome.threshold, ThresholdFound)
    assert outcome.file.temperature == pytest.approx(1.0, abs=0.25)
    assert outcome.error_after <= 0.05
    assert outcome.file.thresholds is not None
    assert outcome.file.thresholds.tau == outcome.file.thresholds.tau_switch == outcome.threshold.threshold
    assert outcome.threshold.accuracy >= 0.95
    assert outcome.threshold.coverage > 0.4
    assert outcome.file.n == len(outcome.right)
    assert applies(outcome.file, provider="msd1", build="m-1", question=QUESTION)
    assert not applies(outcome.file, provider="msd1", build="m-2", question=QUESTION)


def test_an_overconfident_one_is_cooled_down() -> None:
    outcome = calibrate(rows(1600, overconfident), QUESTION, target=0.85, delta=0.1, at=NOW)
    assert outcome.file.temperature > 1.2
    assert outcome.error_after < outcome.error_before / 2


def test_an_acceptable_answer_counts_as_right_for_the_temperature_too() -> None:
    made = [
        r.model_copy(update={"case": r.case.model_copy(update={"acceptable": frozenset({"billing", "support"})})})
        for r in rows(800, lambda _: (0.99, 0.5))
    ]
    outcome = calibrate(made, QUESTION, target=0.95, delta=0.1, at=NOW)
    assert all(outcome.right)
    assert outcome.file.temperature <= 1.0
    assert outcome.error_after <= outcome.error_before


def test_a_constant_one_that_is_not_as_good_as_it_says_gets_no_threshold() -> None:
    outcome = calibrate(rows(800, lambda _: (0.95, 0.8)), QUESTION, target=0.95, delta=0.1, at=NOW)
    assert isinstance(outcome.threshold, NoThreshold)
    assert outcome.file.thresholds is None
    assert outcome.error_before > 0.1
    assert "no threshold meets the target of 95.0%" in render(outcome)


def test_the_promise_is_kept_on_rows_that_nobody_saw() -> None:
    """At delta 0.1 one draw in ten may break the promise; 10 draws with at most 3 breaks reject a naive choice."""
    broken = found = 0
    for seed in range(10):
        outcome = calibrate(rows(700, honest, seed), QUESTION, target=0.95, delta=0.1, at=NOW)
        if not isinstance(outcome.threshold, ThresholdFound):
            continue
        found += 1
        unseen = [
            (apply_temperature(r.answer.probabilities, outcome.file.temperature), r.case.label)
            for r in rows(4000, honest, seed + 1000)
        ]
        accepted = [
            p[label] == max(p.values()) for p, label in unseen if max(p.values()) >= outcome.threshold.threshold
        ]
        broken += sum(accepted) / len(accepted) < 0.95
    assert broken <= 3
    assert found >= 8


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([], "0 builds"),
        ([row(1, 0.9, right=True), row(2, 0.9, right=True, build="m-2")], "2 builds"),
        ([row(1, 0.9, right=True)], "too few"),
    ],
)
def test_what_cannot_be_calibrated_on(made: list[Measured], said: str) -> None:
    with pytest.raises(BadCases, match=said):
        calibrate(made, QUESTION, target=0.9, delta=0.1, at=NOW)


@pytest.mark.parametrize(
    ("n", "target", "rows_needed"),
    [
        (60, 0.90, 22),
        (300, 0.90, 78),
        (60, 0.95, 45),
        (300, 0.95, 100),
        (600, 0.95, 158),
        (3000, 0.95, 158),
        (60, 0.99, 230),
    ],
)
def test_the_strictest_candidate_has_rows_enough_to_pass(n: int, target: float, rows_needed: int) -> None:
    assert fewest_rows(n, target=target, delta=0.1) == rows_needed


def test_distinct_confidences_that_are_all_right_get_a_threshold() -> None:
    found = threshold_for([1 - i / 1000 for i in range(100)], [True] * 100, target=0.95)
    assert isinstance(found, ThresholdFound)
    assert found.coverage == 1.0
    assert isinstance(threshold_for([1 - i / 1000 for i in range(44)], [True] * 44, target=0.95), NoThreshold)


def test_a_case_stays_on_its_side_whatever_else_is_in_the_set() -> None:
    made = rows(200, honest)
    whole, part = halve(made), halve(made[:50])
    assert {r.case.id for r in part.testing} <= {r.case.id for r in whole.testing}
    assert 60 <= len(whole.testing) <= 140


def test_the_dev_set_loads_without_what_rules_decide() -> None:
    cases = load_cases(sorted(DEV.glob("dev_*.jsonl")), QUESTION)
    assert len(cases) > 900
    assert {case.label for case in cases} == set(QUESTION.ids)
    follow_up = next(case for case in cases if case.id == "dev-follow-up-001")
    assert follow_up.exchange.last_customer == "o estorno da devolução já foi liberado?"
    assert follow_up.exchange.current_agent == "billing"
    vague = next(case for case in cases if case.id == "dev-ambiguous-001")
    assert vague.label == "needs_question"
    assert "billing" in vague.acceptable


@pytest.mark.parametrize("line", ["{", "{}", "[]", '{"id": "x"}', "1"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(BadCases, match=r"cases\.jsonl:2"):
        load_cases([path], QUESTION)


class Moody(DecisionProvider):
    """Fails with the given errors, then answers."""

    model: str = "moody-1"
    errors: list[Any] = Field(default_factory=list)

    @property
    def _provider(self) -> str:
        return "moody"

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        if self.errors:
            raise self.errors.pop(0)
        shares = dict.fromkeys(QUESTION.ids, 0.05) | {"billing": 0.8}
        answer = ChoiceAnswer(type="choice", choice="billing", probabilities=shares, confidence=0.8)
        return DecisionResponse(model=self.model, answers={"route": answer}, provider="moody", cost_usd=0.01)


def cases(n: int) -> tuple[Case, ...]:
    return tuple(row(number, 0.9, right=True).case for number in range(n))


async def measured(errors: list[ProviderError], *, n: int = 1, most_usd: float = 1.0) -> tuple[int, int, list[float]]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    provider = Moody(errors=errors, max_cost_usd=0.01)
    rows, failed = await measure(provider, cases(n), QUESTION, most_usd=most_usd, sleep=sleep)
    return len(rows), failed, slept


def busy(retry_after_s: float | None = None) -> ProviderError:
    return ProviderError("retryable", "HTTP 429", retry_after_s)


async def test_a_busy_provider_is_waited_for() -> None:
    assert await measured([busy(), busy(9.0)]) == (1, 0, [1.0, 9.0])


async def test_a_case_that_never_gets_an_answer_is_counted() -> None:
    assert await measured([busy() for _ in range(4)], n=2) == (1, 1, [1.0, 2.0, 4.0])


async def test_a_provider_that_is_down_is_given_up() -> None:
    with pytest.raises(ProviderError, match="3 cases in a row"):
        await measured([busy() for _ in range(12)], n=100)


@pytest.mark.parametrize("kind", ["ours", "payment"])
async def test_a_wrong_key_or_an_empty_account_ends_it(kind: Any) -> None:
    with pytest.raises(ProviderError):
        await measured([ProviderError(kind, "HTTP 401")])


async def test_the_money_is_counted_before_each_call() -> None:
    with pytest.raises(ValueError, match="after 3 cases"):
        await measured([], n=4, most_usd=0.035)
    assert (await measured([], n=3, most_usd=0.035))[0] == 3


def test_a_calibration_is_of_one_provider_and_of_its_bare_numbers(tmp_path: Path) -> None:
    outcome = calibrate(rows(400, honest), QUESTION, target=0.9, delta=0.1, at=NOW)
    provider = Moody(calibration=outcome.file)

    def chain(*providers: DecisionProvider) -> ChainDecider:
        return ChainDecider(providers, deadline_s=1, clock=lambda: 0.0, breakers=Breakers(clock=lambda: 0.0))

    assert only_provider(chain(provider)).calibration is None
    with pytest.raises(ValueError, match="one flag"):
        only_provider(chain(provider, WordDecider()))


def test_the_file_and_the_picture_are_written(tmp_path: Path) -> None:
    outcome = calibrate(rows(800, honest), QUESTION, target=0.9, delta=0.1, at=NOW)
    save(tmp_path / "msd1.json", outcome.file)
    assert (
        load(tmp_path / "msd1.json")
        == outcome.file
        == CalibrationFile.model_validate(json.loads((tmp_path / "msd1.json").read_text()))
    )
    draw(outcome, tmp_path / "deep" / "msd1.png")
    with Image.open(tmp_path / "deep" / "msd1.png") as image:
        assert image.format == "PNG"
        colours = {colour for _, colour in image.getcolors(maxcolors=1_000_000) or []}
    assert GATE in colours


def test_without_a_threshold_no_gate_is_drawn(tmp_path: Path) -> None:
    outcome = calibrate(rows(400, lambda _: (0.95, 0.5)), QUESTION, target=0.95, delta=0.1, at=NOW)
    draw(outcome, tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as image:
        assert GATE not in {colour for _, colour in image.getcolors(maxcolors=1_000_000) or []}


def test_the_points_of_the_curves() -> None:
    confidence, right = (0.9, 0.9, 0.5, 0.3), (True, False, True, False)
    assert curve(confidence, right) == [(0.9, 0.5, 0.5), (0.5, 0.75, 2 / 3), (0.3, 1.0, 0.5)]
    assert reliability((1.0, 0.95, 0.12), (True, False, True)) == [(0.12, 1.0, 1), (pytest.approx(0.975), 0.5, 2)]
