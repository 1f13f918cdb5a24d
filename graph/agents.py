"""One ReAct agent per specialist, and the middleware that puts every model call and every tool call under our rules."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.graph.state import CompiledStateGraph

from agents.models.dialect import normalised
from agents.spec import AgentSpec
from graph.layers import Layers
from graph.model_chain import Asked, ChatLink, ModelChain, one_retry
from graph.toolbox import ToolSession
from routing.ports import SpendingStopped
from routing.providers.breaker import Breakers
from routing.reasons import ReasonTable
from routing.text import presentable
from tools.contract import Tool
from tools.signals import describe_reasons

Json = dict[str, Any]
# Node and recursion steps of the sub-agent: two a model call. The real bound is CallBudget; this is the net under it.
_RECURSION = 50
_EMPTY_AGAIN = "Sua resposta veio vazia. Responda ao cliente em uma ou duas frases, ou use uma ferramenta."


@dataclass(slots=True)
class CallBudget:
    """Model calls that this specialist may still make, and what they cost so far."""

    left: int
    made: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0
    model: str | None = None
    ran_out: bool = False
    stopped: Literal["day", "conversation", "customer"] | None = None

    def take(self) -> bool:
        if self.left <= 0:
            self.ran_out = True
            return False
        self.left -= 1
        self.made += 1
        return True

    def count(self, message: AIMessage) -> None:
        usage = message.usage_metadata
        if usage:
            self.input_tokens += usage["input_tokens"]
            self.output_tokens += usage["output_tokens"]
            self.cached_tokens += usage.get("input_token_details", {}).get("cache_read", 0)
        self.cost_usd += float(message.response_metadata.get("cost") or 0.0)
        self.model = message.response_metadata.get("model_name") or self.model


@dataclass(slots=True)
class SpecialistRun:
    """What one invocation of a specialist's agent is given: its system message, its tools' session, its budget."""

    system: str
    session: ToolSession
    budget: CallBudget
    tools: frozenset[str] = field(default_factory=frozenset[str])
    asked: Asked = field(default_factory=Asked)


class SpecialistRules(AgentMiddleware[Any, SpecialistRun, Any]):
    """Outermost, and no extra graph node: a finished specialist is not asked again, and uses no tool but through the toolbox."""

    async def awrap_model_call(
        self,
        request: ModelRequest[SpecialistRun],
        handler: Callable[[ModelRequest[SpecialistRun]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        run = request.runtime.context
        if run.session.declared or run.session.exhausted or run.session.question:
            return AIMessage("")
        granted: list[BaseTool | dict[str, Any]] = [
            t for t in request.tools if isinstance(t, BaseTool) and t.name in run.tools
        ]
        asked = request.override(system_message=SystemMessage(run.system), tools=granted)
        try:
            response = await handler(asked)
            if _is_empty(response) and not run.budget.ran_out:
                again = asked.override(messages=[*asked.messages, HumanMessage(_EMPTY_AGAIN)])
                response = await handler(again)
        except SpendingStopped as stopped:
            run.budget.stopped = stopped.scope
            return AIMessage("")
        return response

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> ToolMessage:
        run: SpecialistRun = request.runtime.context  # pyright: ignore[reportAssignmentType] - ToolRuntime is not generic here
        call = request.tool_call
        siblings = [c["name"] for c in _last_calls(request.state)]
        answer = await run.session.run(presentable(call["name"]), _presentable(call["args"]), siblings)
        return ToolMessage(
            json.dumps(answer, ensure_ascii=False, default=str), tool_call_id=call["id"] or "", name=call["name"]
        )


class Paying(AgentMiddleware[Any, SpecialistRun, Any]):
    """Innermost: each call that is really made, a retry too, is within the budget, reserved before, settled after."""

    async def awrap_model_call(
        self,
        request: ModelRequest[SpecialistRun],
        handler: Callable[[ModelRequest[SpecialistRun]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        """Raises `SpendingStopped` without having made the call."""
        run = request.runtime.context
        if not run.budget.take():
            return AIMessage("")
        purse = run.asked.link.purse if run.asked.link else None
        if purse is None:
            response = _in_our_words(await handler(request), request)
        else:
            paying = purse.pay(
                [SystemMessage(run.system), *request.messages], request.tools,
                thread_id=run.session.turn.thread_id, agent=run.session.agent,
            )  # fmt: skip
            async with paying as charge:
                response = _in_our_words(await handler(request), request)
                last = response.result[-1]
                charge.cost_usd = purse.cost(last) if isinstance(last, AIMessage) else None
        _count(response, run.budget)
        return response


def _in_our_words(response: ModelResponse[Any], request: ModelRequest[SpecialistRun]) -> ModelResponse[Any]:
    """Put right what the model's dialect makes of tool calls, before anybody reads them."""
    offered = {tool.name for tool in request.tools if isinstance(tool, BaseTool)}
    read = [normalised(m, offered) if isinstance(m, AIMessage) else m for m in response.result]
    return replace(response, result=read)


