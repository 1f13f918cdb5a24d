import math

import pytest

from routing.question import build_question
from routing.validation import InvalidAnswer, validate

QUESTION = build_question([("returns", "r"), ("support", "s"), ("billing", "b")])


def answer(**changes):
    base = {"returns": 0.6, "support": 0.2, "billing": 0.1, "out_of_scope": 0.05, "needs_question": 0.05}
    return {key: value for key, value in {**base, **changes}.items() if value is not Ellipsis}


@pytest.mark.parametrize(
    ("probabilities", "choice", "code"),
    [
        (None, "returns", "missing_probabilities"),
        ({}, "returns", "missing_probabilities"),
        (answer(sales=0.0), None, "unknown_label"),
        (answer(), "sales", "unknown_label"),
        (answer(support=...), None, "missing_option"),
        ({"returns": 1.0}, None, "missing_option"),
        (answer(returns=math.nan), None, "not_a_number"),
        (answer(returns="0.6"), None, "not_a_number"),
        (answer(returns=True), None, "not_a_number"),
        (answer(returns=None), None, "not_a_number"),
        (answer(returns=1.7), None, "out_of_range"),
        (answer(returns=-0.1), None, "out_of_range"),
        (answer(returns=math.inf), None, "out_of_range"),
        (answer(returns=0.2), None, "bad_sum"),
        (answer(returns=0.66), None, "bad_sum"),
        (answer(returns=0.54), None, "bad_sum"),
        ({**answer(), "returns": 0.0, "support": 0.0, "billing": 0.0, "out_of_scope": 0.0, "needs_question": 0.0}, None, "bad_sum"),
        (answer(), "support", "choice_not_top"),
        (answer(returns=0.01, support=0.9, billing=0.0, out_of_scope=0.05, needs_question=0.04), "returns", "choice_not_top"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_named(probabilities, choice, code):
    with pytest.raises(InvalidAnswer) as caught:
        validate(QUESTION, probabilities, choice)
    assert caught.value.code == code


@pytest.mark.parametrize("returns", [0.55, 0.59, 0.60, 0.61, 0.65])
def test_a_rounded_sum_is_renormalised(returns):
    valid = validate(QUESTION, answer(returns=returns), "returns")

    assert sum(valid.values()) == pytest.approx(1.0)
    assert valid["returns"] == pytest.approx(returns / (returns + 0.4))


def test_any_of_tied_tops_may_be_the_choice():
    tied = answer(returns=0.4, support=0.4, billing=0.1)

    assert validate(QUESTION, tied, "support") == pytest.approx(tied)
    assert validate(QUESTION, tied, "returns") == pytest.approx(tied)


def test_options_come_back_in_the_questions_order():
    shuffled = dict(reversed(answer().items()))

    assert tuple(validate(QUESTION, shuffled, None)) == QUESTION.ids


def test_whole_numbers_are_numbers():
    sure = {"returns": 1, "support": 0, "billing": 0, "out_of_scope": 0, "needs_question": 0}

    assert validate(QUESTION, sure, "returns")["returns"] == 1.0
