"""Providers side by side: agreement, ratios, and curves."""

import pytest

from evals.results_run import points_in
from evals.router import Row
from evals.router_cases import RouterCase
from evals.router_curves import area_under_risk, reliability, risk_coverage
from evals.router_pairs import pair, pairs
from routing.decision import Decision


def rows(targets: str, *, latency: float = 10.0, cost: float = 0.0) -> list[Row]:
    """One case per letter, all of which b should answer; the last one is ambiguous."""
    return [
        Row(
            RouterCase(
                id=str(n), kind="opening", message="x", expected="b", ambiguous=n == len(targets) - 1
            ),
            Decision(target=target, reason="confident", cost_usd=cost), (), latency,
        )
        for n, target in enumerate(targets)
    ]  # fmt: skip


def test_two_are_held_against_each_other_case_by_case() -> None:
    found = pair("one", rows("bbbab", latency=10, cost=0.002), "two", rows("bbbaa", latency=25, cost=0.001))
    assert (found.agreement.hits, found.agreement.n) == (4, 5)
    assert (found.right.first_only, found.right.second_only, found.right.n) == (1, 0, 5)
    assert (found.unambiguous.first_only, found.unambiguous.n) == (0, 4)
    assert (found.latency_ratio, found.cost_ratio) == (2.5, 0.5)
    assert "not evidence" in found.sentence


def test_free_ones_have_no_ratio_of_cost_and_every_two_are_compared() -> None:
    found = pairs({"one": rows("bb"), "two": rows("ba"), "three": rows("aa")})
    assert [(each.first, each.second) for each in found] == [("one", "two"), ("one", "three"), ("two", "three")]
    assert found[0].as_json()["cost_ratio"] is None


def test_different_cases_are_no_comparison() -> None:
    with pytest.raises(ValueError, match="same cases"):
        pair("one", rows("bb"), "two", rows("bbb"))


JUDGED = [(0.9, True), (0.9, False), (0.6, True), (0.55, False), (1.0, True)]


def test_each_bin_tells_what_was_stated_and_what_was_right() -> None:
    points = points_in({"curve": reliability(JUDGED)}, "curve")
    assert [(p["stated"], p["value"], p["n"]) for p in points] == [
        (0.55, 0.0, 1),
        (0.6, 1.0, 1),
        (pytest.approx(0.9333, abs=1e-4), pytest.approx(0.6667, abs=1e-4), 3),
    ]


def test_risk_grows_with_what_is_decided_and_ties_are_decided_together() -> None:
    points = points_in({"curve": risk_coverage(JUDGED)}, "curve")
    assert [(p["threshold"], p["coverage"], p["risk"]) for p in points] == [
        (1.0, 0.2, 0.0),
        (0.9, 0.6, 0.3333),
        (0.6, 0.8, 0.25),
        (0.55, 1.0, 0.4),
    ]
    assert area_under_risk(JUDGED) == pytest.approx((0 + 2 * (1 / 3) + 0.25 + 0.4) / 5)
    assert (risk_coverage([]), area_under_risk([]), reliability([])) == ([], None, [])


def test_a_long_curve_is_thinned_and_keeps_its_end() -> None:
    points = points_in({"curve": risk_coverage([(n / 1000, True) for n in range(1000)])}, "curve")
    assert 50 <= len(points) <= 70
    assert points[-1]["coverage"] == 1.0
