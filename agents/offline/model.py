"""A chat model without weights: a real BaseChatModel whose answers come from a conversation policy."""

import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCall
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from agents.offline.engine import Do, next_move
from agents.offline.matching import Own
from agents.offline.policy import OfflinePolicy
from agents.offline.scene import read_scene


class OfflineChatModel(BaseChatModel):
    """Deterministic: the same messages and tools always give the same answer."""

    agent: str = "offline"
    policy: OfflinePolicy = OfflinePolicy()
    own: Own = Own()
    model_name: str = "offline (simulated)"

    @property
    def _llm_type(self) -> str:
        return "bastao-offline"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name, "agent": self.agent}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools by their OpenAI schemas; the reasons that `not_mine` takes are read from its description."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._answer(messages, kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(self._answer(messages, kwargs)):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _answer(self, messages: Sequence[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        bound: dict[str, str] = {
            tool["function"]["name"]: tool["function"].get("description", "") for tool in kwargs.get("tools") or ()
        }
        move = next_move(read_scene(messages, bound), self.policy, self.own)
        calls = [_call(move, messages)] if isinstance(move, Do) else []
        text = "" if isinstance(move, Do) else move.text
        return AIMessage(
            content=text,
            tool_calls=calls,
            usage_metadata=_usage(messages, text, calls),
            response_metadata={"model_name": self.model_name, "finish_reason": "tool_calls" if calls else "stop"},
        )


def _call(move: Do, messages: Sequence[BaseMessage]) -> ToolCall:
    """Name the call after what it is and where it stands: deterministic, and unique within a conversation's turn."""
    said = json.dumps([move.tool, move.args, len(messages)], sort_keys=True, ensure_ascii=False)
    return ToolCall(
        name=move.tool, args=move.args, id=f"call_{hashlib.sha256(said.encode()).hexdigest()[:12]}", type="tool_call"
    )


def _usage(messages: Sequence[BaseMessage], text: str, calls: Sequence[ToolCall]) -> UsageMetadata:
    """Estimate four characters a token, so that budgets have something to count."""
    read = sum(len(message.text) for message in messages) // 4
    written = max(1, (len(text) + sum(len(json.dumps(call["args"])) for call in calls)) // 4)
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Cut an answer as remote models stream it: words, then tool calls in two pieces, then the usage."""
    for piece in re.findall(r"\S+\s*", message.text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    for index, call in enumerate(message.tool_calls):
        head = {"name": call["name"], "args": "", "id": call["id"], "index": index, "type": "tool_call_chunk"}
        body = {
            "name": None,
            "args": json.dumps(call["args"], ensure_ascii=False),
            "id": None,
            "index": index,
            "type": "tool_call_chunk",
        }
        for piece in (head, body):
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[piece]))  # pyright: ignore[reportArgumentType]
    last = AIMessageChunk(
        content="", usage_metadata=message.usage_metadata, response_metadata=message.response_metadata, chunk_position="last"
    )  # fmt: skip
    yield ChatGenerationChunk(message=last)