def _presentable(value: Any) -> Any:
    """Clean every text of a call's arguments: what a model writes there is stored too."""
    if isinstance(value, str):
        return presentable(value)
    if isinstance(value, dict):
        return {presentable(str(k)): _presentable(v) for k, v in value.items()}
    return [_presentable(v) for v in value] if isinstance(value, list) else value


def _last_calls(state: Any) -> list[Any]:
    messages = state.get("messages", []) if isinstance(state, Mapping) else getattr(state, "messages", [])
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return list(message.tool_calls)
    return []


def _is_empty(response: ModelResponse[Any]) -> bool:
    last = response.result[-1]
    return isinstance(last, AIMessage) and not last.tool_calls and not last.text.strip()


def _count(response: ModelResponse[Any], budget: CallBudget) -> None:
    for message in response.result:
        if isinstance(message, AIMessage):
            budget.count(message)


def build_agent(
    spec: AgentSpec, links: Sequence[ChatLink], tools: Mapping[str, Tool], reasons: ReasonTable, *, breakers: Breakers
) -> CompiledStateGraph[Any, SpecialistRun, Any, Any]:
    """Compile a specialist. Nothing of it is checkpointed: what is kept, its node packs into our own state.

    Its models are tagged `nostream`: not a word of them may reach a stream before the reply was checked.
    """
    quiet = [_quiet(link) for link in links]
    return create_agent(
        quiet[0].model,
        [_schema(tools[name], spec, reasons) for name in spec.tools],
        middleware=[Layers(SpecialistRules(), ModelChain(quiet, breakers=breakers), one_retry(), Paying())],
        context_schema=SpecialistRun,
        checkpointer=False,
        name=spec.id,
    )


def _quiet(link: ChatLink) -> ChatLink:
    tags = [*(link.model.tags or []), "nostream"]
    return replace(link, model=link.model.model_copy(update={"tags": tags}))


def _schema(tool: Tool, spec: AgentSpec, reasons: ReasonTable) -> BaseTool:
    """What the model sees of a tool: name, prompt and arguments. Its body is never called: the toolbox answers."""

    async def unreachable(**_: Any) -> str:
        raise AssertionError(f"{tool.name} was called around the toolbox")

    description = tool.description
    if tool.name == "not_mine":
        description = f"{description}\n\n{describe_reasons(reasons.for_agent(spec.id))}"
    return StructuredTool.from_function(
        coroutine=unreachable, name=tool.name, description=description, args_schema=tool.args
    )


async def invoke(
    agent: CompiledStateGraph[Any, SpecialistRun, Any, Any], run: SpecialistRun, messages: list[AnyMessage]
) -> str:
    """Run a specialist and return its final text; text that stands beside tool calls is never part of it."""
    result = await agent.ainvoke({"messages": messages}, context=run, config={"recursion_limit": _RECURSION})
    last = result["messages"][-1]
    return presentable(last.text).strip() if isinstance(last, AIMessage) and not last.tool_calls else ""
