"""The graph, uncompiled: one node per step, one per specialist."""

from collections.abc import Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.agents import SpecialistRun, build_agent
from graph.nodes.approve import approve
from graph.nodes.classify import classify
from graph.nodes.confirm import confirm
from graph.nodes.hand_off import hand_off
from graph.nodes.person import person
from graph.nodes.read import read
from graph.nodes.reply import reply
from graph.nodes.responder import responder
from graph.nodes.specialist import specialist_node
from graph.nodes.transfer import transfer
from graph.services import Services, TurnContext
from graph.state import State
from graph.traced import traced


def build_graph(services: Services) -> StateGraph[State, TurnContext, State, State]:
    """Return the builder of the turn's graph for this roster; compile it with a saver, or without one to draw it."""
    agents = {
        spec.id: build_agent(
            spec, services.chat_links(spec), services.tools, services.reasons, breakers=services.chat_breakers
        )
        for spec in services.roster.specs
    }
    return assemble(agents, services)


def assemble(
    agents: Mapping[str, CompiledStateGraph[Any, SpecialistRun, Any, Any]], services: Services
) -> StateGraph[State, TurnContext, State, State]:  # fmt: skip
    specialists = list(agents)
    builder: StateGraph[State, TurnContext, State, State] = StateGraph(State, context_schema=TurnContext)
    builder.add_node("read", traced(read))
    builder.add_node("classify", traced(classify))
    builder.add_node("hand_off", traced(hand_off))
    builder.add_node("approve", traced(approve))
    builder.add_node("confirm", traced(confirm))
    builder.add_node("responder", traced(responder))
    builder.add_node("person", traced(person))
    builder.add_node("transfer", traced(transfer))
    builder.add_node("reply", traced(reply))
    for name, agent in agents.items():
        work = specialist_node(services.roster.by_id(name), agent)
        builder.add_node(name, traced(work, name=f"invoke_agent {name}", agent=name))
        builder.add_edge(name, "transfer")
    builder.add_edge(START, "read")
    builder.add_edge("read", "classify")
    builder.add_conditional_edges(
        "classify", step, [*specialists, "hand_off", "confirm", "approve", "responder", "person", "reply"]
    )
    builder.add_conditional_edges("hand_off", step, specialists)
    builder.add_conditional_edges("confirm", step, [*specialists, "hand_off", "person", "reply"])
    builder.add_conditional_edges("transfer", step, [*specialists, "hand_off", "person", "reply"])
    builder.add_edge("approve", "reply")
    builder.add_edge("responder", "reply")
    builder.add_edge("person", "reply")
    builder.add_edge("reply", END)
    return builder


def step(state: State) -> str:
    """Return the step that the last node found."""
    return state.get("step") or "reply"
