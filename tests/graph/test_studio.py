"""The graph as LangGraph's own server runs it: its saver, its thread, `messages` in and out."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph.conversation import Bastao
from graph.studio import OnlyInDemo, build_studio
from tests.graph.conftest import Desk, Make
from tests.scripted import call


def opened(desk: Desk, mode: str = "demo") -> Bastao:
    return Bastao(conversation=desk.conversation, services=desk.services, database=desk.services.database, mode=mode)


async def test_a_turn_with_a_transfer_is_a_run_with_its_events(make_desk: Make) -> None:
    desk = await make_desk(
        {
            "support": [call("not_mine", reason="duplicate_charge", detail="cobrança")],
            "billing": ["Qual é o pedido?", "Vi."],
        },
        lambda message, exchange: "support" if exchange.current_agent is None else "billing",
    )
    graph = build_studio(opened(desk)).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "s-1", "customer": "c2"}}
    seen = [
        part async for part in graph.astream({"messages": [HumanMessage("me cobraram duas vezes")]}, config, stream_mode="custom")
    ]  # fmt: skip
    assert "handoff" in {event["type"] for event in seen}
    held = (await graph.aget_state(config)).values
    assert [(m.type, m.text) for m in held["messages"]] == [
        ("human", "me cobraram duas vezes"),
        ("ai", "Qual é o pedido?"),
    ]
    assert held["messages"][-1].name == "billing"
    assert held["handoffs"][-1]["to_agent"] == "billing"
    again = await graph.ainvoke({"messages": [HumanMessage("o 10405")]}, config)
    assert again["messages"][-1].text == "Vi."
    async with desk.services.database.connection() as conn:
        rows = await (await conn.execute("select customer_id, channel from conversations")).fetchall()
        turns = await (await conn.execute("select count(*) as n from turns where status = 'replied'")).fetchone()
    assert [(r["customer_id"], r["channel"]) for r in rows] == [("c2", "studio")]
    assert turns == {"n": 2}


async def test_the_turns_own_graph_is_drawn_inside(make_desk: Make) -> None:
    desk = await make_desk({}, lambda m, e: "support")
    drawn = build_studio(opened(desk)).compile().get_graph(xray=True).draw_mermaid()
    assert {"classify", "billing", "transfer"} <= {
        name for name in ("classify", "billing", "transfer") if name in drawn
    }


async def test_production_is_refused(make_desk: Make) -> None:
    desk = await make_desk({}, lambda m, e: "support")
    with pytest.raises(OnlyInDemo):
        build_studio(opened(desk, "production"))
