"""Chat models that let something happen while they write: an operator who answers first, for example."""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from agents.models.registry import ChatModels
from agents.spec import AgentSpec
from stubs.stand_in import StandIn

Work = Callable[[], Awaitable[None]]


class Meanwhile:
    """What is to happen once, while the next reply is being written: after its tools were used, before its words are out."""

    def __init__(self) -> None:
        self._work: Work | None = None

    def plan(self, work: Work) -> None:
        self._work = work

    @property
    def planned(self) -> bool:
        """Tell whether it has yet to happen."""
        return self._work is not None

    async def happen(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            await work()


class AttendedModel(StandIn):
    """Another model's answers, word for word; before one without a tool call, what was planned happens."""

    inner: BaseChatModel
    meanwhile: Any

    @property
    def _llm_type(self) -> str:
        return "bastao-attended"

    async def answer(self, messages: list[BaseMessage], *, stop: list[str] | None, given: dict[str, Any]) -> AIMessage:
        message = await self.inner.ainvoke(messages, stop=stop, **given)
        if not message.tool_calls:
            await self.meanwhile.happen()
        return message


class AttendedModels:
    """The given models, each attended."""

    def __init__(self, base: ChatModels, meanwhile: Meanwhile) -> None:
        self._base, self._meanwhile = base, meanwhile
        self.name, self.label, self.simulated = base.name, base.label, base.simulated

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return AttendedModel(inner=self._base.for_agent(spec), meanwhile=self._meanwhile)
