"""Carry out what an operator decided about an action that waited for approval."""

from typing import Any

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.events import Status
from graph.material import language_of
from graph.nodes.confirm import draft, learned, record_of
from graph.nodes.specialist import open_session, tool_event
from graph.services import TurnContext
from graph.state import State
from graph.writes import WriteRoad
from routing.confirmation import digest
from routing.pending import Proposal
from routing.sentences import say

Json = dict[str, Any]


async def approve(state: State, runtime: Runtime[TurnContext]) -> State:
    """Execute or drop the action, and tell the customer. A person's approval stands for identity and posture, not for the rules."""
    turn = runtime.context
    action = turn.action or {}
    language = language_of(state)
    proposal = _proposal(action, turn)
    if action.get("kind") == "reject" or proposal.proposed_by not in turn.services.roster.ids:
        return draft(say("people.rejected", language, summary=proposal.summary))
    writer = get_stream_writer()
    writer(Status(doing="executing", agent=proposal.proposed_by))
    session = open_session(
        state, turn, turn.services.roster.by_id(proposal.proposed_by), emit=lambda r: writer(tool_event(r))
    )
    tool = turn.services.tools[proposal.tool]
    road = WriteRoad(turn=turn, agent=proposal.proposed_by, posture="executes", language=language)
    written = await road.confirmed(tool, tool.args.model_validate(proposal.args), session.context(), proposal)
    record = record_of(proposal, written)
    writer(tool_event(record))
    session.learn(proposal.tool, written.outcome)
    receipt, refusal = written.outcome.receipt, written.outcome.refusal
    if receipt is not None:
        text = say("people.approved", language, summary=proposal.summary, protocol=receipt.protocol)
    else:
        text = written.outcome.says or (f"{refusal.because} {refusal.next}".strip() if refusal else "")
    return learned(state, session, record) | draft(text)


def _proposal(action: Json, turn: TurnContext) -> Proposal:
    waiting = action["proposal"]
    return Proposal(
        id=action["item_id"], tool=waiting["tool"], args=waiting["args"], digest=digest(waiting["tool"], waiting["args"]),
        summary=waiting["summary"], proposed_by=waiting["by"], asked_at=turn.now, expires_at=turn.now, basis=waiting["basis"],
    )  # fmt: skip
