"""After a specialist: a declared reason finds its specialist, a second subject its turn, and no conversation circles."""

from typing import Any

from langgraph.runtime import Runtime

from graph.material import topics_of
from graph.nodes.classify import exchange_of
from graph.services import TurnContext
from graph.state import State
from graph.traced import deciding
from routing.pending import OpenTopic
from routing.policy import decide
from routing.ports import NoProvider
from routing.question import build_question
from routing.reasons import resolve_all
from routing.termination import Leg, Stop, may_transfer, new_leg, router_switch

Json = dict[str, Any]


async def transfer(state: State, runtime: Runtime[TurnContext]) -> State:
    """Decide what follows a specialist's work: another specialist, a person, or the reply."""
    turn = runtime.context
    declined = state.get("declined")
    if declined:
        return await _declined(state, turn, declined)
    return _open_topic(state, turn) or {"step": "reply"}


async def _declined(state: State, turn: TurnContext, declined: Json) -> State:
    """Route a declared "not mine" by the table. The draft beside it is kept only where it says something."""
    agent = declined["by"]
    declared = [(r["reason"], r["detail"]) for r in declined["reasons"]]
    routing = resolve_all(declared, turn.services.reasons, current=agent)
    topics = [*topics_of(state)] + [
        OpenTopic(text=detail, target=found.agent, at=turn.now) for found, detail in routing.topics
    ]
    update: State = {
        "declined": None,
        "open_topics": [t.model_dump(mode="json") for t in topics][: turn.services.limits.topics],
    }
    if routing.first is not None:
        found, detail = routing.first
        return update | _pass_on(state, turn, agent, found.agent, found.reason, detail)
    target = await _ask_provider(state, turn, agent, " ".join(detail for _, detail in declared))
    if target is None:
        return update | {"step": "person", "stop_code": "unknown_reason", "previous": agent}
    return update | _pass_on(state, turn, agent, target, "unknown_reason", declared[0][1])


async def _ask_provider(state: State, turn: TurnContext, current: str, detail: str) -> str | None:
    """Nobody knows the reason: the provider decides over the roles, from the customer's words and the detail."""
    services = turn.services
    question = build_question([(spec.id, spec.role) for spec in services.roster.specs])
    text = "\n".join([*state.get("inbox", []), detail])
    try:
        with deciding(services.tracing) as told:
            answer = told(
                await services.decider.decide(text, exchange_of(state, turn), question, thread_id=turn.thread_id)
            )
    except NoProvider:
        return None
    route = decide(
        answer.probabilities, current=current, pending_question=False, thresholds=services.thresholds(answer.provider),
        specialists=services.roster.ids,
    )  # fmt: skip
    return (
        route.target
        if route.reason == "confident" and route.target in services.roster.ids and route.target != current
        else None
    )


def _pass_on(state: State, turn: TurnContext, agent: str, target: str, reason: str, detail: str) -> State:
    stored = state.get("leg")
    leg = Leg.model_validate(stored) if stored else new_leg(turn.services.new_id("leg"), origin=agent)
    verdict = may_transfer(
        leg,
        current=agent,
        destination=target,
        known_facts=state.get("progress", 0),
        max_hops=turn.services.limits.max_hops,
    )
    if isinstance(verdict, Stop):
        return {
            "step": "person",
            "stop_code": verdict.code,
            "previous": agent,
            "leg": verdict.leg.model_dump(mode="json"),
        }
    return {
        "step": "hand_off", "speaker": target, "previous": agent, "why": {"reason": reason, "detail": detail, "hop": True},
        "leg": verdict.leg.model_dump(mode="json"),
    }  # fmt: skip


def _open_topic(state: State, turn: TurnContext) -> State | None:
    """Take the next subject of the same message in the same turn, where limits allow: a new leg, not a hop."""
    waiting = list(topics_of(state))
    taken = len(state.get("drafts", []))
    index = next((i for i, t in enumerate(waiting) if t.target in turn.services.roster.ids), None)
    busy = state.get("proposed_now") or any(d.get("ran_out") for d in state.get("drafts", []))
    if index is None or taken >= turn.services.limits.legs_per_turn or busy:
        return None
    topic = waiting.pop(index)
    assert topic.target is not None
    current = state.get("current")
    update: State = {
        "topic": topic.model_dump(mode="json"),
        "open_topics": [t.model_dump(mode="json") for t in waiting],
    }
    if topic.target == current:
        return update | {"step": topic.target, "speaker": topic.target}
    stored = state.get("leg")
    verdict = router_switch(
        Leg.model_validate(stored) if stored else None, current=current, destination=topic.target,
        known_facts=state.get("progress", 0), max_hops=turn.services.limits.max_hops, new_id=turn.services.new_id("leg"),
    )  # fmt: skip
    if isinstance(verdict, Stop):
        return None
    return update | {
        "step": "hand_off", "speaker": topic.target, "previous": current, "leg": verdict.leg.model_dump(mode="json"),
        "why": {"reason": "open_topic", "detail": topic.text, "hop": verdict.hop},
    }  # fmt: skip
