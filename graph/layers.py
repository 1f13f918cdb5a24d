"""Several layers around a model call as one middleware.

LangChain hands every middleware's call to a tracer in two hops to another thread, whether anybody traces or not: four layers
cost a turn sixteen hops. As one they cost four, and wrap each other as before.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class Layers(AgentMiddleware[Any, Any, Any]):
    """The first layer is the outermost, and the only one that sees tool calls."""

    def __init__(self, outermost: AgentMiddleware[Any, Any, Any], *inner: AgentMiddleware[Any, Any, Any]) -> None:
        super().__init__()
        self._outermost, self._inner = outermost, inner

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Handler) -> ModelResponse[Any]:
        for layer in reversed((self._outermost, *self._inner)):
            handler = partial(_through, layer, handler)
        return await handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        return await self._outermost.awrap_tool_call(request, handler)


async def _through(
    layer: AgentMiddleware[Any, Any, Any], handler: Handler, request: ModelRequest[Any]
) -> ModelResponse[Any]:
    answer = await layer.awrap_model_call(request, handler)
    if isinstance(answer, AIMessage):
        return ModelResponse(result=[answer])
    assert isinstance(answer, ModelResponse), "none of our layers answers with commands"
    return answer
