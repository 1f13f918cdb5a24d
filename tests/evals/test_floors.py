"""Floors: what is under one is named, what nobody measured misses nothing, and config.json names figures that exist."""

from typing import Any

import pytest

from evals.customers_report import CustomersReport
from evals.figure_names import produced, unknown_figures
from evals.floors import Bounds
from evals.integrity import run
from evals.results import Share, Suite
from evals.results_run import read_run
from evals.router_figures import figures
from evals.specialist_report import SpecialistReport
from settings import load_settings
from tests.evals.cases import ROOT, own

FIGURES = {"accuracy": Share(8, 10).as_json(), "calibration_error": 0.05, "sizes": {"max": 7}, "none": None}


def test_what_is_missed_is_said() -> None:
    bounds = Bounds({"accuracy": 0.81}, {"sizes.max": 6, "none": 1})
    assert bounds.missed(FIGURES) == ["accuracy is 0.8, the floor is 0.81", "sizes.max is 7, the ceiling is 6"]
    assert Bounds({"accuracy": 0.8}, {"sizes.max": 7}).missed(FIGURES) == []
    with pytest.raises(KeyError, match="acuracy"):
        Bounds({"acuracy": 0.8}).missed(FIGURES)


def test_a_flag_replaces_one_figure_and_leaves_the_rest() -> None:
    changed = Bounds({"a": 1, "b": 2}, {"c": 3}).changed(at_least={"a": 0}, at_most={"d": 4})
    assert changed.as_json() == {"at_least": {"a": 0, "b": 2}, "at_most": {"c": 3, "d": 4}}


@pytest.mark.parametrize(("ceiling", "believed"), [(0.05, True), (0.04, False)])
def test_the_calibration_report_passes_up_to_its_ceiling(ceiling: float, believed: bool) -> None:
    assert Bounds(at_most={"calibration_error": ceiling}).believable(FIGURES) is believed
    assert Bounds().believable(FIGURES) is None
    assert Bounds(at_most={"calibration_error": 0.1}).believable({"calibration_error": None}) is None


def test_every_floor_of_the_configuration_names_a_figure() -> None:
    floors = load_settings({}).evals.floors
    assert set(floors) == {"router", "handoff", "specialist"}
    nobody = CustomersReport(customers=()).metrics()
    measured = {
        "router": figures([]), "handoff": run(own("corrections")).metrics,
        "specialist": {**SpecialistReport(cases=(), trials=1).result().metrics, "customers": nobody},
    }  # fmt: skip
    for suite, metrics in measured.items():
        Bounds(floors[suite].at_least, floors[suite].at_most).missed(metrics)  # type: ignore[index]


@pytest.mark.parametrize(
    ("suite", "path"),
    [
        ("router", "accuracy"), ("router", "accuracy.low"), ("router", "worst_intent.low"), ("router", "latency_ms.p95"),
        ("router", "by_intent.refund"), ("router", "by_intent.refund.low"), ("router", "by_reason.courtesy"), ("handoff", "by_key.order.lost"),
        ("handoff", "package_tokens.max"), ("specialist", "by_agent.billing"), ("specialist", "pass_hat.1"),
        ("specialist", "customers.messages_mean"), ("specialist", "customers.reached.low"),
    ],
)  # fmt: skip
def test_figures_that_a_suite_can_have(suite: Suite, path: str) -> None:
    assert produced(suite, path)


@pytest.mark.parametrize(
    ("suite", "path"),
    [
        ("router", "acuracy"), ("router", ""), ("router", "accuracy.lowest"), ("router", "latency_ms"), ("router", "by_intent"),
        ("router", "by_intent."), ("router", "reliability"), ("router", "accuracy.low.low"), ("router", "identifiers"),
        ("router", "by_reason.courtesy.value"), ("handoff", "by_key.order"), ("handoff", "package_tokens"), ("specialist", "customers"),
        ("specialist", "customers.reach"), ("specialist", "passed_billing"), ("specialist", "pass_hat.2"),
    ],
)  # fmt: skip
def test_figures_that_no_run_of_a_suite_has(suite: Suite, path: str) -> None:
    assert not produced(suite, path)
    assert unknown_figures(suite, Bounds({path: 1.0})) == [("at_least", path)]
    assert unknown_figures(suite, Bounds(at_most={path: 1.0})) == [("at_most", path)]


def test_whatever_the_last_run_measured_can_be_a_floor() -> None:
    """What the shapes know and what the suites write must not drift apart."""
    run = read_run(ROOT / "evals" / "results" / "run.json")
    assert run.router is not None
    measured = [("router", scored.metrics) for scored in run.router.providers]
    for suite, metrics in [*measured, *((each.suite, each.metrics) for each in run.suites)]:
        for path in figures_in(metrics):
            assert produced(suite, path), (suite, path)  # type: ignore[arg-type]


def figures_in(found: Any, stem: str = "") -> list[str]:
    if isinstance(found, dict):
        return [path for name, under in found.items() for path in figures_in(under, f"{stem}.{name}" if stem else name)]
    return [stem] if isinstance(found, int | float) else []
