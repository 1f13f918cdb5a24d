"""What people would use instead, built as its documentation says: langgraph-swarm, langgraph-supervisor, one agent with all history.

They get the same prompts, the same tools (names, descriptions, schemas, answers) and the same model as Bastão. The one module of
bench/ that imports LangGraph: the peers are made of it.
"""

import json
import warnings
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from bench.customer import FIRST, SECOND
from bench.model import InstantModel, Request

Durability = str
SPECIALISTS = (FIRST, SECOND, "returns")
# Bastão's own ways to pass on, suspect and remember; peers have theirs.
_OURS = ("not_mine", "note_hypothesis", "recall")


@dataclass(frozen=True, slots=True)
class Kit:
    """What the peers are given: prompts and tools by specialist (OpenAI form), and what a tool answers."""

    prompts: Mapping[str, str]
    tools: Mapping[str, Sequence[Mapping[str, Any]]]
    answers: Mapping[str, str]

    def dump(self) -> str:
        return json.dumps({"prompts": dict(self.prompts), "tools": dict(self.tools), "answers": dict(self.answers)})

    @classmethod
    def load(cls, text: str) -> "Kit":
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Peer:
    """One peer under measurement."""

    name: str
    graph: Any
    models: Sequence[InstantModel]

    async def say(self, thread_id: str, text: str, *, durability: Durability | None = None) -> Any:
        config = {"configurable": {"thread_id": thread_id}}
        more = {"durability": durability} if durability else {}
        return await self.graph.ainvoke({"messages": [HumanMessage(text)]}, config, **more)

    async def turn(self, thread_id: str, text: str) -> list[Request]:
        """Send one message and return the requests to the models, in order within an agent."""
        for model in self.models:
            model.kept.clear()
        await self.say(thread_id, text)
        return [request for model in self.models for request in model.kept]

    async def heard(self, thread_id: str) -> list[str]:
        """Return the customer's messages that the conversation still has."""
        state = await self.graph.aget_state({"configurable": {"thread_id": thread_id}})
        return [str(m.content) for m in state.values.get("messages", []) if isinstance(m, HumanMessage)]


def swarm(kit: Kit, saver: BaseCheckpointSaver[Any], *, keep: bool = False) -> Peer:
    from langgraph_swarm import create_handoff_tool, create_swarm

    models = {name: InstantModel(agent=name, prompt=kit.prompts[name], keep=keep) for name in SPECIALISTS}
    agents = [
        create_agent(
            models[name],
            [*_tools(kit, name), *(create_handoff_tool(agent_name=other) for other in SPECIALISTS if other != name)],
            system_prompt=kit.prompts[name],
            name=name,
        )
        for name in SPECIALISTS
    ]
    graph = create_swarm(agents, default_active_agent=FIRST).compile(checkpointer=saver)
    return Peer("langgraph-swarm", graph, list(models.values()))


def supervisor(kit: Kit, saver: BaseCheckpointSaver[Any], *, keep: bool = False) -> Peer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from langgraph_supervisor import create_supervisor

        head_prompt = (
            "Você coordena o atendimento de uma loja. Passe cada mensagem ao especialista certo e responda ao cliente."
        )
        models = {name: InstantModel(agent=name, prompt=kit.prompts[name], keep=keep) for name in SPECIALISTS}
        head = InstantModel(agent="supervisor", prompt=head_prompt, keep=keep)
        agents = [
            create_agent(models[name], _tools(kit, name), system_prompt=kit.prompts[name], name=name)
            for name in SPECIALISTS
        ]
        graph = create_supervisor(agents, model=head, prompt=head_prompt).compile(checkpointer=saver)
    return Peer("langgraph-supervisor", graph, [head, *models.values()])


def single(kit: Kit, saver: BaseCheckpointSaver[Any], *, keep: bool = False) -> Peer:
    """One agent that has every tool and every prompt: it needs no transfer."""
    prompt = "\n\n".join(kit.prompts[name] for name in SPECIALISTS)
    model = InstantModel(agent="single", prompt=prompt, keep=keep)
    tools = {tool.name: tool for name in SPECIALISTS for tool in _tools(kit, name)}
    graph = create_agent(model, list(tools.values()), system_prompt=prompt, checkpointer=saver, name="single")
    return Peer("create_agent, all history", graph, [model])


BUILDERS = {"swarm": swarm, "supervisor": supervisor, "single": single}


def in_memory(kind: str, kit: Kit, *, keep: bool = False) -> Peer:
    return BUILDERS[kind](kit, InMemorySaver(), keep=keep)


@asynccontextmanager
async def on_postgres(kind: str, kit: Kit, url: str, *, pool_size: int = 8, set_up: bool = True) -> AsyncIterator[Peer]:
    """The peer with the stock saver on a pool. Of several processes one may set up: the stock `setup()` races with itself."""
    async with AsyncConnectionPool(
        url, min_size=1, max_size=pool_size, kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}, open=False
    ) as pool:  # fmt: skip
        saver = AsyncPostgresSaver(pool)  # pyright: ignore[reportArgumentType] - rows are dicts
        if set_up:
            await saver.setup()
        yield BUILDERS[kind](kit, saver)


def _tools(kit: Kit, agent: str) -> list[BaseTool]:
    return [_tool(kit, spec["function"]) for spec in kit.tools[agent] if spec["function"]["name"] not in _OURS]


def _tool(kit: Kit, spec: Mapping[str, Any]) -> BaseTool:
    async def answer(**args: Any) -> str:
        return kit.answers.get(str(args.get("order")), "{}")

    return StructuredTool.from_function(
        coroutine=answer, name=spec["name"], description=spec["description"], args_schema=dict(spec["parameters"])
    )
