"""Each way in which a real model garbles a tool call, and what is made of it."""

import json
from typing import Any

import httpx2
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from agents.models.dialect import normalised
from agents.models.openai_compatible import CostedChatOpenAI, build_openai

TOOLS = ("lookup_order", "not_mine")
CALL = '{"name": "lookup_order", "arguments": {"order": "10405"}}'
READ = [("lookup_order", {"order": "10405"})]


def calls_of(message: AIMessage) -> list[tuple[str, dict[str, Any]]]:
    return [(call["name"], call["args"]) for call in message.tool_calls]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"[TOOL_CALLS] [{CALL}]",
        '<function=lookup_order>{"order": "10405"}</function>',
        '{"name": "lookup_order", "parameters": {"order": "10405"}}',
        '{"type": "function", "function": {"name": "lookup_order", "arguments": "{\\"order\\": \\"10405\\"}"}}',
        f"[{CALL},]",
        f"<think>Preciso do pedido.</think>\n{CALL}",
    ],
)
def test_a_call_written_as_text_is_a_call(text: str) -> None:
    read = normalised(AIMessage(text), TOOLS)
    assert calls_of(read) == READ
    assert read.text == ""
    assert read.tool_calls[0]["id"]


def test_words_around_a_marked_call_stay_words() -> None:
    read = normalised(AIMessage(f"Vou olhar. <tool_call>{CALL}</tool_call>"), TOOLS)
    assert (calls_of(read), read.text) == (READ, "Vou olhar.")


@pytest.mark.parametrize(
    "text",
    [
        "Seu pedido está a caminho.",
        '{"name": "delete_everything", "arguments": {}}',
        '{"pedido": "10405"}',
        "[1, 2, 3]",
        "[" * 5_000,
        '<tool_call>{"name": "lookup_order", "arguments": 7}</tool_call>',
        "Use {chaves} à vontade.",
    ],
)
def test_what_names_no_offered_tool_stays_text(text: str) -> None:
    message = AIMessage(text)
    assert normalised(message, TOOLS) is message


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>o cliente quer…</think>Está a caminho.", "Está a caminho."),
        ("o cliente quer…</think>Está a caminho.", "Está a caminho."),
        ("<think>nunca termina", ""),
        ("Eu não think nada.", "Eu não think nada."),
    ],
)
def test_reasoning_is_no_part_of_an_answer(text: str, rest: str) -> None:
    assert normalised(AIMessage(text), TOOLS).text == rest


def test_ids_that_are_missing_or_used_twice_become_different_ones() -> None:
    one = {"name": "lookup_order", "args": {"order": "1"}, "type": "tool_call"}
    message = AIMessage("", tool_calls=[{**one, "id": "c"}, {**one, "id": "c"}, {**one, "id": None}])
    ids = [call["id"] for call in normalised(message, TOOLS).tool_calls]
    assert len(set(ids)) == 3
    assert all(ids)


@pytest.mark.parametrize("key", ["arguments", "input"])
def test_arguments_inside_one_argument_are_opened(key: str) -> None:
    message = AIMessage("", tool_calls=[{"name": "lookup_order", "args": {key: '{"order": "10405"}'}, "id": "c"}])
    assert calls_of(normalised(message, TOOLS)) == READ


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ('{"order": "10405",}', {"order": "10405"}),
        ('"{\\"order\\": \\"10405\\"}"', {"order": "10405"}),
        ('{"order": "10405"}', {"order": "10405"}),
        ("", {}),
    ],
)
async def test_arguments_as_a_server_sends_them(arguments: str, args: dict[str, Any]) -> None:
    call = {"id": "", "type": "function", "function": {"name": "lookup_order", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    read = normalised(await served(message), TOOLS)
    assert calls_of(read) == [("lookup_order", args)]
    assert read.tool_calls[0]["id"]
    assert read.invalid_tool_calls == []


async def served(message: dict[str, Any]) -> AIMessage:
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}  # fmt: skip

    async def handle(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=json.dumps(body), headers={"content-type": "application/json"})

    plain = build_openai(
        model="m", api_key="k", base_url="http://llm.example/v1", timeout_s=5, temperature=0, max_tokens=10, openrouter=False
    )  # fmt: skip
    model = CostedChatOpenAI(
        model=plain.model_name, api_key=plain.openai_api_key, base_url=plain.openai_api_base, max_retries=0,
        http_async_client=httpx2.AsyncClient(transport=httpx2.MockTransport(handle)), use_responses_api=False,
    )  # fmt: skip
    answer = await model.ainvoke([HumanMessage("oi")])
    assert isinstance(answer, AIMessage)
    return answer


def test_ids_that_we_make_differ_between_messages() -> None:
    text = '<tool_call>{"name": "lookup_order", "arguments": {"order": "10405"}}</tool_call>'
    made = [
        normalised(AIMessage(text, id=id), ["lookup_order"]).tool_calls[0]["id"] for id in ("run-1", "run-2", "run-1")
    ]
    assert made[0] == made[2] != made[1]
    assert all(id and len(id) <= 40 for id in made)
