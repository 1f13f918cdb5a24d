"""The same graph behind LangGraph's own server and Studio: `messages` in, `messages` out. Demo mode only."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import Context
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph, add_messages

from graph.conversation import Bastao
from graph.events import Event
from routing.shop import Customer

Json = dict[str, Any]


class StudioState(TypedDict):
    """What Studio shows of a turn; everything else stays in Bastão's own tables."""

    messages: Annotated[list[AnyMessage], add_messages]
    decision: NotRequired[Json | None]
    handoffs: NotRequired[list[Json]]
    tools: NotRequired[list[Json]]
    status: NotRequired[str]


class OnlyInDemo(RuntimeError):
    """Production is not opened to whoever reaches a development server."""


def build_studio(bastao: Bastao) -> StateGraph[StudioState, None, StudioState, StudioState]:
    """Return the builder: one node that sends through the door, so that lease, commit and checks are the real ones.

    `configurable.customer` names a demo customer; the server's thread is the conversation. Raises `OnlyInDemo`.
    """
    if bastao.mode != "demo":
        raise OnlyInDemo("graph/studio.py opens the demo shop only: set mode to demo, or use the API")
    builder: StateGraph[StudioState, None, StudioState, StudioState] = StateGraph(StudioState)
    builder.add_node("turn", _turn(bastao))
    builder.add_edge(START, "turn")
    builder.add_edge("turn", END)
    return builder


def _turn(bastao: Bastao) -> Callable[..., Any]:
    drawn = bastao.conversation.graph  # LangGraph finds a node's subgraph in what it closes over, and draws it

    async def turn(state: StudioState, config: RunnableConfig) -> Json:
        assert drawn is bastao.conversation.graph
        given: Json = config.get("configurable") or {}
        said = _said(state["messages"])
        if said is None:
            return {"status": "nothing_due"}
        writer, seen = get_stream_writer(), list[Event]()
        async for event in _apart(
            bastao, said, thread_id=f"studio-{given.get('thread_id') or uuid4().hex}", given=given
        ):
            writer(event.model_dump(mode="json"))
            seen.append(event)
        return _told(seen)

    return turn


def _said(messages: list[AnyMessage]) -> HumanMessage | None:
    last = messages[-1] if messages else None
    return last if isinstance(last, HumanMessage) else None


async def _apart(bastao: Bastao, said: HumanMessage, *, thread_id: str, given: Json) -> AsyncIterator[Event]:
    """Send in a context of its own: inside a node's context the turn's graph would take itself for a subgraph of Studio's."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    known = bastao.services.demo_customers
    asked = given.get("customer")
    customer = Customer(id=asked if asked in known else known[0], level="session")

    async def send() -> None:
        try:
            async for event in bastao.conversation.send(
                thread_id,
                [said.text],
                message_id=str(said.id or f"m-{uuid4().hex}"),
                customer=customer,
                channel="studio",
            ):
                events.put_nowait(event)
        finally:
            events.put_nowait(None)

    sending = asyncio.get_running_loop().create_task(send(), context=Context())
    while (event := await events.get()) is not None:
        yield event
    await sending


def _told(seen: list[Event]) -> Json:
    found: Json = {"handoffs": [], "tools": [], "decision": None}
    for event in seen:
        match event.type:
            case "decision":
                found["decision"] = event.decision.model_dump(mode="json")
            case "handoff":
                found["handoffs"].append(event.model_dump(mode="json", exclude={"package"}))
            case "tool":
                found["tools"].append(event.model_dump(mode="json"))
            case "reply":
                found["messages"] = [AIMessage(event.text, name=event.agent, id=event.message_id)]
            case "done":
                found["status"] = event.status
            case _:
                pass
    return found
