"""From a provider's answers, for the whole message and for its clauses, to one respondent and the subjects that wait."""

from collections.abc import Sequence
from datetime import datetime

from routing.decision import CLARIFICATION, OUT_OF_SCOPE, Answer, Decision, Thresholds
from routing.pending import OpenTopic
from routing.respond import by_answer
from routing.topics import second_topics
from routing.turn_taking import TurnView, joined
from routing.upset_words import sounds_upset


def decide_subjects(
    view: TurnView, whole: Answer | None, clauses: Sequence[tuple[str, Answer]], *, thresholds: Thresholds,
    specialists: Sequence[str], at: datetime,
) -> tuple[Decision, tuple[OpenTopic, ...]]:  # fmt: skip
    """Decide who speaks where no rule did, and which subjects of the same message belong to others.

    Two clear subjects in one message can look like none: then the first clear clause decides, and the other waits. Words
    of anger add to a provider's score, they never lower it. `whole` None means that no provider answered.
    """
    if whole is not None and sounds_upset(joined(view)):
        whole = whole.model_copy(update={"upset": 1.0})
    decision = by_answer(view, whole, thresholds=thresholds)
    found: tuple[OpenTopic, ...] = ()
    if clauses:
        asked = [(clause, answer.probabilities) for clause, answer in clauses]
        found = second_topics(asked, first=decision.target, specialists=specialists, thresholds=thresholds, at=at)
    if decision.target == CLARIFICATION and (first := _first_clear(view, clauses, thresholds)) is not None:
        decision = first
        found = tuple(topic for topic in found if topic.target != first.target)
    return decision, found


def _first_clear(view: TurnView, clauses: Sequence[tuple[str, Answer]], thresholds: Thresholds) -> Decision | None:
    for _, answer in clauses:
        decision = by_answer(view, answer, thresholds=thresholds)
        if decision.reason == "confident" and decision.target not in (OUT_OF_SCOPE, CLARIFICATION):
            return decision
    return None
