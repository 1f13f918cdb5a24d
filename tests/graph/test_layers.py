"""Layers wrap one another as separate middlewares would, and the outermost alone sees tool calls."""

from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage

from graph.layers import Layers


class Layer(AgentMiddleware[Any, Any, Any]):
    def __init__(self, name: str, told: list[str], *, answers: bool = False) -> None:
        super().__init__()
        self.label, self.told, self.answers = name, told, answers

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        self.told.append(f"{self.label} in")
        answer = AIMessage(self.label) if self.answers else await handler(request)
        self.told.append(f"{self.label} out: {type(answer).__name__}")
        return answer

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return ToolMessage(f"{self.label} {await handler(request)}", tool_call_id="1")


async def model(request: Any) -> ModelResponse[Any]:
    return ModelResponse(result=[AIMessage(f"model of {request}")])


async def test_the_first_layer_is_outermost_and_each_gets_a_response_of_the_next() -> None:
    told: list[str] = []
    request: Any = "this request"
    answer = await Layers(Layer("a", told), Layer("b", told), Layer("c", told)).awrap_model_call(request, model)
    assert told == ["a in", "b in", "c in", "c out: ModelResponse", "b out: ModelResponse", "a out: ModelResponse"]
    assert answer.result[0].text == "model of this request"


async def test_a_layer_that_answers_itself_spares_the_model_and_looks_like_one_to_those_outside() -> None:
    told: list[str] = []
    request: Any = None
    answer = await Layers(Layer("a", told), Layer("b", told, answers=True), Layer("c", told)).awrap_model_call(
        request, model
    )
    assert told == ["a in", "b in", "b out: AIMessage", "a out: ModelResponse"]
    assert [m.text for m in answer.result] == ["b"]


async def test_tool_calls_pass_the_outermost_layer_only() -> None:
    async def tool(request: Any) -> str:
        return "ran"

    request: Any = None
    answer = await Layers(Layer("a", []), Layer("b", [])).awrap_tool_call(request, tool)
    assert answer.text == "a ran"
