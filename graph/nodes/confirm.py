"""Execute what the customer just confirmed: exactly that, once, and only if it is still allowed."""

from typing import Any

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.events import Status
from graph.material import language_of, proposal_of
from graph.nodes.classify import to_specialist
from graph.nodes.specialist import open_session, tool_event
from graph.services import TurnContext
from graph.state import State
from graph.toolbox import ToolSession
from graph.writes import WriteRoad, Written
from routing.authority import Denied, may_use
from routing.confirmation import Void, accept, after_yes
from routing.learning import material
from routing.pending import Proposal
from routing.sentences import say

Json = dict[str, Any]


async def confirm(state: State, runtime: Runtime[TurnContext]) -> State:
    """Recompute the proposer's grants, recheck the basis, execute once; the proposer then writes from the receipt."""
    turn = runtime.context
    writer = get_stream_writer()
    proposal = proposal_of(state, turn)
    assert proposal is not None
    writer(Status(doing="executing", agent=proposal.proposed_by))
    if proposal.proposed_by not in turn.services.roster.ids:
        return _settled(state, proposal, "void") | _say(state, turn, "writes.expired", proposal)
    session = open_session(
        state, turn, turn.services.roster.by_id(proposal.proposed_by), emit=lambda r: writer(tool_event(r))
    )
    verdict = accept(proposal, now=turn.now, basis_now=proposal.basis, last_asked_digest=proposal.digest)
    if isinstance(verdict, Void):
        return _settled(state, proposal, "void") | _say(state, turn, "writes.expired", proposal)
    written = await _execute(session, turn, proposal)
    record = record_of(proposal, written)
    writer(tool_event(record))
    session.learn(proposal.tool, written.outcome)
    update = _settled(state, proposal, "confirmed" if written.status == "ok" else "void")
    update |= learned(state, session, record)
    if written.status not in ("ok", "repeated"):
        refusal = written.outcome.refusal
        text = written.outcome.says or (f"{refusal.because} {refusal.next}".strip() if refusal else "")
        return update | draft(text)
    return update | to_specialist(state, turn, proposal.proposed_by, "pending_confirmation", proposal.summary)


def learned(state: State, session: ToolSession, record: Json) -> State:
    """Return the update of an action that code carried out: its record, its facts, and that something moved."""
    return {
        "outcomes": [*state.get("outcomes", []), record],
        "facts": [f.model_dump(mode="json") for f in session.facts],
        "new_facts": [
            *state.get("new_facts", []),
            *(f.model_dump(mode="json") for f in (*session.added, *session.updated)),
        ],
        "replaced": [*state.get("replaced", []), *(f.model_dump(mode="json") for f in session.replaced)],
        "progress": state.get("progress", 0) + material(session.added) + 1,
    }


async def _execute(session: ToolSession, turn: TurnContext, proposal: Proposal) -> Written:
    tool = turn.services.tools[proposal.tool]
    denied = may_use(
        session.grants, tool.name, kind=tool.kind, required_identity=tool.identity, customer=turn.customer,
        waiting=session.waiting, while_waiting=tool.while_waiting,
    )  # fmt: skip
    road = WriteRoad(turn=turn, agent=proposal.proposed_by, posture=session.grants.posture, language=session.language)
    if isinstance(denied, Denied):
        return road.refused(tool, denied.code, denied.because)
    args = tool.args.model_validate(proposal.args)
    how = after_yes(turn.services.confirm.get(tool.name, tool.confirm), session.grants.posture)
    if how == "operator":
        return await road.to_operator(tool, proposal.args, proposal.summary, proposal.basis)
    if how == "execute":
        return await road.confirmed(tool, args, session.context(), proposal)
    return road.refused(tool, "posture", say("writes.not_granted", session.language))


def record_of(proposal: Proposal, written: Written) -> Json:
    """Return what the trail keeps of an action that code carried out."""
    outcome = written.outcome
    return {
        "name": proposal.tool, "args": proposal.args, "outcome": written.status, "by": "graph", "agent": proposal.proposed_by,
        "because": outcome.refusal.code if outcome.refusal else None,
        "receipt": outcome.receipt.model_dump(mode="json") if outcome.receipt else None,
        "says": outcome.says, "data": outcome.data, "effect_id": written.effect_id, "audit": outcome.audit, "summary": proposal.summary,
    }  # fmt: skip


def _settled(state: State, proposal: Proposal, status: str) -> State:
    settled = [*state.get("settled", []), {"id": proposal.id, "status": status, "digest": proposal.digest}]
    return {"proposal": None, "proposal_asked": False, "settled": settled}


def _say(state: State, turn: TurnContext, key: str, proposal: Proposal) -> State:
    return draft(say(key, language_of(state), summary=proposal.summary))


def draft(text: str) -> State:
    """Answer with a fixed text of ours."""
    return {"drafts": [{"agent": "graph", "text": text, "ran_out": None, "fixed": True}], "step": "reply"}
