"""A conversation that has grown too long for the bot: a person goes on, and no model is asked any more."""

from graph.services import TurnContext
from graph.state import State
from routing.decision import PERSON, Decision
from routing.turn_taking import Ruling

# What is said without a model, whatever the length.
_STILL = ("held_by_human", "sensitive", "asked_for_human", "courtesy")


def too_long(state: State, turn: TurnContext, ruling: Ruling | None) -> Decision | None:
    """Return the decision for a conversation with more messages than its limit; what a person or no model answers stays."""
    if state.get("read_to", 0) <= turn.services.limits.conversation_messages:
        return None
    if ruling is not None and ruling.reason in _STILL:
        return None
    return Decision(target=PERSON, reason="conversation_length")
