"""Each recipe for a real model: loaded as a shop would, one turn with a tool call as its server writes one, over a socket."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from settings import ROOT, chat_models_of, load_settings, purse_of
from stubs.serve import serving
from tests.graph.conftest import Make, make_desk, of, reply_of, tools_of

__all__ = ["make_desk"]
RECIPES = ROOT / "examples/models"
ORDER = {"order": "10405"}
KEY = "sk-of-a-test"
Json = dict[str, Any]


def called(arguments: Any, **more: Any) -> Json:
    return {"type": "function", "function": {"name": "lookup_order", "arguments": arguments}, **more}


SERVERS: Mapping[str, Json] = {
    "openrouter": {  # reasoning beside the answer
        "env": {"OPENROUTER_API_KEY": KEY},
        "path": "/api/v1",
        "message": {"content": "", "reasoning": "O pedido.", "tool_calls": [called(json.dumps(ORDER), id="call_1")]},
    },
    "openai": {  # the same call twice, side by side
        "env": {"OPENAI_API_KEY": KEY},
        "path": "/v1",
        "message": {"content": None, "tool_calls": [called(json.dumps(ORDER), id=f"call_{n}") for n in "ab"]},
    },
    "ollama": {  # a model whose template it does not know: reasoning and call as plain text
        "env": {},
        "path": "/v1",
        "message": {"content": "<think>\nVou ler.\n</think>\n" + json.dumps({"name": "lookup_order", "parameters": ORDER})},
    },
    "vllm": {  # without a parser for the model: the template's own marks
        "env": {"VLLM_API_KEY": KEY},
        "path": "/v1",
        "message": {"content": "<tool_call>\n" + json.dumps({"name": "lookup_order", "arguments": ORDER}) + "\n</tool_call>"},
    },
    "llamacpp": {  # no id, and arguments that are a string in a string
        "env": {},
        "path": "/v1",
        "message": {"content": "", "tool_calls": [called(json.dumps(json.dumps(ORDER)), id="")]},
    },
}  # fmt: skip


def recipe(name: str) -> Json:
    return json.loads((RECIPES / f"{name}.json").read_text("utf-8"))


def server(path: str, messages: Sequence[Json], asked: list[tuple[str, Json]]) -> FastAPI:
    """Answer with one raw message after the other; keep the key and the body of each request."""
    app, waiting = FastAPI(), iter(messages)

    @app.post(f"{path}/chat/completions")
    async def complete(request: Request) -> JSONResponse:
        asked.append((request.headers["authorization"], await request.json()))
        message = {"role": "assistant", **next(waiting)}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
        usage = {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930}
        return JSONResponse(
            {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
        )

    return app


def test_every_recipe_is_tried() -> None:
    assert {path.stem for path in RECIPES.glob("*.json")} == set(SERVERS)


@pytest.mark.parametrize("name", SERVERS)
async def test_a_turn_with_a_tool_call(name: str, make_desk: Make, tmp_path: Path) -> None:
    spoken, environ, path = SERVERS[name]["message"], SERVERS[name]["env"], SERVERS[name]["path"]
    asked: list[tuple[str, Json]] = []
    given, whole = recipe(name), json.loads((ROOT / "config.json").read_text("utf-8"))
    with serving(server(path, [spoken, {"content": "Seu pedido 10405 está com a transportadora."}], asked)) as address:
        chat = {**given["chat_model"], "base_url": address + path}
        config = tmp_path / "config.json"
        config.write_text(json.dumps({**whole, **given, "chat_model": chat}), "utf-8")
        settings = load_settings({"BASTAO_CONFIG": str(config)})
        (models,) = chat_models_of(settings, environ)
        desk = await make_desk({}, lambda message, exchange: "support", models=models)
        events = await desk.say("oi, onde está o meu pedido 10405?")
    assert "transportadora" in reply_of(events)
    assert set(tools_of(events)) == {("lookup_order", "ok")}
    assert of(events, "done")[0].status == "replied"
    (key, first), (_, second) = asked
    assert key == f"Bearer {KEY if environ else 'none'}"
    assert first["model"] == given["chat_model"]["model"]
    assert "lookup_order" in {tool["function"]["name"] for tool in first["tools"]}
    answers = [message for message in second["messages"] if message["role"] == "tool"]
    assert answers
    assert all(message["tool_call_id"] for message in answers)


@pytest.mark.parametrize("name", SERVERS)
def test_a_model_of_ones_own_costs_nothing_and_a_paid_one_is_never_free(name: str, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**json.loads((ROOT / "config.json").read_text("utf-8")), **recipe(name)}), "utf-8")
    settings = load_settings({"BASTAO_CONFIG": str(config)})
    price = purse_of(settings, settings.chat_model, None).price
    free = price is not None and price.input_usd == price.output_usd == 0
    assert free is (settings.chat_model.base_url is not None)
