"""Any OpenAI-compatible chat model, with the cost that OpenRouter reports kept on streams too."""

from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agents.models.dialect import opened

OPENROUTER_URL = "https://openrouter.ai/api/v1"


class CostedChatOpenAI(ChatOpenAI):
    """ChatOpenAI that keeps `usage.cost` (US$) as `response_metadata["cost"]`; the base class drops it on streams."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)  # pyright: ignore[reportUnknownMemberType]
        cost = _cost(chunk.get("usage"))
        if made is not None and cost is not None and isinstance(made.message, AIMessageChunk):
            made.message.response_metadata = {**made.message.response_metadata, "cost": cost}
        return made

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        _open_arguments(response)
        result = super()._create_chat_result(response, generation_info)  # pyright: ignore[reportUnknownMemberType]
        cost = _cost((result.llm_output or {}).get("token_usage"))
        for generation in result.generations:
            if cost is not None and isinstance(generation.message, AIMessage):
                generation.message.response_metadata = {**generation.message.response_metadata, "cost": cost}
        return result


def _open_arguments(response: Any) -> None:
    """Open arguments that are a string in a string: the base class raises for them before anybody can read the answer."""
    for choice in getattr(response, "choices", None) or ():
        for call in choice.message.tool_calls or ():
            if isinstance(arguments := getattr(getattr(call, "function", None), "arguments", None), str):
                call.function.arguments = opened(arguments)


def _cost(usage: Any) -> float | None:
    cost = usage.get("cost") if isinstance(usage, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return float(cost) if isinstance(cost, int | float) else None


def build_openai(
    *,
    model: str,
    api_key: str,
    base_url: str | None,
    timeout_s: float,
    temperature: float,
    max_tokens: int,
    openrouter: bool,
) -> ChatOpenAI:
    """Build the client. Retries are the caller's one layer, so the SDK makes none; `timeout_s` bounds a request."""
    # OpenRouter counts cost only when asked; prompts go to no provider that keeps them.
    extra = {"usage": {"include": True}, "provider": {"data_collection": "deny"}} if openrouter else None
    return CostedChatOpenAI(
        model=model,
        api_key=SecretStr(api_key),
        base_url=base_url or (OPENROUTER_URL if openrouter else None),
        timeout=timeout_s,
        max_retries=0,
        temperature=temperature,
        max_completion_tokens=max_tokens,
        use_responses_api=False,
        stream_usage=True,
        extra_body=extra,
    )
