"""A message that comes while a person is awaited: is it solved, is it about that, or is it another subject? No thinking of nodes."""

from graph.services import TurnContext
from graph.state import State
from routing.decision import PERSON, Decision
from routing.solved_words import says_solved
from routing.turn_taking import Ruling, joined
from routing.turn_view import TurnView

SOLVED, ADDED = "solved", "added"
_UNSURE = ("low_confidence", "fallback_undecided", "fallback_unavailable")


def awaits_person(turn: TurnContext) -> bool:
    """Tell whether the conversation is in the queue and nobody has taken it."""
    return turn.queue_status == "waiting" and turn.queue_item is not None


def solved(turn: TurnContext, view: TurnView, ruling: Ruling | None) -> Decision | None:
    """The customer says that nobody has to come any more; a rule that decides otherwise goes first."""
    if not awaits_person(turn) or (ruling is not None and ruling.reason not in ("continuity", "courtesy")):
        return None
    return Decision(target=PERSON, reason="waiting_person", detail=SOLVED) if says_solved(joined(view)) else None


def for_the_person(turn: TurnContext, decision: Decision, current: str | None) -> Decision:
    """Keep a message that nobody else clearly answers for the person who is awaited, instead of asking what it is about."""
    if not awaits_person(turn):
        return decision
    unsure = decision.reason in _UNSURE and decision.target != current
    if unsure or (not _may_go_on(turn) and decision.target in turn.services.roster.ids):
        return decision.model_copy(
            update={"target": PERSON, "reason": "waiting_person", "detail": ADDED, "options": ()}
        )
    return decision


def about_the_item(turn: TurnContext, decision: Decision) -> bool:
    """Tell whether a message that a specialist answers also belongs to the item: the same subject, or one without a subject."""
    same = turn.queue_agent is None or decision.target == turn.queue_agent
    return awaits_person(turn) and decision.target in turn.services.roster.ids and same


def _may_go_on(turn: TurnContext) -> bool:
    """After some sensitive topics the bot serves no other subject until a person has come."""
    topics = {topic.id: topic.may_go_on for topic in turn.services.sensitive}
    return turn.queue_reason != "sensitive" or topics.get(turn.queue_about or "", True)


def words_of(state: State) -> str:
    return "\n".join(text for text in state.get("inbox", []) if text.strip())
