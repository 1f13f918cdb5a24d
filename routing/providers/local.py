"""`local`: the embedded default. A sentence encoder from a wheel and a classifier over the roster's examples, in process."""

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from langchain_core.decisions import Choice, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.decisions.types import ChoiceAnswer
from langchain_core.messages import BaseMessage
from pydantic import PrivateAttr

from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.providers.local_cache import Built, load_or_train
from routing.providers.local_encoder import Encoder, SentenceEncoder
from routing.providers.local_examples import BadExamples, away_from, load_examples
from routing.providers.local_turn import Turn, turn_of
from routing.providers.model_cache import Alone
from routing.providers.wire import CURRENT, LAST_AGENT, LAST_CUSTOMER, MESSAGE, PENDING


class LocalProvider(DecisionProvider):
    """Answers from examples: it knows the options that have some, and reads no role sentence.

    Loaded or trained at the first question, or by `warm_up`; training takes two to four minutes of one core and 2 GB,
    loading one second and 300 MB. Free, offline, and the same answer for the same question. With `alone`, processes that
    share `cache_dir` train it once. `held_out` are an evaluation's messages: examples that come close
    to one of them are not learned from, and `removed` counts them.
    """

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    reads_roles: ClassVar[bool] = False

    model: str = "local"
    examples_dir: Path
    further_examples: tuple[Path, ...] = ()
    cache_dir: Path | None = None
    alone: Alone | None = None
    held_out: tuple[str, ...] = ()
    encoder: Any = None

    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _built: Built | None = PrivateAttr(default=None)
    _removed: int = PrivateAttr(default=0)
    _encoder: Encoder = PrivateAttr(default_factory=SentenceEncoder)

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        if self.encoder is not None:
            self._encoder = self.encoder

    @property
    def _provider(self) -> str:
        return "local"

    def warm_up(self) -> str:
        """Load or train the model now and return its build. Raises `ProviderError` for examples that teach nothing."""
        return self._ready().build

    @property
    def removed(self) -> int:
        """Return how many examples were left out for being close to a held-out message; known after `warm_up`."""
        return self._removed

    def _ready(self) -> Built:
        with self._lock:
            if self._built is None:
                from routing.providers.local_training import train

                try:
                    examples = load_examples(self.examples_dir, self.further_examples)
                except (OSError, BadExamples) as error:
                    raise ProviderError("ours", f"examples: {type(error).__name__}") from error
                learned = away_from(examples, self.held_out, self._encoder)
                self._removed = len(examples) - len(learned)
                self._built = load_or_train(
                    learned, encoder=self._encoder, cache_dir=self.cache_dir, train=train, alone=self.alone
                )
                self._encoder.embed(["oi"])
            return self._built

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        built = self._ready()
        started = time.perf_counter()
        turn = _turn(state)
        known: dict[str, float] | None = None
        answers: dict[str, ChoiceAnswer] = {}
        for name, question in questions.items():
            if not isinstance(question, Choice):
                raise ProviderError("ours", f"local answers choices, not {question.type}")
            missing = [option for option in question.criteria if option not in built.model.options]
            if missing:
                raise ProviderError("ours", f"no examples for {', '.join(missing)}")
            if known is None:
                known = built.model.probabilities(turn, self._encoder)
            answers[name] = _answer(known, tuple(question.criteria))
        took_ms = (time.perf_counter() - started) * 1000
        return DecisionResponse(
            model=built.build, answers=dict(answers), provider=self.flag, latency_ms=took_ms, calibrated=True
        )


def _turn(state: State) -> Turn:
    """Read the state that `to_request` builds; a bare text or message is a message without context."""
    if isinstance(state, str):
        return turn_of(state)
    if isinstance(state, BaseMessage):
        return turn_of(state.text)
    if not isinstance(state, Mapping) or not isinstance(state.get(MESSAGE), str):
        raise ProviderError("ours", "local reads a text or a state with a message")
    parts = {name: value for name, value in state.items() if isinstance(value, str)}
    return turn_of(
        parts[MESSAGE],
        current=parts.get(CURRENT),
        last_customer=parts.get(LAST_CUSTOMER),
        last_agent=parts.get(LAST_AGENT),
        pending=parts.get(PENDING),
    )


def _answer(known: Mapping[str, float], options: tuple[str, ...]) -> ChoiceAnswer:
    """Restrict what is known to the options that were asked for."""
    total = sum(known[option] for option in options)
    shares = {option: known[option] / total if total > 0 else 1 / len(options) for option in options}
    top = max(options, key=lambda option: shares[option])
    return ChoiceAnswer(type="choice", choice=top, probabilities=shares, confidence=shares[top])
