"""Calibrates one decision provider on router cases: what its probabilities are worth, and where the gate must stand."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from ops.calibration_cases import BadCases, Case, load_cases
from routing.decision import Answer, Question, Thresholds
from routing.model import Frozen
from routing.ports import Decider
from routing.providers.base import DecisionProvider, ProviderError, ask
from routing.providers.calibration import (
    CalibrationFile,
    NoThreshold,
    ThresholdFound,
    apply_temperature,
    expected_calibration_error,
    fit_temperature,
    save,
    threshold_for,
)
from routing.providers.chain import ChainDecider
from routing.question import question_hash

__all__ = [
    "BadCases",
    "Calibrated",
    "Case",
    "Measured",
    "ProviderError",
    "calibrate",
    "load_cases",
    "measure",
    "only_provider",
    "render",
    "save",
]

_PATIENCE_S = (1.0, 2.0, 4.0)
_CALL_S = 20.0
_DIGITS = 6
_DOWN = 3


class Measured(Frozen):
    """One answered case, before any temperature."""

    case: Case
    answer: Answer


class Halves(Frozen):
    """The measured rows in two: the temperature is fitted on one, the threshold tested on the other."""

    fitting: tuple[Measured, ...]
    testing: tuple[Measured, ...]


class Calibrated(Frozen):
    """The outcome: the file to write, the threshold or why there is none, and the numbers for the curve (testing half)."""

    file: CalibrationFile
    threshold: ThresholdFound | NoThreshold
    confidence_before: tuple[float, ...]
    confidence: tuple[float, ...]
    right: tuple[bool, ...]
    error_before: float
    error_after: float
    failed: int
    cost_usd: float


def only_provider(decider: Decider) -> DecisionProvider:
    """Return the one provider of a chain, without a calibration that it may have. Raises ValueError for several.

    A calibration belongs to one provider: a chain's answers come from whoever is up.
    """
    if not isinstance(decider, ChainDecider) or len(decider.providers) != 1:
        raise ValueError("a calibration is of one provider: name one flag, not a chain")
    return decider.providers[0].model_copy(update={"calibration": None})


async def measure(
    provider: DecisionProvider,
    cases: Sequence[Case],
    question: Question,
    *,
    most_usd: float,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> tuple[tuple[Measured, ...], int]:
    """Ask every case, one after the other. Returns what was answered and how many failed for good.

    A busy provider is waited for. Raises `ProviderError` for a wrong key, an empty account, or a provider that is down
    (three cases in a row), and ValueError before the call that could spend more than `most_usd`.
    """
    measured: list[Measured] = []
    spent, failed, in_a_row = 0.0, 0, 0
    for case in cases:
        if provider.paid and spent + provider.max_cost_usd > most_usd:
            raise ValueError(f"after {len(measured)} cases the next call could pass {most_usd} US$; raise the limit")
        answer = await _patiently(provider, case, question, sleep)
        if answer is None:
            failed, in_a_row = failed + 1, in_a_row + 1
            if in_a_row == _DOWN:
                raise ProviderError("retryable", f"{_DOWN} cases in a row got no answer")
            continue
        in_a_row = 0
        spent += answer.cost_usd
        measured.append(Measured(case=case, answer=answer))
    return tuple(measured), failed


def calibrate(
    measured: Sequence[Measured], question: Question, *, target: float, delta: float, at: datetime, failed: int = 0
) -> Calibrated:
    """Fit temperature and threshold on measured rows. Raises `BadCases` for too few rows or for more than one build."""
    builds = sorted({row.answer.model for row in measured})
    if len(builds) != 1:
        raise BadCases(f"the answers came from {len(builds)} builds ({', '.join(builds)}); a threshold holds for one")
    halves = halve(measured)
    if not halves.fitting or not halves.testing:
        raise BadCases(f"{len(measured)} answered cases are too few to fit and to test")
    temperature = fit_temperature(
        [row.answer.probabilities for row in halves.fitting], [_truth(row) for row in halves.fitting]
    )
    scaled = [apply_temperature(row.answer.probabilities, temperature) for row in halves.testing]
    before = tuple(_confidence(row.answer.probabilities) for row in halves.testing)
    confidence = tuple(_confidence(row) for row in scaled)
    right = tuple(_top(p) in row.case.acceptable for p, row in zip(scaled, halves.testing, strict=True))
    threshold = threshold_for(confidence, right, target=target, delta=delta)
    found = threshold if isinstance(threshold, ThresholdFound) else None
    error = expected_calibration_error(confidence, right)
    file = CalibrationFile(
        provider=measured[0].answer.provider,
        build=builds[0],
        question_hash=question_hash(question),
        options=question.ids,
        n=len(halves.testing),
        target=target,
        delta=delta,
        temperature=temperature,
        thresholds=None
        if found is None
        else Thresholds.model_validate({"tau": found.threshold, "tau_switch": found.threshold}),
        coverage=None if found is None else found.coverage,
        accuracy=None if found is None else found.accuracy,
        interval=None if found is None else found.interval,
        calibration_error=error,
        at=at,
    )
    return Calibrated(
        file=file,
        threshold=threshold,
        confidence_before=before,
        confidence=confidence,
        right=right,
        error_before=expected_calibration_error(before, right),
        error_after=error,
        failed=failed,
        cost_usd=sum(row.answer.cost_usd for row in measured),
    )


def halve(measured: Sequence[Measured]) -> Halves:
    """Split by a hash of the case's id: the same case always falls on the same side, whatever else is in the set."""
    sides: tuple[list[Measured], list[Measured]] = ([], [])
    for row in measured:
        sides[hashlib.sha256(row.case.id.encode()).digest()[0] % 2].append(row)
    return Halves(fitting=tuple(sides[0]), testing=tuple(sides[1]))


