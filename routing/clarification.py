"""The one clarifying question: between likely subjects, for a person, never a menu, never twice in the same words."""

from collections.abc import Sequence
from dataclasses import dataclass

from routing.decision import CLARIFICATION, PERSON
from routing.model import Language
from routing.pending import Choice, PendingQuestion
from routing.policy import OTHER
from routing.sentences import say

VARIANTS = 4
IN_A_ROW = 2


@dataclass(frozen=True, slots=True)
class Subject:
    """What a specialist handles, as a short noun phrase in the customer's language ("a troca de um produto")."""

    id: str
    label: str


def ask(
    subjects: Sequence[Subject], *, asked: int, language: Language, offer_person: bool = False, upset: bool = False
) -> PendingQuestion:
    """Return the clarifying question between the first two subjects, or the offer of a person.

    `asked` counts the clarifications so far and chooses the wording; after all of them, or for an upset customer, a
    person is offered. One subject is asked about beside "something else"; none is an open question.
    """
    if offer_person or upset or asked >= VARIANTS:
        return _offer(asked, language, upset=upset)
    turn = asked % VARIANTS + 1
    named = tuple(Choice(id=subject.id, label=subject.label) for subject in subjects[:2])
    other = Choice(id=OTHER, label=say("turns.option_other", language))
    if not named:
        return PendingQuestion(by=CLARIFICATION, text=say(f"turns.clarify_open_{turn}", language), expects="anything")
    if len(named) == 1:
        text = say(f"turns.clarify_one_{turn}", language, first=named[0].label)
        return PendingQuestion(by=CLARIFICATION, text=text, options=(*named, other), expects="choice")
    text = say(f"turns.clarify_two_{turn}", language, first=named[0].label, second=named[1].label)
    return PendingQuestion(by=CLARIFICATION, text=text, options=named, expects="choice")


def _offer(asked: int, language: Language, *, upset: bool) -> PendingQuestion:
    key = "clarify_person_upset" if upset else "clarify_person"
    again = asked > IN_A_ROW and (asked - IN_A_ROW) % 2 == 1
    return PendingQuestion(
        by=CLARIFICATION,
        text=say(f"turns.{key}_again" if again else f"turns.{key}", language),
        options=(Choice(id=PERSON, label=say("turns.option_person", language)),),
        expects="yes_no",
    )
