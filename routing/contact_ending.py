"""How a contact that went quiet ended: solved, given up after something of ours, or with a person. Pure."""

from collections.abc import Sequence
from typing import Literal

from routing.decision import CLARIFICATION, COURTESY, OUT_OF_SCOPE
from routing.model import Frozen

Ending = Literal["resolved", "abandoned", "handed_over"]
Because = Literal["person_replied", "answered", "question", "refusal", "apology", "low_confidence", "unanswered"]


class QuietTurn(Frozen):
    """What the ending looks at in a turn. `refused`: the last thing that a tool said was no."""

    status: str
    reply: str | None = None
    target: str | None = None
    reason: str | None = None
    refused: bool = False


class Ended(Frozen):
    ending: Ending
    because: Because


def ending_of(turns: Sequence[QuietTurn], *, person_replied: bool) -> Ended:
    """Return the ending of a contact, from its turns (oldest first). A thanks at the end speaks for the answer before it."""
    if person_replied:
        return Ended(ending="handed_over", because="person_replied")
    said = [turn for turn in turns if turn.status != "nothing_due" and turn.target != COURTESY]
    last = said[-1] if said else (turns[-1] if turns else None)
    if last is None or last.status in ("held", "running", "interrupted"):
        return Ended(ending="abandoned", because="unanswered")
    if last.status == "failed":
        return Ended(ending="abandoned", because="apology")
    if last.reason == "low_confidence" or last.target == CLARIFICATION:
        return Ended(ending="abandoned", because="low_confidence")
    if last.refused or last.target == OUT_OF_SCOPE:
        return Ended(ending="abandoned", because="refusal")
    if (last.reply or "").rstrip().endswith("?"):
        return Ended(ending="abandoned", because="question")
    return Ended(ending="resolved", because="answered")
