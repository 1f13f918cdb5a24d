"""Floors: what is under one is named, what nobody measured misses nothing, and config.json names figures that exist."""

import pytest

from evals.customers_report import CustomersReport
from evals.floors import Bounds
from evals.integrity import run
from evals.results import Share
from evals.router_figures import figures
from evals.specialist_report import SpecialistReport
from settings import load_settings
from tests.evals.cases import own

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