def render(outcome: Calibrated) -> str:
    """Return the outcome in words, with every number's n."""
    file = outcome.file
    lines = [
        f"{file.provider}, build {file.build}, question {file.question_hash[:12]}, options {', '.join(file.options)}",
        f"answered {len(outcome.right)} held-out cases (of both halves {outcome.failed} failed), {outcome.cost_usd:.4f} US$",
        f"temperature {file.temperature:.3f}: calibration error {outcome.error_before:.3f} before, {outcome.error_after:.3f} after",
        f"right on {sum(outcome.right)} of {len(outcome.right)} held-out cases",
    ]
    match outcome.threshold:
        case ThresholdFound() as found:
            low, high = found.interval
            lines.append(
                f"threshold {found.threshold:.4f}: accepts {found.accepted} of {found.n} (coverage {found.coverage:.1%}), "
                f"right on {found.accuracy:.1%} of these [{low:.1%}, {high:.1%}], target {file.target:.1%} at delta {file.delta:g}"
            )
        case NoThreshold() as none:
            reached = "too few rows to test any" if none.best is None else f"best lower bound {none.best:.1%}"
            lines.append(
                f"no threshold meets the target of {file.target:.1%} at delta {file.delta:g} (n={none.n}, {reached})"
            )
    return "\n".join(lines)


async def _patiently(
    provider: DecisionProvider, case: Case, question: Question, sleep: Callable[[float], Awaitable[object]]
) -> Answer | None:
    for patience in (*_PATIENCE_S, None):
        try:
            return await asyncio.wait_for(
                ask(provider, case.message, exchange=case.exchange, question=question), _CALL_S
            )
        except TimeoutError:
            wait = patience
        except ProviderError as error:
            if error.kind in ("ours", "payment"):
                raise
            wait = None if patience is None else max(patience, error.retry_after_s or 0.0)
        if wait is not None:
            await sleep(wait)
    return None


def _truth(row: Measured) -> str:
    """Return the option that counts as right for this answer: what it chose where that is acceptable, else the label."""
    top = _top(row.answer.probabilities)
    return top if top in row.case.acceptable else row.case.label


def _confidence(probabilities: Mapping[str, float]) -> float:
    """Return the top probability without its last bits: they depend on the option's place and would split ties by label."""
    return round(max(probabilities.values()), _DIGITS)


def _top(probabilities: Mapping[str, float]) -> str:
    return max(probabilities, key=lambda option: probabilities[option])
