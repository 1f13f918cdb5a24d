"""Watch a chat model while a suite runs: its calls, what was wrong with their dialect, and what they cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from agents.models.dialect import normalised
from agents.models.registry import ChatModels
from agents.spec import AgentSpec
from graph.conversation import Bastao
from graph.purse import UNPRICED_CALL

CostOf = Callable[[AIMessage], Decimal | None]


@dataclass(slots=True)
class Tally:
    """`dialect` counts answers that had to be put right before anybody could read them; `failed` calls without an answer."""

    calls: int = 0
    failed: int = 0
    dialect: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: Decimal = Decimal(0)


class Watch(AsyncCallbackHandler):
    """Counts. `cost_of` says what an answer cost; where nobody knows, a call counts as much as it was reserved for."""

    def __init__(self, cost_of: CostOf) -> None:
        self.tally = Tally()
        self._cost_of = cost_of
        self._offered: dict[UUID, frozenset[str]] = {}

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """Note which tools the model was offered."""
        self.tally.calls += 1
        given: Mapping[str, Any] = kwargs.get("invocation_params") or {}
        self._offered[run_id] = frozenset(str(tool["function"]["name"]) for tool in given.get("tools") or ())

    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Count an answer as it came from the model."""
        offered = self._offered.pop(run_id, frozenset())
        for generations in response.generations:
            for generation in generations:
                if isinstance(generation, ChatGeneration) and isinstance(generation.message, AIMessage):
                    self._count(generation.message, offered)

    async def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Count a call that brought nothing; what it cost nobody knows."""
        self._offered.pop(run_id, None)
        self.tally.failed += 1

    def _count(self, message: AIMessage, offered: frozenset[str]) -> None:
        self.tally.dialect += normalised(message, offered) is not message
        if usage := message.usage_metadata:
            self.tally.input_tokens += usage["input_tokens"]
            self.tally.output_tokens += usage["output_tokens"]
        cost = self._cost_of(message)
        self.tally.cost_usd += UNPRICED_CALL if cost is None else cost


class WatchedModels:
    """The given chat models, each call watched."""

    def __init__(self, base: ChatModels, watch: Watch) -> None:
        self._base, self._watch = base, watch
        self.name, self.label, self.simulated = base.name, base.label, base.simulated

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return self._base.for_agent(spec).model_copy(update={"callbacks": [self._watch]})


def watched(bastao: Bastao) -> tuple[Bastao, Watch]:
    """Return the Bastão with its chat model watched, without fallbacks: what another model says proves nothing of this one."""
    services = bastao.services
    watch = Watch(services.purse.cost if services.purse else lambda _: Decimal(0))
    changed = replace(services, models=WatchedModels(services.models, watch), spares=())
    return replace(bastao, services=changed), watch


@dataclass(slots=True)
class Purse:
    """Ends a run before the trial that may not be paid for any more: judged by the dearest so far."""

    most_usd: Decimal
    tally: Tally
    dearest: Decimal = field(default=Decimal(0))
    _before: Decimal = field(default=Decimal(0))

    def empty(self) -> bool:
        """Tell, before a trial, whether it may cost too much."""
        self.dearest = max(self.dearest, self.tally.cost_usd - self._before)
        self._before = self.tally.cost_usd
        return self.tally.cost_usd + self.dearest > self.most_usd or self.tally.cost_usd >= self.most_usd
