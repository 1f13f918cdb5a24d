"""Stand-ins for what is remote: a chat model that follows a script, and a decider that answers what a test says."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field, PrivateAttr

from agents.spec import AgentSpec
from routing.decision import Answer, Exchange, Question
from routing.ports import NoProvider

Responder = Callable[[list[BaseMessage], dict[str, Any]], AIMessage | str | Exception]


def call(name: str, *, id: str | None = None, text: str = "", **args: Any) -> AIMessage:
    """One model message with one tool call."""
    return AIMessage(text, tool_calls=[{"name": name, "args": args, "id": id or f"call_{name}", "type": "tool_call"}])


def calls(*pairs: tuple[str, dict[str, Any]], text: str = "") -> AIMessage:
    """One model message with several tool calls."""
    return AIMessage(
        text,
        tool_calls=[{"name": n, "args": a, "id": f"call_{i}", "type": "tool_call"} for i, (n, a) in enumerate(pairs)],
    )


class ScriptedChatModel(BaseChatModel):
    """Answers with the next item of its script, or with `responder(messages, kwargs)`.

    Fails when it is asked too often; `assert_exhausted` fails when it was asked too seldom. An Exception item is raised.
    """

    script: list[Any] = Field(default_factory=list)
    responder: Any = None
    model_name: str = "scripted"
    _calls: list[dict[str, Any]] = PrivateAttr(default_factory=list)
    _next_item: list[int] = PrivateAttr(default_factory=lambda: [0])

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> "ScriptedChatModel":
        copied = super().model_copy(update=update, deep=deep)
        copied._calls, copied._next_item = self._calls, self._next_item  # one script, whoever asks
        return copied

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What the model was given at each call: `messages` and the bound `tools`."""
        return self._calls

    def assert_exhausted(self) -> None:
        assert self._next_item[0] == len(self.script), (
            f"asked {self._next_item[0]} times, script has {len(self.script)}"
        )

    @property
    def _llm_type(self) -> str:
        return "scripted-chat-model"

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:  # fmt: skip
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], tool_choice=tool_choice, **kwargs)

    def _answer(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        self._calls.append({"messages": list(messages), **kwargs})
        if self.responder is not None:
            out = self.responder(messages, kwargs)
        else:
            index = self._next_item[0]
            assert index < len(self.script), f"{self.model_name}: asked once more than the script's {len(self.script)}"
            self._next_item[0] = index + 1
            out = self.script[index]
        if isinstance(out, Exception):
            raise out
        message = AIMessage(out) if isinstance(out, str) else out.model_copy()
        sent = sum(len(str(m.content)) + len(json.dumps(getattr(m, "tool_calls", []))) for m in messages) // 4
        message.usage_metadata = {
            "input_tokens": sent,
            "output_tokens": 1 + len(str(message.content)) // 4,
            "total_tokens": sent + 1,
        }
        message.response_metadata = {"model_name": self.model_name, **message.response_metadata}
        return message

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages, kwargs))])

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        message = self._answer(messages, kwargs)
        for word in str(message.content).split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word + " "))
        for i, tool in enumerate(message.tool_calls):
            chunk = {
                "name": tool["name"],
                "args": json.dumps(tool["args"]),
                "id": tool["id"],
                "index": i,
                "type": "tool_call_chunk",
            }
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))

    async def _astream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages, stop, run_manager, **kwargs):
            yield chunk


class ScriptedModels:
    """A chat model per specialist."""

    name = "scripted"
    label = "modelo de teste"
    simulated = True

    def __init__(self, scripts: Mapping[str, list[Any] | Responder]) -> None:
        self.models = {
            agent: ScriptedChatModel(responder=script, model_name=agent)
            if callable(script)
            else ScriptedChatModel(script=script, model_name=agent)
            for agent, script in scripts.items()
        }

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return self.models.setdefault(spec.id, ScriptedChatModel(model_name=spec.id))

    def assert_exhausted(self) -> None:
        for model in self.models.values():
            if model.responder is None:
                model.assert_exhausted()


class ScriptedDecider:
    """Answers by a rule of the test: message → the option that wins, a distribution, or an exception."""

    def __init__(self, rule: Callable[[str, Exchange], str | Mapping[str, float] | Exception]) -> None:
        self.rule = rule
        self.asked: list[tuple[str, Exchange]] = []
        self.meanwhile: Callable[[], Awaitable[None]] | None = None  # what happens while the model thinks

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        self.asked.append((message, exchange))
        if self.meanwhile is not None:
            await self.meanwhile()
        out = self.rule(message, exchange)
        if isinstance(out, Exception):
            raise out
        others = [o for o in question.ids if o != out]
        given = {out: 0.96} | dict.fromkeys(others, 0.04 / len(others)) if isinstance(out, str) else dict(out)
        full = {option: given.get(option, 0.0) for option in question.ids}
        return Answer(probabilities=full, provider="scripted", model="scripted-1", calibrated=True, latency_ms=0.1)


def nobody(message: str, exchange: Exchange) -> Exception:
    """A rule for a decision layer that is down."""
    return NoProvider()
