"""DESIGN section 3, "Policy", as one table."""

import pytest

from routing.decision import CLARIFICATION, Thresholds
from routing.policy import clarification_options, decide, fallback, restrict

SPECIALISTS = ("returns", "support", "billing")
DEFAULT = Thresholds()
ONLY_SUPPORT_STRICT = Thresholds(stay={"support": 0.9}, switch={"billing": 0.6})


def probabilities(returns=0.0, support=0.0, billing=0.0, out=0.0, ask=0.0):
    return {"returns": returns, "support": support, "billing": billing, "out_of_scope": out, "needs_question": ask}


# current, pending question of the current, probabilities, thresholds -> target, reason, threshold
TABLE = [
    # (1) top is the current specialist
    ("support", False, probabilities(support=0.75, billing=0.25), DEFAULT, "support", "confident", 0.75),
    ("support", False, probabilities(support=0.74, billing=0.26), DEFAULT, "support", "continuity", 0.75),
    ("support", False, probabilities(support=0.4, billing=0.4, ask=0.2), DEFAULT, "support", "continuity", 0.75),
    ("support", False, probabilities(billing=0.5, support=0.5), DEFAULT, "support", "continuity", 0.75),
    ("support", False, probabilities(support=0.5, ask=0.5), DEFAULT, "support", "continuity", 0.75),
    ("support", False, probabilities(support=0.2, billing=0.2, returns=0.2, out=0.2, ask=0.2), DEFAULT, "support", "continuity", 0.75),
    ("support", True, probabilities(support=0.95, ask=0.05), DEFAULT, "support", "confident", 0.75),
    # (2) top is another specialist or out of scope
    ("support", False, probabilities(billing=0.75, support=0.25), DEFAULT, "billing", "confident", 0.75),
    ("support", True, probabilities(billing=0.9, support=0.1), DEFAULT, "billing", "confident", 0.75),
    ("support", False, probabilities(billing=0.74, support=0.26), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    ("support", True, probabilities(billing=0.74, support=0.26), DEFAULT, "support", "continuity", 0.75),
    (None, False, probabilities(billing=0.75, support=0.25), DEFAULT, "billing", "confident", 0.75),
    (None, False, probabilities(out=0.9, ask=0.1), DEFAULT, "out_of_scope", "confident", 0.75),
    ("support", True, probabilities(out=0.9, support=0.1), DEFAULT, "out_of_scope", "confident", 0.75),
    ("support", True, probabilities(out=0.6, support=0.4), DEFAULT, "support", "continuity", 0.75),
    # the margin, reached exactly and missed
    (None, False, probabilities(billing=0.45, support=0.35, ask=0.2), Thresholds(tau_switch=0.4), "billing", "confident", 0.4),
    (None, False, probabilities(billing=0.44, support=0.36, ask=0.2), Thresholds(tau_switch=0.4), CLARIFICATION, "low_confidence", 0.4),
    (None, False, probabilities(billing=0.5, support=0.5), Thresholds(tau_switch=0.4), CLARIFICATION, "low_confidence", 0.4),
    # (3) needs a question, whatever its probability
    (None, False, probabilities(ask=0.99, billing=0.01), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    ("support", False, probabilities(ask=0.99, billing=0.01), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    ("support", True, probabilities(ask=0.99, billing=0.01), DEFAULT, "support", "continuity", 0.75),
    (None, True, probabilities(ask=0.99, billing=0.01), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    (None, False, probabilities(0.34, 0.33, 0.33), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    (None, False, probabilities(0.25, 0.2, 0.2, 0.2, 0.15), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    # a current specialist that the roster no longer has counts as none
    ("gone", True, probabilities(ask=0.9, billing=0.1), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    ("out_of_scope", True, probabilities(out=0.5, billing=0.5), DEFAULT, CLARIFICATION, "low_confidence", 0.75),
    # per option
    ("support", False, probabilities(support=0.85, billing=0.15), ONLY_SUPPORT_STRICT, "support", "continuity", 0.9),
    ("support", False, probabilities(billing=0.65, support=0.35), ONLY_SUPPORT_STRICT, "billing", "confident", 0.6),
    ("support", False, probabilities(returns=0.65, support=0.35), ONLY_SUPPORT_STRICT, CLARIFICATION, "low_confidence", 0.75),
]  # fmt: skip


@pytest.mark.parametrize(("current", "pending", "given", "thresholds", "target", "reason", "threshold"), TABLE)
def test_the_policy(current, pending, given, thresholds, target, reason, threshold):
    route = decide(given, current=current, pending_question=pending, thresholds=thresholds, specialists=SPECIALISTS)

    assert (route.target, route.reason, route.threshold) == (target, reason, threshold)
    assert route.confidence == pytest.approx(max(given.values()))
    assert bool(route.options) == (target == CLARIFICATION)


def test_margin_is_the_distance_to_the_runner_up():
    given = probabilities(billing=0.8, support=0.15, out=0.05)

    route = decide(given, current=None, pending_question=False, thresholds=DEFAULT, specialists=SPECIALISTS)

    assert route.margin == pytest.approx(0.65)


def test_the_margin_of_a_tie_that_continues_is_zero():
    given = probabilities(billing=0.5, support=0.5)

    route = decide(given, current="support", pending_question=False, thresholds=DEFAULT, specialists=SPECIALISTS)

    assert route.margin == 0


@pytest.mark.parametrize("order", [("returns", "support", "billing"), ("billing", "support", "returns")])
def test_equal_options_come_in_the_rosters_order_and_not_in_the_providers(order):
    given = {"billing": 0.3, "support": 0.3, "returns": 0.3, "needs_question": 0.1}

    assert clarification_options(given, order) == order[:2]


def test_a_rounded_probability_still_reaches_its_threshold():
    given = {"billing": 0.7499999999, "support": 0.2500000001}

    route = decide(given, current=None, pending_question=False, thresholds=DEFAULT, specialists=SPECIALISTS)

    assert route.reason == "confident"


@pytest.mark.parametrize(
    ("given", "offered"),
    [
        (probabilities(0.34, 0.33, 0.33), ("returns", "support")),
        (probabilities(support=0.3, billing=0.5, ask=0.2), ("billing", "support")),
        (probabilities(support=0.11, billing=0.09, ask=0.8), ("support", "other")),
        (probabilities(support=0.11, billing=0.10, ask=0.79), ("support", "other")),
        (probabilities(support=0.05, billing=0.04, ask=0.91), ("support", "billing")),
        (probabilities(out=0.6, support=0.3, billing=0.1), ("support", "other")),
    ],
)
def test_clarification_names_the_two_likeliest_or_one_and_other(given, offered):
    assert clarification_options(given, SPECIALISTS) == offered


def test_clarification_with_one_specialist_offers_it_and_other():
    assert clarification_options({"support": 0.4, "needs_question": 0.6}, ("support",)) == ("support", "other")


@pytest.mark.parametrize(
    ("current", "room", "target"),
    [
        ("support", ("returns", "support"), "support"),
        (None, ("returns", "support"), "returns"),
        ("billing", ("returns", "support"), "returns"),
        (None, ("out_of_scope", "returns"), "returns"),
        (None, ("out_of_scope", "courtesy"), "out_of_scope"),
        ("billing", (), "person"),
    ],
)
def test_fallback_is_the_current_agent_else_the_first(current, room, target):
    route = fallback(current, room, "fallback_unavailable")

    assert (route.target, route.reason, route.confidence) == (target, "fallback_unavailable", None)


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (("returns", "support"), {"returns": 0.25, "support": 0.75}),
        (("returns", "support", "clarification"), {"returns": 0.125, "support": 0.375, "needs_question": 0.5}),
        (("billing",), {"billing": 1.0}),
        (("courtesy", "person"), {}),
        (("elsewhere",), {}),
    ],
)
def test_restricting_renormalises_over_the_room(room, expected):
    given = {"returns": 0.1, "support": 0.3, "billing": 0.1, "out_of_scope": 0.1, "needs_question": 0.4}

    assert restrict(given, room) == pytest.approx(expected)


def test_a_room_without_any_probability_is_even_odds():
    assert restrict({"returns": 0.0, "support": 0.0, "billing": 1.0}, ("returns", "support")) == {
        "returns": 0.5,
        "support": 0.5,
    }
