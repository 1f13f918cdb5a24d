"""From the rules over the provider's answer to the fallback: exactly one respondent, whatever fails."""

import math

from routing.choices import named_option
from routing.decision import CLARIFICATION, COURTESY, PERSON, RESPONDERS, Answer, Decision, Reason, Thresholds
from routing.model import Frozen
from routing.people_words import only_mentions
from routing.policy import Route, clarification_options, decide, fallback, restrict
from routing.turn_taking import Ruling, TurnView, joined, open_question_of, room_of, take_turn

OFFER_PERSON = "offer_person"
CLARIFICATIONS_IN_A_ROW = 2


class Signals(Frozen):
    """Gates for what some providers answer beside the choice, each from 0 to 1. They add to the rules and veto none."""

    asks_person: float = 0.85
    continues: float = 0.80
    upset: float = 0.70


_DEFAULT_THRESHOLDS = Thresholds(tau=0.75, tau_switch=0.75, margin_min=0.10)
_DEFAULT_SIGNALS = Signals()


def respond(
    view: TurnView,
    answer: Answer | None = None,
    *,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    signals: Signals = _DEFAULT_SIGNALS,
) -> Decision:
    """Return who responds, one and only one: by a rule, by the policy over the provider's answer, or by the fallback where there is none.

    `detail` is "offer_person" where a clarification has to offer a person instead of asking again.
    """
    ruling = take_turn(view)
    return (
        decision_of(ruling) if ruling is not None else by_answer(view, answer, thresholds=thresholds, signals=signals)
    )


def by_answer(
    view: TurnView,
    answer: Answer | None,
    *,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    signals: Signals = _DEFAULT_SIGNALS,
) -> Decision:
    """Return who responds to a message that no rule decides."""
    room = room_of(view)
    if answer is None:
        return _of_route(fallback(view.current, room, "fallback_unavailable"))
    probabilities = _usable(answer, room)
    if not probabilities and not answer.refused:
        return _of_route(fallback(view.current, room, "fallback_unavailable"), answer=answer, detail="no_usable_answer")
    if _asks_person(view, answer, signals):
        asked = Route(target=PERSON, reason="asked_for_human")
        return _of_route(asked, answer=answer, probabilities=probabilities, detail="provider")
    specialists = [member.id for member in view.roster if member.id in room]
    waiting = open_question_of(view, view.current)
    if answer.refused:
        route = _refused(view.current, specialists, waiting=waiting)
    else:
        route = decide(
            probabilities,
            current=view.current,
            pending_question=waiting,
            thresholds=thresholds,
            specialists=specialists,
        )
    return _settled(view, route, answer, probabilities, room=room, signals=signals)


def decision_of(ruling: Ruling) -> Decision:
    """Return a rule's ruling as a decision: without numbers."""
    return Decision(target=ruling.target, reason=ruling.reason, detail=ruling.detail)


def _settled(
    view: TurnView,
    route: Route,
    answer: Answer,
    probabilities: dict[str, float],
    *,
    room: tuple[str, ...],
    signals: Signals,
) -> Decision:
    """Turn the policy's route into a decision; before it would clarify, look at what else is known."""
    detail = "refused" if answer.refused and route.reason == "low_confidence" else None
    if route.target != CLARIFICATION:
        return _of_route(route, answer=answer, probabilities=probabilities, detail=detail)
    if (known := _instead_of_asking(view, answer, room, signals)) is not None:
        target, reason, why = known
        held = route.model_copy(update={"target": target, "reason": reason, "options": ()})
        return _of_route(held, answer=answer, probabilities=probabilities, detail=why)
    if CLARIFICATION not in room:
        undecided = fallback(view.current, room, "fallback_undecided")
        kept = route.model_copy(update={"target": undecided.target, "reason": undecided.reason, "options": ()})
        return _of_route(kept, answer=answer, probabilities=probabilities, detail=detail)
    upset = answer.upset is not None and answer.upset >= signals.upset
    if upset or view.clarifications >= CLARIFICATIONS_IN_A_ROW:
        detail = OFFER_PERSON
    return _of_route(route, answer=answer, probabilities=probabilities, detail=detail)


def _instead_of_asking(
    view: TurnView, answer: Answer, room: tuple[str, ...], signals: Signals
) -> tuple[str, Reason, str | None] | None:
    """Return (target, reason, detail) where something better than a clarification is known."""
    question = view.question
    if question is not None and question.by == CLARIFICATION:
        options = [option for option in question.options if option.id in room and option.id not in RESPONDERS]
        names = {member.id: (*member.names, *member.aliases) for member in view.roster}
        picked = named_option(joined(view), options, names)
        if picked is not None:
            return picked, "chose_option", None
    topic = view.open_topic
    if topic is not None and topic.target is not None and topic.target in room:
        return topic.target, "open_topic", topic.text
    here = view.current if view.current in room and view.current not in RESPONDERS else None
    if here is not None and answer.continues is not None and answer.continues >= signals.continues:
        return here, "continuity", "continues"
    return None


def _asks_person(view: TurnView, answer: Answer, signals: Signals) -> bool:
    if answer.asks_person is None or answer.asks_person < signals.asks_person:
        return False
    # "o atendente de ontem me prometeu" was read by the rule, and speaks of a person only.
    return not any(only_mentions(message) for message in view.messages)


def _refused(current: str | None, specialists: list[str], *, waiting: bool) -> Route:
    """A provider that refuses to choose is low confidence: nothing is known of any option."""
    if current is not None and current in specialists and waiting:
        return Route(target=current, reason="continuity")
    even = dict.fromkeys(specialists, 1 / max(len(specialists), 1))
    return Route(target=CLARIFICATION, reason="low_confidence", options=clarification_options(even, specialists))


def _usable(answer: Answer, room: tuple[str, ...]) -> dict[str, float]:
    """Return the answer restricted to the room; {} if it is no distribution."""
    values = answer.probabilities
    if any(not math.isfinite(value) or not 0.0 <= value <= 1.0 for value in values.values()):
        return {}
    return restrict(values, [member for member in room if member not in (COURTESY, PERSON)])


def _of_route(
    route: Route,
    *,
    answer: Answer | None = None,
    probabilities: dict[str, float] | None = None,
    detail: str | None = None,
) -> Decision:
    decision = Decision(
        target=route.target,
        reason=route.reason,
        detail=detail,
        confidence=route.confidence,
        margin=route.margin,
        threshold=route.threshold,
        options=route.options,
    )
    if answer is None:
        return decision
    served = {
        "probabilities": probabilities or None,
        "provider": answer.provider,
        "model": answer.model,
        "calibrated": answer.calibrated,
        "latency_ms": answer.latency_ms,
        "cost_usd": answer.cost_usd,
        "hops": answer.hops,
    }
    return decision.model_copy(update=served)
