"""The check that every provider's answer passes before anything is decided on it."""

import math
from collections.abc import Mapping
from typing import Literal

from routing.decision import Question

Code = Literal[
    "missing_probabilities",
    "unknown_label",
    "missing_option",
    "not_a_number",
    "out_of_range",
    "bad_sum",
    "choice_not_top",
]

SUM_TOLERANCE = 0.05
_ROUNDING = 1e-9


class InvalidAnswer(Exception):
    """A provider answered something that is no distribution over the options. `code` goes into the hop's why."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code: Code = code


def validate(question: Question, probabilities: Mapping[str, float] | None, choice: str | None) -> dict[str, float]:
    """Return the probabilities renormalised, in the question's order. Raises `InvalidAnswer`.

    A sum of 1 ± 0.05 is accepted because providers round to two decimals. `choice` may be any of several tied tops.
    """
    if not probabilities:
        raise InvalidAnswer("missing_probabilities")
    known = set(question.ids)
    if not set(probabilities) <= known or (choice is not None and choice not in known):
        raise InvalidAnswer("unknown_label")
    if set(probabilities) != known:
        raise InvalidAnswer("missing_option")
    values = {option: _number(probabilities[option]) for option in question.ids}
    total = sum(values.values())
    if abs(total - 1.0) > SUM_TOLERANCE + _ROUNDING:
        raise InvalidAnswer("bad_sum")
    if choice is not None and values[choice] < max(values.values()):
        raise InvalidAnswer("choice_not_top")
    return {option: value / total for option, value in values.items()}


def _number(value: object) -> float:
    # What came over a wire is not what the annotation says: booleans and strings are refused by name.
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise InvalidAnswer("not_a_number")
    if not 0.0 <= value <= 1.0:
        raise InvalidAnswer("out_of_range")
    return float(value)
