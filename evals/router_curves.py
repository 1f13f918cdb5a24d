"""The pictures' numbers: how right each stated probability is, and what is lost by deciding more."""

from collections.abc import Sequence
from itertools import groupby

from pydantic import JsonValue

from evals.calibration import BINS
from evals.results import Share

POINTS = 60

Judged = Sequence[tuple[float, bool]]


def reliability(judged: Judged, *, bins: int = BINS) -> list[JsonValue]:
    """Return, for each bin of stated probability that has rows, its mean and the share that was right with its interval."""
    found: list[JsonValue] = []
    for place in range(bins):
        inside = [(p, right) for p, right in judged if min(int(p * bins), bins - 1) == place]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            share = Share(sum(right for _, right in inside), len(inside)).as_json()
            found.append({"stated": round(mean, 4), **share})
    return found


def risk_coverage(judged: Judged, *, points: int = POINTS) -> list[JsonValue]:
    """Return what share of the decided is wrong when only the surest are decided: threshold, coverage, risk.

    Strictest threshold first, equal probabilities together; thinned to about `points` (El-Yaniv and Wiener, JMLR 11, 2010).
    """
    every: list[dict[str, JsonValue]] = []
    taken = wrong = 0
    for threshold, ties in groupby(sorted(judged, key=lambda row: -row[0]), key=lambda row: row[0]):
        rights = [right for _, right in ties]
        taken, wrong = taken + len(rights), wrong + rights.count(False)
        every.append({
            "threshold": round(threshold, 4), "coverage": round(taken / len(judged), 4), "risk": round(wrong / taken, 4),
        })  # fmt: skip
    step = max(1, len(every) // points)
    return [*every[:-1:step], *every[-1:]]


def area_under_risk(judged: Judged) -> float | None:
    """Return the mean risk over all coverages (AURC): the lower, the better the stated probability tells wrong from right.

    None of none.
    """
    taken = wrong = 0
    total = 0.0
    for _, ties in groupby(sorted(judged, key=lambda row: -row[0]), key=lambda row: row[0]):
        rights = [right for _, right in ties]
        taken, wrong = taken + len(rights), wrong + rights.count(False)
        total += len(rights) * wrong / taken
    return total / len(judged) if judged else None
