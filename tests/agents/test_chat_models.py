import json
from typing import Any

import httpx2
import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import ValidationError

from agents.models.openai_compatible import CostedChatOpenAI, build_openai
from agents.models.registry import ChatModelsError, ChatModelSettings, build_chat_models
from tests.agents.conversing import the_roster

SPEC = the_roster().by_id("billing")
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "cost": 0.00042}


def test_offline_needs_nothing_and_says_that_it_simulates() -> None:
    models = build_chat_models(ChatModelSettings(), {})
    assert (models.name, models.label, models.simulated) == ("offline", "modelo offline", True)
    assert models.for_agent(SPEC).bind_tools([]) is not None


@pytest.mark.parametrize(
    ("settings", "environ", "message"),
    [
        ({"provider": "openai"}, {"OPENAI_API_KEY": "k"}, "model name"),
        ({"provider": "openai", "model": "m"}, {}, "OPENAI_API_KEY"),
        ({"provider": "openrouter", "model": "m"}, {"OPENAI_API_KEY": "k"}, "OPENROUTER_API_KEY"),
        ({"provider": "openai", "model": "m", "api_key_env": "SHOP_KEY"}, {"SHOP_KEY": " "}, "SHOP_KEY"),
    ],
)
def test_what_is_missing_is_named(settings: dict[str, Any], environ: dict[str, str], message: str) -> None:
    with pytest.raises(ChatModelsError, match=message):
        build_chat_models(ChatModelSettings(**settings), environ)


@pytest.mark.parametrize("wrong", [{"provider": "magic"}, {"modle": "m"}, {"timeout_s": 0}, {"temperature": 3}])
def test_wrong_settings_fail_with_their_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        ChatModelSettings(**wrong)


@pytest.mark.parametrize(("provider", "url"), [("openai", "http://llm.example/v1"), ("openrouter", None)])
def test_the_client_has_one_retry_layer_a_timeout_and_usage_on_streams(provider: str, url: str | None) -> None:
    settings = ChatModelSettings(provider=provider, model="m", base_url=url, timeout_s=7, max_tokens=99)  # type: ignore[arg-type]
    models = build_chat_models(settings, {"OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"})
    model = models.for_agent(SPEC)
    assert isinstance(model, ChatOpenAI)
    assert (model.max_retries, model.request_timeout, model.use_responses_api, model.stream_usage) == (
        0,
        7,
        False,
        True,
    )
    assert model.openai_api_base == (url or "https://openrouter.ai/api/v1")
    assert ("k" in str(model)) is False or "SecretStr" in repr(model)
    assert not models.simulated
    extra = model.extra_body or {}
    assert (extra.get("provider") == {"data_collection": "deny"}) is (provider == "openrouter")


def _served(body: bytes, kind: str) -> CostedChatOpenAI:
    async def handle(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=body, headers={"content-type": kind})

    model = build_openai(
        model="m",
        api_key="k",
        base_url="http://llm.example/v1",
        timeout_s=5,
        temperature=0,
        max_tokens=10,
        openrouter=True,
    )
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(handle))
    return CostedChatOpenAI(
        model=model.model_name, api_key=model.openai_api_key, base_url=model.openai_api_base, http_async_client=client,
        stream_usage=True, max_retries=0, use_responses_api=False,
    )  # fmt: skip


async def test_the_cost_of_a_whole_answer_is_kept() -> None:
    message = {"role": "assistant", "content": "Oi"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": USAGE,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
    answer = await _served(json.dumps(body).encode(), "application/json").ainvoke([HumanMessage("oi")])
    assert answer.response_metadata["cost"] == 0.00042
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 12


async def test_the_cost_of_a_stream_is_kept() -> None:
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = [
        {**base, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Oi"}, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {**base, "choices": [], "usage": USAGE},
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    joined: AIMessageChunk | None = None
    async for chunk in _served(body.encode(), "text/event-stream").astream([HumanMessage("oi")]):
        assert isinstance(chunk, AIMessageChunk)
        joined = chunk if joined is None else joined + chunk
    assert joined is not None
    assert joined.text == "Oi"
    assert joined.response_metadata["cost"] == 0.00042


def test_a_fallback_follows_its_model_in_order() -> None:
    settings = ChatModelSettings.model_validate(
        {"provider": "openai", "model": "a", "fallback": {"provider": "openrouter", "model": "b", "fallback": {"provider": "offline"}}}
    )  # fmt: skip
    assert [(link.provider, link.model) for link in settings.chain] == [
        ("openai", "a"),
        ("openrouter", "b"),
        ("offline", None),
    ]
