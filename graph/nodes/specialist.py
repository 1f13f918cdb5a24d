"""Let one specialist work: its own prompt, the briefing, the last turns, its own tools, and nothing of a colleague's."""

from collections.abc import Callable
from typing import Any

from langgraph.config import get_stream_writer
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.spec import AgentSpec
from graph.agents import CallBudget, SpecialistRun, invoke
from graph.events import Status, ToolUsed
from graph.material import briefing_material, dialogue_messages, facts_of, language_of
from graph.nodes.read import KEPT_ORDERS
from graph.services import TurnContext
from graph.state import State
from graph.toolbox import ToolSession
from routing.authority import Grants, grants_for
from routing.briefing import render_briefing
from routing.facts import Hypothesis
from routing.learning import material, still_suspected
from routing.shop import Customer

Json = dict[str, Any]
_HOPS_KEPT = 12


def specialist_node(spec: AgentSpec, agent: CompiledStateGraph[Any, SpecialistRun, Any, Any]) -> Callable[..., Any]:
    """Return the node of one specialist."""

    async def specialist(state: State, runtime: Runtime[TurnContext]) -> State:
        turn = runtime.context
        writer = get_stream_writer()
        writer(Status(doing="working", agent=spec.id, label=_label(spec, state)))
        session = open_session(state, turn, spec, emit=lambda record: writer(tool_event(record)))
        budget = _budget(state, turn)
        run = SpecialistRun(_system(state, turn, spec), session, budget, session.grants.tools)
        text = await invoke(agent, run, dialogue_messages(state, _heard(state)))
        return _packed(state, turn, spec, run, text)

    specialist.__name__ = spec.id
    return specialist


def grants_of(state: State, turn: TurnContext, spec: AgentSpec) -> Grants:
    """Compute what this specialist may do for this customer. No input says by which road the conversation came."""
    return grants_for(spec, customer=customer_of(state, turn), policy=turn.services.authority, facts=facts_of(state))


def open_session(state: State, turn: TurnContext, spec: AgentSpec, *, emit: Callable[[Json], None]) -> ToolSession:
    return ToolSession(
        turn=turn, agent=spec.id, customer=customer_of(state, turn), grants=grants_of(state, turn, spec), language=language_of(state), facts=facts_of(state),
        words=tuple(state.get("leg_words", [])), this_turn=tuple(_heard(state)), waiting=turn.queue_status == "waiting",
        refused_before=tuple(state.get("refusals", [])), emit=emit,
    )  # fmt: skip


def tool_event(record: Json) -> ToolUsed:
    return ToolUsed(
        name=record["name"], args=record["args"], outcome=record["outcome"], by=record["by"], agent=record["agent"],
        because=record["because"],
    )  # fmt: skip


def customer_of(state: State, turn: TurnContext) -> Customer:
    """Return who is served; a visitor who proved to own an order is `matched`, for that order's tools to judge."""
    if turn.customer.level == "none" and state.get("proved_orders"):
        return turn.customer.model_copy(update={"level": "matched"})
    return turn.customer


def _label(spec: AgentSpec, state: State) -> str:
    return spec.display_name_en if language_of(state) == "en" else spec.display_name


def _heard(state: State) -> list[str]:
    """What this specialist answers: the turn's messages, or the words of the topic that it was called for."""
    topic = state.get("topic")
    return [topic["text"]] if topic else state.get("inbox", [])


def _budget(state: State, turn: TurnContext) -> CallBudget:
    limits = turn.services.limits
    return CallBudget(left=min(limits.model_calls, limits.model_calls_per_turn - state.get("model_calls", 0)))


def _system(state: State, turn: TurnContext, spec: AgentSpec) -> str:
    """Static prompt first, then the briefing: the provider's prefix cache stays warm within a specialist."""
    handoffs = state.get("handoffs", [])
    last = handoffs[-1] if handoffs and handoffs[-1]["to"] == spec.id else None
    material = briefing_material(
        state,
        turn,
        from_agent=last["from"] if last else None,
        from_note=f"{last['reason']}: {last['detail'] or ''}" if last else None,
    )
    return f"{turn.services.roster.prompt(spec.id)}\n\n{render_briefing(material)}"


