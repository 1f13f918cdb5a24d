"""A decision provider that plays a script, and a clock that only moves when told to."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from langchain_core.decisions import Question as WireQuestion
from langchain_core.decisions import State
from langchain_core.decisions.types import ChoiceAnswer
from pydantic import Field

from routing.decision import Exchange, Option, Question
from routing.providers.base import DecisionProvider, DecisionResponse

QUESTION = Question(
    instructions="Quem atende?",
    options=tuple(
        Option(id=name, role=f"cuida de {name}") for name in ("returns", "billing", "out_of_scope", "needs_question")
    ),
)
NOTHING = Exchange()


class Clock:
    """Monotonic seconds under the test's control."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


def probabilities(top: str = "billing", p: float = 0.9) -> dict[str, float]:
    rest = (1 - p) / (len(QUESTION.ids) - 1)
    return {option: p if option == top else rest for option in QUESTION.ids}


class Scripted(DecisionProvider):
    """Plays its steps in order; each is a response's fields, an exception, a coroutine function, or a plain function.

    Fails the test when it is asked more often than it has steps. `asked` keeps the states.
    """

    model: str = "scripted-1"
    called: str
    steps: list[Any] = Field(default_factory=list)
    asked: list[Any] = Field(default_factory=list)

    @property
    def _provider(self) -> str:
        return self.called

    async def _aclassify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        self.asked.append(state)
        if not self.steps:
            raise AssertionError(f"{self.called} was asked once too often")
        step: Any = self.steps.pop(0)
        if isinstance(step, BaseException):
            raise step
        if callable(step):
            step = step()
        if asyncio.iscoroutine(step):
            step = await step
        return step if isinstance(step, DecisionResponse) else answering(self.called, **step)


class Free(Scripted):
    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False


def answering(
    provider: str,
    given: dict[str, Any] | None = None,
    *,
    choice: str | None = None,
    cost_usd: float = 0.0,
    refused: str | None = None,
    latency_ms: float = 0.0,
) -> DecisionResponse:
    """Build a response as a provider would that trusts its server: nothing is checked."""
    shares = probabilities() if given is None else given
    top = choice or (max(shares, key=lambda option: shares[option]) if shares else "billing")
    answer = ChoiceAnswer.model_construct(type="choice", choice=top, probabilities=shares, confidence=0.5)
    return DecisionResponse.model_construct(
        model="scripted-1",
        answers={} if refused else {"route": answer},
        provider=provider,
        cost_usd=cost_usd,
        refused=refused,
        latency_ms=latency_ms,
        calibrated=False,
        hops=(),
        usage=None,
        request_id=None,
    )


def after(clock: Clock, seconds: float, step: Any) -> Callable[[], Any]:
    """Return a step that takes `seconds` of the clock and then does what `step` says."""

    def play() -> Any:
        clock.pass_s(seconds)
        if isinstance(step, BaseException):
            raise step
        return step

    return play
