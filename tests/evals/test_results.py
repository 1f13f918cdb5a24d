import json
from pathlib import Path

import pytest

from evals.results import Result, Share, figure, misses, quantile, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I: method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_agrees_with_the_published_intervals(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_an_interval_is_open_without_observations_and_closed_at_the_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(20, 20)[1] == 1.0
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)


def test_a_share_of_nothing_has_no_value() -> None:
    assert Share(0, 0).as_json() == {"value": None, "hits": 0, "n": 0, "low": 0.0, "high": 1.0}
    assert str(Share(0, 0)) == "-"
    assert str(Share(1, 2)).startswith("50.0 % (1/2; 9.5 to 90.5)")


@pytest.mark.parametrize(("share", "expected"), [(0.5, 2), (0.95, 4), (0.0, 1), (1.0, 4)])
def test_a_quantile_is_one_of_the_values(share: float, expected: float) -> None:
    assert quantile([4, 1, 3, 2], share) == expected
    assert quantile([], share) is None


METRICS = {"accuracy": Share(8, 10).as_json(), "sizes": {"max": 7}, "nothing": Share(0, 0).as_json(), "name": "x"}


def test_a_figure_is_found_by_its_path() -> None:
    assert (figure(METRICS, "accuracy"), figure(METRICS, "sizes.max"), figure(METRICS, "nothing")) == (0.8, 7.0, None)
    for wrong in ("acuracy", "sizes.min", "name"):
        with pytest.raises(KeyError):
            figure(METRICS, wrong)


def test_what_is_under_its_floor_or_over_its_ceiling_is_named() -> None:
    assert misses(METRICS, floors={"accuracy": 0.8, "nothing": 1.0}, ceilings={"sizes.max": 7}) == []
    assert misses(METRICS, floors={"accuracy": 0.81}, ceilings={"sizes.max": 6}) == [
        "accuracy is 0.8, the floor is 0.81",
        "sizes.max is 7, the ceiling is 6",
    ]


def test_the_json_shape(tmp_path: Path) -> None:
    out = tmp_path / "new" / "r.json"
    Result(suite="handoff", n=1, metrics={"broken": 0}, cases=[{"id": "ç"}]).write(out)
    assert json.loads(out.read_text("utf-8")) == {
        "suite": "handoff",
        "n": 1,
        "metrics": {"broken": 0},
        "cases": [{"id": "ç"}],
    }
