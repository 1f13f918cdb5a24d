"""What every decision provider is: a langchain-core decision model whose answer says who gave it and what it cost."""

from abc import ABC
from typing import ClassVar

from langchain_core.decisions import BaseDecisionModel, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import run_in_executor
from pydantic import ConfigDict

from routing.decision import Answer, Exchange, Question
from routing.providers.calibration import CalibrationFile
from routing.providers.errors import ErrorKind, ProviderError
from routing.providers.wire import DecisionResponse, from_response, to_request

__all__ = ["DecisionProvider", "DecisionResponse", "ErrorKind", "ProviderError", "ask"]


class DecisionProvider(BaseDecisionModel, ABC):
    """A provider. Subclasses implement `_provider` and `_classify` and, if they wait for a network, `_aclassify`.

    These return a `DecisionResponse` and raise `ProviderError`. `paid` says that a call costs money; `remote` that the
    request leaves the process (placeholders are put in, the deadline is shared out); `extras` that the provider answers
    the side questions too; `reads_roles` that it can choose between options that it has never seen, by their role sentences.
    `max_cost_usd` is what is reserved before a call.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    paid: ClassVar[bool] = True
    remote: ClassVar[bool] = True
    extras: ClassVar[bool] = False
    reads_roles: ClassVar[bool] = True

    calibration: CalibrationFile | None = None
    max_cost_usd: float = 0.0

    @property
    def flag(self) -> str:
        """Return the name under which the provider is chosen and shown in hops."""
        return self._provider

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        raise NotImplementedError

    async def _aclassify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        return await run_in_executor(None, self._classify, state, questions)


async def ask(provider: DecisionProvider, message: str, *, exchange: Exchange, question: Question) -> Answer:
    """Ask one provider and return its validated answer. Raises `ProviderError`.

    The run is tagged `nostream`: nothing that a classifier produces may reach the customer's stream.
    """
    request = to_request(message, exchange=exchange, question=question, remote=provider.remote, extras=provider.extras)
    response = await provider.ainvoke(request, config=RunnableConfig(tags=["nostream"], run_name="decision"))
    if not isinstance(response, DecisionResponse):
        raise ProviderError("garbage", "not a DecisionResponse")
    return from_response(response, question=question, calibration=provider.calibration)