def _packed(state: State, turn: TurnContext, spec: AgentSpec, run: SpecialistRun, text: str) -> State:
    """Pack what the specialist did into the state: final text, outcomes, facts, hypotheses, what it declined."""
    session, budget = run.session, run.budget
    hypotheses = [
        *(Hypothesis.model_validate(h) for h in state.get("hypotheses", [])),
        *(
            Hypothesis(key=s.key, value=s.value, confidence=s.confidence, author=spec.id, at=turn.now)
            for s in session.suspicions
        ),
    ]
    kept = still_suspected(hypotheses, session.facts, tool_keys=turn.services.tool_keys)
    done = sum(1 for w in session.written if w.status == "ok")
    proposals = [w.proposal for w in session.written if w.proposal]
    ran_out = budget.ran_out or session.exhausted or budget.stopped
    update: State = {
        "drafts": [
            *state.get("drafts", []),
            _draft(spec, session, text, ran_out=_limit(budget, session) if ran_out else None),
        ],
        "outcomes": [*state.get("outcomes", []), *session.records],
        "facts": [f.model_dump(mode="json") for f in session.facts],
        "new_facts": [
            *state.get("new_facts", []),
            *(f.model_dump(mode="json") for f in (*session.added, *session.updated)),
        ],
        "replaced": [*state.get("replaced", []), *(f.model_dump(mode="json") for f in session.replaced)],
        "entities": _subject(state, session),
        "hypotheses": [h.model_dump(mode="json") for h in kept][-20:],
        "progress": state.get("progress", 0) + material(session.added) + done,
        "declined": {"by": spec.id, "reasons": [d.model_dump() for d in session.declared]}
        if session.declared
        else None,
        "model_calls": state.get("model_calls", 0) + budget.made,
        "cost_usd": state.get("cost_usd", 0.0) + budget.cost_usd,
        "tokens": _tokens(state, run),
        "refusals": _refusals(state, session),
        "topic": None,
    }
    if proposals:
        update["proposal"] = proposals[-1].model_dump(mode="json")
        update["proposed_now"] = True
    elif (overtaken := _overtaken(state, turn, session)) is not None:
        update |= {
            "proposal": None, "proposal_asked": False,
            "settled": [*state.get("settled", []), {"id": overtaken["id"], "status": "void", "digest": overtaken["digest"]}],
        }  # fmt: skip
    if session.proofs:
        update["proved_orders"] = [
            *dict.fromkeys([*state.get("proved_orders", []), *(p.order_id for p in session.proofs)])
        ]
    return update


def _overtaken(state: State, turn: TurnContext, session: ToolSession) -> Json | None:
    """Return the proposal that waits, if just that was done in this turn: the customer said it anew instead of yes.

    The words that a customer gave as a reason are no part of it.
    """
    waiting = state.get("proposal")
    if waiting is None:
        return None
    words = turn.services.tools[waiting["tool"]].from_customer if waiting["tool"] in turn.services.tools else ()

    def act(args: Json) -> Json:
        return {name: value for name, value in args.items() if name not in words and value is not None}

    done = [r for r in session.records if r["name"] == waiting["tool"] and r["outcome"] in ("ok", "repeated")]
    return waiting if any(act(r["args"]) == act(waiting["args"]) for r in done) else None


def _subject(state: State, session: ToolSession) -> list[str]:
    """An order that was read becomes the subject: its facts stay in sight of whoever speaks next."""
    read: list[str] = [
        f"order:{r['data']['order']}"
        for r in session.records
        if r["outcome"] == "ok" and isinstance(r["data"].get("order"), str)
    ]
    known = [*reversed(read), *state.get("entities", [])]
    return list(dict.fromkeys(known))[: max(KEPT_ORDERS, len(set(read)))]


def _draft(spec: AgentSpec, session: ToolSession, text: str, *, ran_out: str | None) -> Json:
    """What the specialist says; a question that code had to write is not the model's, and needs no check."""
    if session.question:
        return {"agent": spec.id, "text": session.question, "ran_out": None, "fixed": True}
    return {"agent": spec.id, "text": text, "ran_out": ran_out}


def _limit(budget: CallBudget, session: ToolSession) -> str:
    if budget.stopped:
        return "budget" if budget.stopped == "day" else "conversation_budget"
    return "tool_repeats" if session.exhausted else "model_calls"


def _tokens(state: State, run: SpecialistRun) -> Json:
    """Sum the turn's tokens; `hops` say which chat models failed before one answered."""
    budget, before = run.budget, state.get("tokens", {})
    now = {"input": budget.input_tokens, "output": budget.output_tokens, "cached": budget.cached_tokens}
    summed: Json = {k: before.get(k, 0) + v for k, v in now.items()} | {"model": budget.model or before.get("model")}
    if hops := [*before.get("hops", []), *run.asked.hops][:_HOPS_KEPT]:
        summed["hops"] = hops
    return summed


def _refusals(state: State, session: ToolSession) -> list[Json]:
    new = [
        {"tool": r["name"], "code": r["because"], "order": r["args"].get("order")}
        for r in session.records
        if r["outcome"] == "refused"
    ]
    return [*state.get("refusals", []), *new][-20:]
