"""A provider that answers the same question once: simulated ones ask the embedded model thrice a decision."""

import json
from collections.abc import Callable, Mapping
from typing import ClassVar

from langchain_core.decisions import Choice, State
from langchain_core.decisions import Question as WireQuestion
from pydantic import PrivateAttr

from evals.baselines import alone
from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.providers.chain import ChainDecider


class Remembered(DecisionProvider):
    """Another provider of this process, whose answers are kept by state and options for as long as this one lives."""

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    reads_roles: ClassVar[bool] = False

    model: str = "remembered"
    inner: DecisionProvider

    _known: dict[str, DecisionResponse] = PrivateAttr(default_factory=dict[str, DecisionResponse])

    @property
    def _provider(self) -> str:
        return self.inner.flag

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        if not isinstance(state, Mapping):
            raise ProviderError("ours", "a state is remembered by its parts")
        options = {name: list(q.criteria) for name, q in questions.items() if isinstance(q, Choice)}
        key = json.dumps([dict(state), options], sort_keys=True, default=str)
        if key not in self._known:
            self._known[key] = self.inner._classify(state, questions)  # pyright: ignore[reportPrivateUsage]
        return self._known[key]


def remembering(decider: ChainDecider, *, clock: Callable[[], float]) -> ChainDecider:
    """Return a chain of one, the first of the given, whose answers are remembered."""
    return alone(Remembered(inner=decider.providers[0]), clock=clock)
