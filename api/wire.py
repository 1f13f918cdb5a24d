"""What requests and answers share: ids and texts as they may be stored, a message's parts, a turn as one answer."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from graph.events import Confirmation, Discarded, Event, Failed, HandedOff, PersonCalled, Reply, ToolUsed, TurnStatus
from graph.parts import Part, PartType
from ops.turn_view import TurnView, after
from routing.decision import Decision
from routing.text import storable


def _storable(value: Any) -> Any:
    """Drop NUL and lone surrogates instead of refusing the message that holds one."""
    return storable(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_storable)]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]
ConversationId = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9._:-]{1,128}$", examples=["th-5b0c1f0e9a3d4c2f8f1d2b7f6a9e0c11"])
]
AgentId = Annotated[str, Field(min_length=1, max_length=64), BeforeValidator(_storable)]


class Body(BaseModel):
    """A request's body: an unknown field is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PartIn(Body):
    """One part of a message. Media are named by an opaque reference to the caller's own store, never sent as bytes."""

    type: PartType = "text"
    text: Text | None = Field(default=None, max_length=20_000)
    ref: Text | None = Field(default=None, max_length=2_000)
    name: Text | None = Field(default=None, max_length=200)

    def part(self) -> Part:
        return Part(type=self.type, text=self.text, ref=self.ref, name=self.name)


class TurnAnswer(BaseModel):
    """A turn as one answer: what its events said, once it has ended. `reply` is what the customer was told, if anything."""

    conversation_id: str
    message_id: str | None
    turn_id: str | None
    turn: int | None
    status: TurnStatus | Literal["waiting"]
    queued: bool
    reply: Reply | None
    decision: Decision | None
    handoffs: list[HandedOff]
    tools: list[ToolUsed]
    confirmation: Confirmation | None
    person: PersonCalled | None
    discarded: Discarded | None
    error: Failed | None
    latency_ms: float | None
    cost_usd: float | None
    model: str | None
    simulated: bool | None


def answer_of(events: list[Event], *, thread_id: str, message_id: str | None) -> TurnAnswer:
    """Fold a turn's events into one answer."""
    view = TurnView(thread_id=thread_id)
    for event in events:
        view = after(view, event)
    done = view.done
    return TurnAnswer(
        conversation_id=thread_id, message_id=message_id, turn_id=done.turn_id if done else None,
        turn=done.turn if done else None, status=view.status or "waiting", queued=view.queued, reply=view.reply,
        decision=view.decision, handoffs=list(view.handoffs), tools=list(view.tools), confirmation=view.confirmation,
        person=view.person, discarded=view.discarded, error=view.error, latency_ms=done.latency_ms if done else None,
        cost_usd=done.cost_usd if done else None, model=done.model if done else None,
        simulated=done.simulated if done else None,
    )  # fmt: skip
