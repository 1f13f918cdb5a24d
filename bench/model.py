"""A chat model that answers at once what the script says, and keeps what it was sent where somebody counts it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from bench.customer import move


@dataclass(frozen=True, slots=True)
class Request:
    """One request as a provider gets it. `static` is the part of the system message that never changes."""

    agent: str
    tools: str
    system: str
    static: int
    messages: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The request as one text, in the order in which providers cache prefixes: tools, system, messages."""
        return self.tools + self.system + "".join(self.messages)

    @property
    def varying(self) -> str:
        """Without the static prompt and the tools' schemas: what the design adds to each turn."""
        return self.system[self.static :] + "".join(self.messages)


class InstantModel(BaseChatModel):
    """Speaks for one agent. `prompt` is its static prompt; requests are kept only where `keep` is set."""

    agent: str
    prompt: str = ""
    keep: bool = False
    _kept: list[Request] = PrivateAttr(default_factory=list)

    def model_copy(self, **how: Any) -> "InstantModel":
        copied = super().model_copy(**how)
        copied._kept = self._kept
        return copied

    @property
    def kept(self) -> list[Request]:
        return self._kept

    @property
    def _llm_type(self) -> str:
        return "bench-instant"

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:  # fmt: skip
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        tools: list[dict[str, Any]] = kwargs.get("tools") or []
        if self.keep:
            self._kept.append(_request(self.agent, self.prompt, messages, tools))
        names = [tool["function"]["name"] for tool in tools]
        return ChatResult(generations=[ChatGeneration(message=move(self.agent, messages, names))])

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages, stop, run_manager, **kwargs)


def _request(agent: str, prompt: str, messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]]) -> Request:
    system = "".join(m.text for m in messages if m.type == "system")
    assert system.startswith(prompt), "the static prompt stands first"
    return Request(
        agent=agent, tools=json.dumps(tools, ensure_ascii=False) if tools else "", system=system, static=len(prompt),
        messages=tuple(_wire(m) for m in messages if m.type != "system"),
    )  # fmt: skip


def _wire(message: BaseMessage) -> str:
    """Return what of a message is tokens for the model: role, words, calls and what they are answers to."""
    calls = [{"name": c["name"], "args": c["args"]} for c in getattr(message, "tool_calls", [])]
    said = json.dumps(calls, ensure_ascii=False) if calls else ""
    return f"{message.type}{message.name or ''}:{message.text}{said}\n"
