"""The simulated chat API through the client that the specialists use: whole, streamed, with tools, and its errors."""

import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.stubs.fixtures import KEY

PATHS = ["/v1", "/api/v1"]


@tool
def lookup(text: str) -> str:
    """Look something up."""
    return text


def chat(stub: str, path: str = "/v1", *, key: str = KEY, model: str = "gpt-5-mini") -> ChatOpenAI:
    return ChatOpenAI(
        model=model,
        api_key=SecretStr(key),
        base_url=f"{stub}{path}",
        max_retries=0,
        stream_usage=True,
        http_async_client=openai.DefaultAsyncHttpxClient(),
    )


@pytest.mark.parametrize("path", PATHS)
async def test_a_whole_answer_says_what_served_it_and_what_it_cost(stub: str, path: str) -> None:
    answer = await chat(stub, path).ainvoke("oi")
    assert answer.text == "eco: oi"
    assert answer.response_metadata["model_name"] == "gpt-5-mini-simulado"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] > 0
    assert answer.response_metadata["token_usage"]["cost"] > 0


@pytest.mark.parametrize("path", PATHS)
async def test_a_stream_comes_in_pieces_with_its_usage_at_the_end(stub: str, path: str) -> None:
    pieces = [piece async for piece in chat(stub, path).astream("bom dia para todos")]
    whole = sum(pieces[1:], pieces[0])
    assert isinstance(whole, AIMessageChunk)
    assert whole.text.split() == ["eco:", "bom", "dia", "para", "todos"]
    assert sum(bool(piece.text) for piece in pieces) >= 5
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["output_tokens"] > 0


@pytest.mark.parametrize("streamed", [False, True])
async def test_tools_are_called_and_their_answers_are_read(stub: str, streamed: bool) -> None:
    bound = chat(stub).bind_tools([lookup])
    messages: list[HumanMessage | AIMessage | ToolMessage] = [HumanMessage("10405")]
    if streamed:
        pieces = [piece async for piece in bound.astream(messages)]
        called: AIMessage = sum(pieces[1:], pieces[0])
    else:
        called = await bound.ainvoke(messages)
    assert [(call["name"], call["args"]) for call in called.tool_calls] == [("lookup", {"text": "10405"})]
    answered = await bound.ainvoke(
        [*messages, called, ToolMessage("em trânsito", tool_call_id=called.tool_calls[0]["id"])]
    )
    assert answered.text == "eco: em trânsito"


@pytest.mark.parametrize("path", PATHS)
async def test_a_wrong_key_is_refused(stub: str, path: str) -> None:
    with pytest.raises(openai.AuthenticationError):
        await chat(stub, path, key="sk-wrong").ainvoke("oi")


async def test_a_decision_model_is_no_chat_model(stub: str) -> None:
    with pytest.raises(openai.BadRequestError, match="decisions model"):
        await chat(stub, "/api/v1", model="microsoft/microsoft-decision-1").ainvoke("oi")
