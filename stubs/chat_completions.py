"""OpenAI chat completions, streamed or not, with tools: a chat model of LangChain's behind the wire format."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from decimal import Decimal
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, convert_to_messages
from langchain_core.runnables import Runnable

from routing.providers.llm import MOST_SCORE, SCHEMA_NAME
from stubs.account import Account
from stubs.answers import Answers
from stubs.decisions import OPENROUTER_MODELS, SIMULATED
from stubs.faults import error_body
from stubs.keys import Keys
from stubs.prefix_cache import PrefixCache

Json = dict[str, Any]
ChatFor = Callable[[Sequence[BaseMessage]], BaseChatModel]

_USD_PER_INPUT, _USD_PER_OUTPUT = Decimal("0.40") / 1_000_000, Decimal("1.60") / 1_000_000


def build_router(chat_for: ChatFor, answers: Answers, *, keys: Keys, account: Account) -> APIRouter:
    """Return the routes. `chat_for` names the model that speaks for a conversation."""
    router, cache = APIRouter(), PrefixCache()

    @router.post("/v1/chat/completions")
    async def openai(request: Request) -> Response:
        return keys.refuse_openai(request) or await _completion(request, chat_for, answers, account, cache)

    @router.post("/api/v1/chat/completions")
    async def openrouter(request: Request) -> Response:
        return keys.refuse_openrouter(request) or await _completion(request, chat_for, answers, account, cache)

    return router


async def _completion(
    request: Request, chat_for: ChatFor, answers: Answers, account: Account, cache: PrefixCache
) -> Response:
    path = request.url.path
    try:
        body = cast(Json, json.loads(await request.body()))
        messages = convert_to_messages(body["messages"])
        model = str(body["model"])
    except (ValueError, RecursionError, TypeError, KeyError, NotImplementedError):
        text = "messages and model are required, in OpenAI's form"
        return JSONResponse(error_body(path, 400, text, error_type="invalid_request_error"), status_code=400)
    if not messages:
        text = "'messages' must not be empty"
        return JSONResponse(error_body(path, 400, text, error_type="invalid_request_error"), status_code=400)
    if model.startswith(OPENROUTER_MODELS):
        text = f"{model} is a decisions model and cannot be used with the chat/completions endpoint."
        return JSONResponse(error_body(path, 400, text), status_code=400)
    head = {"id": account.next_id("gen"), "created": 0, "model": f"{model}-{SIMULATED}", "provider": "Simulado"}
    scores = await _scores(body, messages, answers)
    if scores is not None:
        message = AIMessage(json.dumps(scores))
        return JSONResponse(_whole(head, message, _usage(messages, message.text, account)))
    chat, cached = _with_tools(chat_for(messages), body), cache.read(body)
    if body.get("stream"):
        return StreamingResponse(_stream(head, chat, messages, body, account, cached), media_type="text/event-stream")
    message = await chat.ainvoke(messages)
    return JSONResponse(_whole(head, message, _usage(messages, _written(message), account, cached=cached)))


def _with_tools(chat: BaseChatModel, body: Json) -> Runnable[LanguageModelInput, AIMessage]:
    return chat.bind_tools(body["tools"]) if body.get("tools") else chat


async def _scores(body: Json, messages: Sequence[BaseMessage], answers: Answers) -> Json | None:
    """Return the scores of a routing decision asked for by schema, None for any other request."""
    asked = body.get("response_format")
    if not isinstance(asked, dict) or (cast(Json, asked).get("json_schema") or {}).get("name") != SCHEMA_NAME:
        return None
    try:
        given = json.loads(messages[-1].text)
        questions = cast(dict[str, Json], given["questions"])
        scores: Json = {}
        for name, question in questions.items():
            choice = {"instructions": question["instructions"], "criteria": question["options"]}
            found = await answers.choice(given["state"], choice)
            scores[name] = {option: round(p * MOST_SCORE) for option, p in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return scores


def _whole(head: Json, message: AIMessage, usage: Json) -> Json:
    calls = [_call(place, call) for place, call in enumerate(message.tool_calls)]
    spoken: Json = {"role": "assistant", "content": message.text or None, "refusal": None}
    if calls:
        spoken["tool_calls"] = calls
    choice = {"index": 0, "message": spoken, "finish_reason": "tool_calls" if calls else "stop", "logprobs": None}
    return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}


async def _stream(
    head: Json,
    chat: Runnable[LanguageModelInput, AIMessage],
    messages: Sequence[BaseMessage],
    body: Json,
    account: Account,
    cached: int,
) -> AsyncIterator[str]:
    """Stream the model's own pieces as server-sent events, the usage last where it was asked for."""
    written, finish = "", "stop"
    yield _event(head, {"role": "assistant", "content": ""})
    async for piece in chat.astream(list(messages)):
        if piece.text:
            yield _event(head, {"content": piece.text})
        calls = _call_pieces(piece)
        if calls:
            finish = "tool_calls"
            yield _event(head, {"tool_calls": calls})
        written += _written(piece)
    yield _event(head, {}, finish=finish)
    if (body.get("stream_options") or {}).get("include_usage") or (body.get("usage") or {}).get("include"):
        usage = _usage(messages, written, account, cached=cached)
        yield _sse({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    else:
        _usage(messages, written, account)
    yield "data: [DONE]\n\n"


def _event(head: Json, delta: Json, *, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return _sse({**head, "object": "chat.completion.chunk", "choices": [choice]})


def _sse(data: Json) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _call(place: int, call: Any) -> Json:
    function = {"name": call["name"], "arguments": json.dumps(call["args"], ensure_ascii=False)}
    return {"id": call["id"] or f"call_{place}", "type": "function", "function": function}


def _call_pieces(piece: AIMessage) -> list[Json]:
    """Return the tool calls of a piece: fragments of a chunk, or the whole ones of a model that does not stream them."""
    fragments = getattr(piece, "tool_call_chunks", None)
    if not fragments:
        return [{"index": place, **_call(place, call)} for place, call in enumerate(piece.tool_calls)]
    pieces: list[Json] = []
    for place, fragment in enumerate(fragments):
        function = {
            name: fragment[field] for name, field in (("name", "name"), ("arguments", "args")) if fragment[field]
        }
        started = {"id": fragment["id"], "type": "function"} if fragment["id"] else {}
        index = fragment["index"] if fragment["index"] is not None else place
        pieces.append({"index": index, **started, "function": function})
    return pieces


def _written(message: AIMessage) -> str:
    return message.text + "".join(json.dumps(call["args"]) for call in message.tool_calls)


def _usage(messages: Sequence[BaseMessage], written: str, account: Account, *, cached: int = 0) -> Json:
    """Count tokens by length, bill them without a discount, and return OpenRouter's form of usage."""
    tokens_in = sum(len(message.text) for message in messages) // 4 + 1
    tokens_out = len(written) // 4 + 1
    cost = _USD_PER_INPUT * tokens_in + _USD_PER_OUTPUT * tokens_out
    account.bill(cost)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "prompt_tokens_details": {"cached_tokens": min(cached, tokens_in)},
        "completion_tokens_details": {"reasoning_tokens": 0},
        "cost": float(cost),
    }
