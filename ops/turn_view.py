"""One turn as a person looks at it: its events folded into one value, which pages draw and terminals print."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from graph.events import (
    Confirmation,
    Decided,
    Discarded,
    Done,
    Event,
    Failed,
    HandedOff,
    PersonCalled,
    Queued,
    Reply,
    Status,
    Token,
    ToolUsed,
    TurnStatus,
)
from ops.reading import PackageRow, TurnRow
from ops.words import Name
from routing.decision import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """What is known of a turn so far. `text` is the checked reply as far as it has arrived."""

    thread_id: str
    message: str = ""
    queued: bool = False
    working: Status | None = None
    decision: Decision | None = None
    handoffs: tuple[HandedOff, ...] = ()
    tools: tuple[ToolUsed, ...] = ()
    confirmation: Confirmation | None = None
    person: PersonCalled | None = None
    text: str = ""
    reply: Reply | None = None
    discarded: Discarded | None = None
    error: Failed | None = None
    done: Done | None = None

    @property
    def status(self) -> TurnStatus | None:
        """The turn's ending, None while it runs. An error without an ending is one."""
        if self.done is not None:
            return self.done.status
        return "failed" if self.error is not None else None

    @property
    def agent(self) -> str | None:
        """Who spoke; while the turn runs, who has the conversation."""
        if self.reply is not None and self.reply.agent is not None:
            return self.reply.agent
        if self.handoffs:
            return self.handoffs[-1].to_agent
        return self.decision.target if self.decision else None

    @property
    def said(self) -> str | None:
        """What the customer was told: the reply, or the apology of a failed turn."""
        if self.reply is not None:
            return self.reply.text
        return self.error.text if self.error else None


def after(view: TurnView, event: Event) -> TurnView:
    """Return the view with one more event in it."""
    match event:
        case Queued():
            return replace(view, queued=True)
        case Status():
            return replace(view, working=event)
        case Decided():
            return replace(view, decision=event.decision)
        case HandedOff():
            return replace(view, handoffs=(*view.handoffs, event))
        case ToolUsed():
            return replace(view, tools=(*view.tools, event))
        case Confirmation():
            return replace(view, confirmation=event)
        case PersonCalled():
            return replace(view, person=event)
        case Token():
            return replace(view, text=view.text + event.text, working=None)
        case Reply():
            return replace(view, reply=event, text=event.text, working=None)
        case Discarded():
            return replace(view, discarded=event, working=None)
        case Failed():
            return replace(view, error=event, working=None)
        case Done():
            return replace(view, done=event, working=None)
        case _:
            assert_never(event)


def handoff_of_package(row: PackageRow, name: Name) -> HandedOff:
    """Return a stored transfer as the event that it was."""
    keys = ("key", "entity", "value", "source")
    facts = [{key: fact.get(key) for key in keys} for fact in row.body.get("facts", [])]
    return HandedOff(
        from_agent=row.from_agent,
        to_agent=row.to_agent,
        to_label=name(row.to_agent),
        reason=row.reason,
        detail=row.body.get("detail"),
        facts=facts,
        package=row.body,
        package_tokens=row.tokens,
    )


def view_of_row(row: TurnRow, passed: Sequence[PackageRow], *, thread_id: str, name: Name) -> TurnView:
    """Return a stored turn as its events would have drawn it."""
    decision = Decision.model_validate(row.decision) if row.decision else None
    handed = [handoff_of_package(package, name) for package in passed if package.turn_id == row.id]
    return TurnView(
        thread_id=thread_id,
        decision=decision,
        handoffs=tuple(handed),
        tools=tuple(ToolUsed.model_validate(tool) for tool in row.tools),
        text=row.reply or "",
        done=_ending(row),
    )


def _ending(row: TurnRow) -> Done | None:
    if row.status == "running":
        return None
    return Done.model_validate(
        {
            "turn_id": row.id,
            "turn": row.number,
            "status": row.status,
            "latency_ms": row.latency_ms or 0.0,
            "cost_usd": row.cost_usd,
        }
    )


def turn_json(view: TurnView) -> dict[str, Any]:
    """Return the turn as the plain object that `scripts.chat --json` prints."""
    decision = view.decision
    return {
        "thread_id": view.thread_id,
        "turn": view.done.turn if view.done else None,
        "status": view.status,
        "message": view.message,
        "agent": view.agent,
        "reason": decision.reason if decision else None,
        "probabilities": decision.probabilities if decision else None,
        "confidence": decision.confidence if decision else None,
        "threshold": decision.threshold if decision else None,
        "provider": decision.provider if decision else None,
        "tools": [_tool(tool) for tool in view.tools],
        "handoffs": [_handoff(handoff) for handoff in view.handoffs],
        "reply": view.said,
        "latency_ms": view.done.latency_ms if view.done else None,
        "cost_usd": view.done.cost_usd if view.done else None,
    }


def _tool(tool: ToolUsed) -> dict[str, Any]:
    # An act that was done before and is told so is a success of the call: readers of the JSON know four outcomes.
    outcome = "ok" if tool.outcome == "repeated" else tool.outcome
    return {"name": tool.name, "args": tool.args, "outcome": outcome, "by": tool.by}


def _handoff(handoff: HandedOff) -> dict[str, Any]:
    return {
        "from": handoff.from_agent,
        "to": handoff.to_agent,
        "reason": handoff.reason,
        "facts": handoff.facts,
        "package_tokens": handoff.package_tokens,
    }
