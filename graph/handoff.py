"""A package from the state: the same content for a specialist and for a person."""

from graph.material import facts_of, hypotheses_of, language_of, proposal_of, question_of, topics_of
from graph.nodes.read import as_turn
from graph.services import TurnContext
from graph.state import State
from routing.package import HandoffPackage, Turn, build_package
from routing.termination import Leg, new_leg


def package_of(state: State, turn: TurnContext, *, to_agent: str, reason: str, detail: str | None) -> HandoffPackage:
    """Build the package of a change of specialist (`to_agent`) or of a call for a person ("person")."""
    stored = state.get("leg")
    leg = Leg.model_validate(stored) if stored else new_leg(turn.services.new_id("leg"), origin=to_agent)
    current = state.get("current") if to_agent == "person" else None
    spoken = [as_turn(line) for line in state.get("dialogue", [])]
    heard = [Turn(role="customer", text=text, at=turn.now) for text in state.get("inbox", [])]
    return build_package(
        conversation_id=turn.thread_id, contact=turn.contact_protocol, leg=leg, at=turn.now, from_agent=state.get("previous") or current,
        to_agent=to_agent, reason=reason, detail=detail, turns=[*spoken, *heard], earlier_summary=state.get("summary") or None,
        facts=facts_of(state), entities=state.get("entities", []), hypotheses=hypotheses_of(state),
        commitments=turn.commitments, executed_actions=turn.actions, open_question=question_of(state),
        proposal=proposal_of(state, turn), open_topics=topics_of(state), language=language_of(state),
    )  # fmt: skip
