"""Calibration: what a probability is worth, how high a threshold must be, and for which build and question that holds.

scikit-learn and scipy are needed only to make a file; a file is applied with `math` alone.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from routing.decision import Question, Thresholds
from routing.model import Frozen
from routing.question import question_hash

# Providers that round send exact zeros, whose logarithm is none.
_FLOOR = 1e-4


class CalibrationFile(Frozen):
    """What was measured, and what it was measured on. Another build, wording, option or order makes it void.

    `thresholds` is None when no threshold met the target. `coverage` is the share accepted at the threshold, `accuracy`
    the share right among them, `interval` its exact two-sided interval at 1 - `delta`.
    """

    version: Literal[1] = 1
    provider: str
    build: str
    question_hash: str
    options: tuple[str, ...]
    n: int = Field(ge=1)
    target: float = Field(gt=0, lt=1)
    delta: float = Field(gt=0, lt=1)
    temperature: float = Field(gt=0, allow_inf_nan=False)
    thresholds: Thresholds | None
    coverage: float | None = None
    accuracy: float | None = None
    interval: tuple[float, float] | None = None
    calibration_error: float | None = None
    at: datetime


class ThresholdFound(Frozen):
    """The loosest threshold that keeps the promise, with what it accepts on the rows it was chosen on."""

    threshold: float
    accepted: int
    n: int
    coverage: float
    accuracy: float
    interval: tuple[float, float]


class NoThreshold(Frozen):
    """No threshold meets the target: `best` is the highest lower bound that was reached, None if too few rows."""

    target: float
    n: int
    best: float | None = None


def load(path: Path) -> CalibrationFile:
    """Read a calibration file. Raises OSError or pydantic's ValidationError."""
    return CalibrationFile.model_validate_json(path.read_text(encoding="utf-8"))


def save(path: Path, calibration: CalibrationFile) -> None:
    """Write a calibration file so that a reader sees the old one or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    waiting = path.with_suffix(path.suffix + ".part")
    waiting.write_text(calibration.model_dump_json(indent=2) + "\n", encoding="utf-8")
    waiting.replace(path)


def applies(calibration: CalibrationFile, *, provider: str, build: str, question: Question) -> bool:
    """Tell whether the file was made for exactly this provider, served build, question and order of options."""
    return (
        calibration.provider == provider
        and calibration.build == build
        and calibration.options == question.ids
        and calibration.question_hash == question_hash(question)
    )


def apply_temperature(probabilities: Mapping[str, float], temperature: float) -> dict[str, float]:
    """Return softmax(log p / temperature), p floored at 1e-4. A temperature of 1 changes nothing but the floor."""
    scaled = {option: math.log(max(value, _FLOOR)) / temperature for option, value in probabilities.items()}
    top = max(scaled.values())
    powers = {option: math.exp(value - top) for option, value in scaled.items()}
    total = sum(powers.values())
    return {option: value / total for option, value in powers.items()}


def fit_temperature(probabilities: Sequence[Mapping[str, float]], labels: Sequence[str]) -> float:
    """Return the temperature that minimises the log-loss of held-out rows, between 0.05 and 20.

    Raises ValueError without rows. Guo et al. 2017, "On Calibration of Modern Neural Networks".
    """
    if not labels or len(labels) != len(probabilities):
        raise ValueError("a temperature needs one label per row, and rows")
    from scipy.optimize import minimize_scalar

    def loss(log_temperature: float) -> float:
        temperature = math.exp(log_temperature)
        rows = zip(probabilities, labels, strict=True)
        return -sum(math.log(max(apply_temperature(row, temperature)[label], 1e-12)) for row, label in rows)

    found = minimize_scalar(loss, bounds=(math.log(0.05), math.log(20.0)), method="bounded")
    return math.exp(float(found.x))


def exact_interval(right: int, n: int, *, delta: float = 0.05) -> tuple[float, float]:
    """Return the two-sided Clopper-Pearson interval of right/n at confidence 1 - delta."""
    return _lower(right, n, delta / 2), _upper(right, n, delta / 2)


def threshold_for(
    confidence: Sequence[float], right: Sequence[bool], *, target: float, delta: float = 0.10, least: int | None = None
) -> ThresholdFound | NoThreshold:
    """Return the loosest threshold whose accepted decisions are right at `target` with confidence 1 - delta.

    Thresholds are tried from strict to loose and the first that fails ends it (fixed-sequence testing), so the promise
    holds for the one that is returned; picking the best of all would miss its target in a third of draws and more.
    Candidates that accept fewer than `least` rows (default: `fewest_rows`) are no test. A provider that always says the
    same number has one candidate: all or nothing.
    """
    if len(confidence) != len(right):
        raise ValueError("one outcome per confidence")
    n = len(confidence)
    if least is None:
        least = fewest_rows(n, target=target, delta=delta)
    found: ThresholdFound | None = None
    best: float | None = None
    for threshold in sorted({value for value in confidence if math.isfinite(value)}, reverse=True):
        accepted = [hit for value, hit in zip(confidence, right, strict=True) if value >= threshold]
        if len(accepted) < least:
            continue
        hits = sum(accepted)
        bound = _lower(hits, len(accepted), delta)
        best = bound if best is None else max(best, bound)
        if bound < target:
            break
        found = ThresholdFound(
            threshold=threshold,
            accepted=len(accepted),
            n=n,
            coverage=len(accepted) / n,
            accuracy=hits / len(accepted),
            interval=exact_interval(hits, len(accepted), delta=delta),
        )
    return found or NoThreshold(target=target, n=n, best=best)


def fewest_rows(n: int, *, target: float, delta: float) -> int:
    """Return how many rows the strictest candidate must accept: with fewer, one early error would end every search.

    Enough to pass with half of the errors that `target` allows, but no more than a third of the `n` rows, and never fewer
    than pass without any error (22 for 0.90 and 45 for 0.95, at `delta` 0.10). Only counts decide: no outcome is looked at.
    """
    faultless = math.ceil(math.log(delta) / math.log(target))
    rows = faultless
    while rows < n // 3 and _lower(rows - math.ceil(rows * (1 - target) / 2), rows, delta) < target:
        rows += 1
    return max(faultless, rows)


def expected_calibration_error(confidence: Sequence[float], right: Sequence[bool], *, bins: int = 10) -> float:
    """Return the mean gap between confidence and accuracy over equal-width bins, weighted by their rows."""
    if not confidence:
        return 0.0
    rows: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for value, hit in zip(confidence, right, strict=True):
        rows[min(int(value * bins), bins - 1)].append((value, hit))
    gaps = (abs(sum(value for value, _ in row) - sum(hit for _, hit in row)) for row in rows)
    return sum(gaps) / len(confidence)


def _lower(right: int, n: int, delta: float) -> float:
    from scipy.stats import beta

    return 0.0 if right == 0 else float(beta.ppf(delta, right, n - right + 1))


def _upper(right: int, n: int, delta: float) -> float:
    from scipy.stats import beta

    return 1.0 if right == n else float(beta.ppf(1 - delta, right + 1, n - right))
