from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage

from agents.models.offline import OfflineChatModels
from tests.agents.conversing import the_roster

ROSTER = the_roster()
LOOKUP: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "Read one order.",
        "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
    },
}
ASKED = [SystemMessage("prompt"), HumanMessage("cadê meu pedido 10405?")]


def _support() -> Any:
    return OfflineChatModels().for_agent(ROSTER.by_id("support"))


async def test_a_tool_call_streams_as_it_is_answered() -> None:
    bound = _support().bind_tools([LOOKUP])
    whole = await bound.ainvoke(ASKED)
    assert whole.tool_calls[0]["args"] == {"order": "10405"}
    chunks = [chunk async for chunk in bound.astream(ASKED)]
    joined = chunks[0]
    for chunk in chunks[1:]:
        joined += chunk
    assert isinstance(joined, AIMessageChunk)
    assert joined.tool_calls == whole.tool_calls
    assert joined.usage_metadata == whole.usage_metadata
    assert bound.invoke(ASKED).tool_calls == whole.tool_calls
    assert len(list(bound.stream(ASKED))) == len(chunks)


async def test_text_streams_in_pieces_that_join_to_the_reply() -> None:
    model = _support()
    reply = (await model.ainvoke([HumanMessage("blá blá blá")])).text
    pieces = [chunk.text async for chunk in model.astream([HumanMessage("blá blá blá")])]
    assert "".join(pieces) == reply
    assert len(pieces) > 5


async def test_the_same_messages_give_the_same_call_and_later_ones_another_id() -> None:
    bound = _support().bind_tools([LOOKUP])
    first, second = await bound.ainvoke(ASKED), await bound.ainvoke(ASKED)
    assert first.tool_calls == second.tool_calls
    later = await bound.ainvoke([HumanMessage("oi"), AIMessage("Oi!"), *ASKED[1:]])
    assert later.tool_calls[0]["id"] != first.tool_calls[0]["id"]


async def test_it_may_be_copied_with_tags_as_the_graph_does() -> None:
    quiet = _support().model_copy(update={"tags": ["nostream"]})
    assert (await quiet.bind_tools([LOOKUP]).ainvoke(ASKED)).tool_calls


async def test_it_counts_what_it_reads_and_says_what_it_is() -> None:
    answer = await _support().ainvoke(ASKED)
    assert answer.usage_metadata["input_tokens"] == sum(len(m.text) for m in ASKED) // 4
    assert "simulated" in answer.response_metadata["model_name"]


@pytest.mark.parametrize("content", ['{"status": "ok"}', "not json", "[]", '{"status": "odd", "data": 3}', "null", ""])
async def test_a_strange_tool_answer_is_no_exception(content: str) -> None:
    bound = _support().bind_tools([LOOKUP])
    call = await bound.ainvoke(ASKED)
    answer = await bound.ainvoke([*ASKED, call, ToolMessage(content, tool_call_id=call.tool_calls[0]["id"])])
    assert answer.text.strip() or answer.tool_calls


async def test_asked_to_leave_a_sentence_out_it_keeps_the_rest() -> None:
    draft = "O pedido está em trânsito. Seu reembolso foi aprovado."
    asked = HumanMessage("Sua resposta não foi enviada:\n- Seu reembolso foi aprovado.\nEscreva de novo.")
    assert (
        await _support().ainvoke([HumanMessage("cadê?"), AIMessage(draft), asked])
    ).text == "O pedido está em trânsito."
    nothing_left = HumanMessage("- O pedido está em trânsito.\n- Seu reembolso foi aprovado.")
    answer = (await _support().ainvoke([HumanMessage("cadê?"), AIMessage(draft), nothing_left])).text
    assert answer
    assert "aprovado" not in answer
