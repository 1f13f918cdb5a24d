"""The router suite's figures: how often the right one speaks, with intervals, and how far the numbers can be believed."""

from collections import Counter
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from evals.calibration import calibration_error, log_loss
from evals.results import Result, Share, quantile
from evals.router import Row
from evals.router_curves import area_under_risk, reliability, risk_coverage
from routing.decision import CLARIFICATION, NEEDS_QUESTION, OUT_OF_SCOPE, RESPONDERS

WORST_FROM = 10


def result_of(rows: Sequence[Row]) -> Result:
    """Return the suite's result."""
    return Result(suite="router", n=len(rows), metrics=figures(rows), cases=[row.as_json() for row in rows])


def figures(rows: Sequence[Row]) -> dict[str, JsonValue]:
    """Return accuracy (overall, unambiguous, by kind, by intent, the worst intent), and what else tells a router apart."""
    clear = [row for row in rows if not row.case.ambiguous]
    outside = [row for row in rows if row.case.expected == OUT_OF_SCOPE]
    spoken_for = [row for row in rows if row.case.topics]
    weighed = [row for row in rows if row.decision.probabilities]
    judged = [pair for row in weighed if (pair := _judged(row)) is not None]
    return {
        "accuracy": _right(rows),
        "unambiguous": _right(clear),
        "by_kind": _by(rows, lambda row: row.case.kind),
        "by_intent": _by(rows, _intent),
        "worst_intent": _worst(rows),
        "clarification": _share(rows, lambda row: row.decision.target == CLARIFICATION),
        "clarification_unambiguous": _share(clear, lambda row: row.decision.target == CLARIFICATION),
        "false_dispatch": _share(outside, lambda row: row.decision.target not in RESPONDERS),
        "topics_found": _share(spoken_for, lambda row: set(row.case.topics) <= {*row.others, row.decision.target}),
        "log_loss": _rounded(log_loss([p for row in weighed if (p := _right_probability(row)) is not None])),
        "calibration_error": _rounded(calibration_error(judged)),
        "area_under_risk": _rounded(area_under_risk(judged)),
        "weighed": len(weighed),
        "latency_ms": {
            "p50": _rounded(quantile([row.latency_ms for row in rows], 0.5)),
            "p95": _rounded(quantile([row.latency_ms for row in rows], 0.95)),
        },
        "cost_usd": sum(row.decision.cost_usd or 0.0 for row in rows),
        "reliability": reliability(judged),
        "risk_coverage": risk_coverage(judged),
        "by_reason": dict(sorted(Counter(row.decision.reason for row in rows).items())),
        "by_provider": dict(sorted(Counter(row.decision.provider or "rule" for row in rows).items())),
    }  # fmt: skip


def _share(rows: Sequence[Row], holds: Callable[[Row], bool]) -> JsonValue:
    return Share(sum(map(holds, rows)), len(rows)).as_json()


def _right(rows: Sequence[Row]) -> JsonValue:
    return _share(rows, lambda row: row.right)


def _by(rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, JsonValue]:
    names = sorted({name(row) for row in rows})
    return {each: _right([row for row in rows if name(row) == each]) for each in names}


def _intent(row: Row) -> str:
    return row.case.intent or row.case.kind


def _worst(rows: Sequence[Row]) -> JsonValue:
    """Return the intent with the lowest accuracy among those with at least ten cases; None where there is none."""
    counts = Counter(_intent(row) for row in rows)
    right = Counter(_intent(row) for row in rows if row.right)
    large = [intent for intent, n in counts.items() if n >= WORST_FROM]
    if not large:
        return None
    worst = min(large, key=lambda intent: (right[intent] / counts[intent], intent))
    return {"intent": worst, **Share(right[worst], counts[worst]).as_json()}


def _right_options(row: Row) -> set[str]:
    """Return the right answers as a provider can give them: asking back is its "needs_question"."""
    case = row.case
    targets = {case.expected, *case.acceptable, *((CLARIFICATION,) if case.ambiguous else ())}
    return {NEEDS_QUESTION if target == CLARIFICATION else target for target in targets}


def _right_probability(row: Row) -> float | None:
    probabilities = row.decision.probabilities or {}
    known = _right_options(row) & set(probabilities)
    return sum(probabilities[option] for option in known) if known else None


def _judged(row: Row) -> tuple[float, bool] | None:
    """Return the top probability and whether the top option is right; None where no option can be."""
    probabilities = row.decision.probabilities or {}
    right = _right_options(row)
    if not right & set(probabilities):
        return None
    top = max(probabilities, key=lambda option: probabilities[option])
    return probabilities[top], top in right


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
