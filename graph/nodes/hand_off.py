"""Pass the baton: build the package, compute nothing but what it says, and make the destination the current specialist."""

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.events import HandedOff
from graph.handoff import package_of
from graph.material import language_of
from graph.services import TurnContext
from graph.state import State
from routing.tokens import approximate_tokens


async def hand_off(state: State, runtime: Runtime[TurnContext]) -> State:
    """Build and keep the package of this change of specialist."""
    turn = runtime.context
    target = state.get("speaker")
    assert target is not None
    why = state.get("why") or {}
    package = package_of(state, turn, to_agent=target, reason=why.get("reason", ""), detail=why.get("detail"))
    body = package.model_dump(mode="json")
    tokens = approximate_tokens(package.model_dump_json(exclude_none=True))
    spec = turn.services.roster.by_id(target)
    carried = [{"key": f.key, "entity": f.entity, "value": f.value, "source": f.source} for f in package.facts]
    record = {
        "from": state.get("previous"), "to": target, "reason": why.get("reason", ""), "detail": why.get("detail"),
        "facts": carried, "package_tokens": tokens, "package": body,
    }  # fmt: skip
    get_stream_writer()(
        HandedOff(
            from_agent=record["from"],
            to_agent=target,
            reason=record["reason"],
            detail=record["detail"],
            facts=carried,
            to_label=spec.display_name_en if language_of(state) == "en" else spec.display_name,
            package=body,
            package_tokens=tokens,
        )
    )
    return {
        "current": target,
        "handoffs": [*state.get("handoffs", []), record],
        "step": target,
    }
