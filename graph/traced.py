"""A node in its span: what the trace shows of a step is read from the update that the node returned anyway."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from langgraph.runtime import Runtime

from graph.services import TurnContext
from graph.state import State
from graph.tracing import Tracing, tell
from routing.decision import Answer

Json = dict[str, Any]


class Node(Protocol):
    """A step of the graph as LangGraph calls it."""

    def __call__(self, state: State, runtime: Runtime[TurnContext]) -> Awaitable[State]: ...


def traced(node: Node, *, name: str | None = None, agent: str | None = None) -> Node:
    """Return the node with a span around it, named after the node unless a name is given. `agent`: whose work it is."""
    named = name or getattr(node, "__name__", "node")

    async def in_span(state: State, runtime: Runtime[TurnContext]) -> State:
        tracing = runtime.context.services.tracing
        with tracing.span(named) as span:
            update = await node(state, runtime)
            if span.is_recording():
                tell(span, _shown(state, update, agent))
            _count(tracing, state, update)
            return update

    in_span.__name__ = getattr(node, "__name__", named)
    return in_span


@contextmanager
def deciding(tracing: Tracing) -> Iterator[Callable[[Answer], Answer]]:
    """Open the span of a question to the decision providers; give what takes their answer and returns it."""
    with tracing.span("decide") as span:

        def answered(answer: Answer) -> Answer:
            tell(
                span,
                {
                    "bastao.decision.provider": answer.provider, "gen_ai.response.model": answer.model,
                    "bastao.decision.confidence": max(answer.probabilities.values()), "bastao.decision.calibrated": answer.calibrated,
                    "bastao.decision.asked": [hop.provider for hop in answer.hops] or None, "bastao.cost_usd": answer.cost_usd,
                },
            )  # fmt: skip
            return answer

        yield answered


def _shown(state: State, update: State, agent: str | None) -> Json:
    shown: Json = {}
    if agent is not None:
        shown |= _specialist(state, update, agent)
    if decision := update.get("decision"):
        shown |= {
            f"bastao.decision.{key}": decision[key]
            for key in ("target", "reason", "provider", "confidence", "margin", "threshold")
        }
    if handed := _fresh_handoff(state, update):
        shown |= {
            "bastao.handoff.from": handed["from"], "bastao.handoff.to": handed["to"], "bastao.handoff.reason": handed["reason"],
            "bastao.handoff.facts": len(handed["facts"]), "bastao.handoff.package_tokens": handed["package_tokens"],
            "gen_ai.agent.name": handed["to"],
        }  # fmt: skip
    if stop := update.get("stop_code"):
        shown["bastao.stop"] = stop
    return shown


def _specialist(state: State, update: State, agent: str) -> Json:
    """What a specialist used: the update holds the turn's sums so far, the span shows its own part."""
    used, before = update.get("tokens") or {}, state.get("tokens") or {}
    return {
        "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent, "gen_ai.response.model": used.get("model"),
        "gen_ai.usage.input_tokens": used.get("input", 0) - before.get("input", 0),
        "gen_ai.usage.output_tokens": used.get("output", 0) - before.get("output", 0),
        "gen_ai.usage.cache_read.input_tokens": used.get("cached", 0) - before.get("cached", 0),
        "bastao.model_calls": update.get("model_calls", 0) - state.get("model_calls", 0),
        "bastao.cost_usd": update.get("cost_usd", 0.0) - state.get("cost_usd", 0.0),
        "bastao.declined": bool(update.get("declined")),
    }  # fmt: skip


def _fresh_handoff(state: State, update: State) -> Json | None:
    handed = update.get("handoffs") or []
    return handed[-1] if len(handed) > len(state.get("handoffs") or []) else None


def _count(tracing: Tracing, state: State, update: State) -> None:
    if decision := update.get("decision"):
        tracing.decided(decision)
    if handed := _fresh_handoff(state, update):
        tracing.handed_off(handed)
