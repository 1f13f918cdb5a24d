"""The policy: probabilities and thresholds in, a route and its reason out."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from routing.decision import CLARIFICATION, NEEDS_QUESTION, OUT_OF_SCOPE, PERSON, RESPONDERS, Reason, Thresholds
from routing.model import Frozen

OTHER = "other"
WORTH_NAMING = 0.10
_EPSILON = 1e-9


class Route(Frozen):
    """Who speaks and why. `confidence` is the top probability, `threshold` the gate that it was held against."""

    target: str
    reason: Reason
    confidence: float | None = None
    margin: float | None = None
    threshold: float | None = None
    options: tuple[str, ...] = ()


def decide(
    probabilities: Mapping[str, float],
    *,
    current: str | None,
    pending_question: bool,
    thresholds: Thresholds,
    specialists: Sequence[str],
) -> Route:
    """Turn a distribution (summing to 1) into a route.

    `pending_question` says that the current specialist asked something that is still unanswered. Ties with the current
    specialist stay with it; ties between others fail the margin.
    """
    ranked = _ranked(probabilities, specialists)
    if not ranked:
        return _low_confidence(probabilities, specialists, None, None, thresholds.tau_switch)
    confidence = probabilities[ranked[0]]
    here = current if current in specialists and current in probabilities else None
    stays = here is not None and probabilities[here] >= confidence - _EPSILON
    top = here if stays and here is not None else ranked[0]
    margin = confidence - max((probabilities[option] for option in ranked if option != top), default=0.0)
    if stays:
        threshold = thresholds.to_stay(top)
        reason: Reason = "confident" if confidence >= threshold - _EPSILON else "continuity"
        return Route(target=top, reason=reason, confidence=confidence, margin=margin, threshold=threshold)
    threshold = thresholds.to_switch(top)
    may_switch = top in specialists or top == OUT_OF_SCOPE
    if may_switch and confidence >= threshold - _EPSILON and margin >= thresholds.margin_min - _EPSILON:
        return Route(target=top, reason="confident", confidence=confidence, margin=margin, threshold=threshold)
    if here is not None and pending_question:
        return Route(target=here, reason="continuity", confidence=confidence, margin=margin, threshold=threshold)
    return _low_confidence(probabilities, specialists, confidence, margin, threshold)


def fallback(
    current: str | None, room: Sequence[str], reason: Literal["fallback_undecided", "fallback_unavailable"]
) -> Route:
    """Return the current agent if it is in the room, else the first specialist of the room, else whoever is there."""
    if current is not None and current in room:
        return Route(target=current, reason=reason)
    specialists = [member for member in room if member not in RESPONDERS]
    return Route(target=next(iter([*specialists, *room]), PERSON), reason=reason)


def restrict(probabilities: Mapping[str, float], room: Sequence[str]) -> dict[str, float]:
    """Keep what the room can answer and renormalise; `needs_question` stays if the room lists clarification.

    Returns {} if the provider knows none of the room. A room that got no probability at all is even odds.
    """
    kept = {
        option: value
        for option, value in probabilities.items()
        if option in room or (option == NEEDS_QUESTION and CLARIFICATION in room)
    }
    total = sum(kept.values())
    if not math.isfinite(total) or total <= _EPSILON:
        return {option: 1 / len(kept) for option in kept}
    return {option: value / total for option, value in kept.items()}


def clarification_options(probabilities: Mapping[str, float], specialists: Sequence[str]) -> tuple[str, ...]:
    """Return the two likeliest specialists; one and "other" if only one is above 0.10."""
    known = [option for option in _ranked(probabilities, specialists) if option in specialists]
    if len(known) < 2:
        return (*known, OTHER)
    first, second = known[:2]
    if probabilities[first] > WORTH_NAMING >= probabilities[second]:
        return (first, OTHER)
    return (first, second)


def _ranked(probabilities: Mapping[str, float], specialists: Sequence[str]) -> list[str]:
    """Order the options by probability; equal ones in the roster's order, whatever order a provider used."""
    order = [option for option in specialists if option in probabilities]
    order += [option for option in probabilities if option not in order]
    return sorted(order, key=lambda option: -probabilities[option])


def _low_confidence(
    probabilities: Mapping[str, float],
    specialists: Sequence[str],
    confidence: float | None,
    margin: float | None,
    threshold: float,
) -> Route:
    return Route(
        target=CLARIFICATION,
        reason="low_confidence",
        confidence=confidence,
        margin=margin,
        threshold=threshold,
        options=clarification_options(probabilities, specialists),
    )
