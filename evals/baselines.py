"""What a router has to beat: cheap ways to decide, as decision providers of the same contract."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from langchain_core.decisions import Choice, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.decisions.types import ChoiceAnswer
from pydantic import PrivateAttr

from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from routing.providers.local_examples import load_examples
from routing.providers.registry import Build, ProviderSettings
from routing.providers.registry import build_providers as build
from routing.providers.wire import MESSAGE
from routing.text import fold, normalise

KEYWORDS = Path(__file__).parent / "cases" / "baselines" / "keywords.json"
NO_CONTEXT = "-no-context"
CERTAIN = 0.95
_UNSEEN = 0.05  # of a hit, for each option without one: a rule that fires alone is about 0.84 sure of five options
_SEED = 7
_DEADLINE_S = 60.0


class Baseline(DecisionProvider):
    """A provider that runs in process, for nothing, and reads one text."""

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    reads_roles: ClassVar[bool] = False

    known_as: str
    model: str = "baseline"

    @property
    def _provider(self) -> str:
        return self.known_as

    def weigh(self, message: str, options: Sequence[str]) -> Mapping[str, float]:
        """Return a share for each option, summing to 1."""
        raise NotImplementedError

    def warm_up(self) -> str:
        """Make ready what is slow to make; the first decision must not pay for it."""
        return self.model

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        text, answers = message_of(state), dict[str, Any]()
        for name, question in questions.items():
            if not isinstance(question, Choice):
                raise ProviderError("ours", f"a baseline answers choices, not {question.type}")
            shares = dict(self.weigh(text, tuple(question.criteria)))
            top = max(shares, key=lambda option: shares[option])
            answers[name] = ChoiceAnswer(type="choice", choice=top, probabilities=shares, confidence=shares[top])
        return DecisionResponse(model=self.model, answers=answers, provider=self.flag)


class Keywords(Baseline):
    """Rules as people write them first: an option weighs as much as its words occur in the message."""

    known_as: str = "keywords"
    model: str = "word lists"
    words: Mapping[str, tuple[str, ...]]

    def weigh(self, message: str, options: Sequence[str]) -> Mapping[str, float]:
        said = f" {normalise(message)} "
        hits = {option: sum(f" {word} " in said for word in self.words.get(option, ())) for option in options}
        total = sum(hits.values()) + _UNSEEN * len(options)
        return {option: (count + _UNSEEN) / total for option, count in hits.items()}


class NGrams(Baseline):
    """Logistic regression over letters' and words' n-grams, learned from the roster's examples without their context."""

    known_as: str = "ngrams"
    model: str = "n-grams, logistic regression"
    examples_dir: Path
    further_examples: tuple[Path, ...] = ()

    _pipeline: Any = PrivateAttr(default=None)

    def warm_up(self) -> str:
        if self._pipeline is None:
            examples = load_examples(self.examples_dir, self.further_examples)
            self._pipeline = _learned([e.text for e in examples], [e.label for e in examples])
        return self.model

    def weigh(self, message: str, options: Sequence[str]) -> Mapping[str, float]:
        self.warm_up()
        known = dict(zip(self._pipeline.classes_, self._pipeline.predict_proba([message])[0].tolist(), strict=True))
        if missing := [option for option in options if option not in known]:
            raise ProviderError("ours", f"no examples for {', '.join(missing)}")
        total = sum(known[option] for option in options)
        return {option: known[option] / total for option in options}


class Constant(Baseline):
    """Always the first option, always as sure: right by luck, and never as often as it says."""

    known_as: str = "constant"
    model: str = "always 0.95"
    certainty: float = CERTAIN

    def weigh(self, message: str, options: Sequence[str]) -> Mapping[str, float]:
        rest = (1.0 - self.certainty) / max(len(options) - 1, 1)
        return {option: rest if place else self.certainty for place, option in enumerate(options)}


class WithoutContext(Baseline):
    """Another provider that is shown the message alone: no exchange, no current specialist, no open question."""

    inner: DecisionProvider

    def warm_up(self) -> str:
        warm: Callable[[], str] | None = getattr(self.inner, "warm_up", None)
        return self.model if warm is None else warm()

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        found = self.inner._classify({MESSAGE: message_of(state)}, questions)  # pyright: ignore[reportPrivateUsage]
        return found.model_copy(update={"provider": self.flag})


def message_of(state: State) -> str:
    """Return the current message of what a provider is sent. Raises `ProviderError` for a state without one."""
    message = state.get(MESSAGE) if isinstance(state, Mapping) else state
    if not isinstance(message, str):
        raise ProviderError("ours", "a baseline reads a text or a state with a message")
    return message


def keywords_of(path: Path = KEYWORDS) -> Keywords:
    """Read the rules: option → words, folded. Raises OSError and ValueError."""
    raw: dict[str, list[str]] = json.loads(path.read_text("utf-8"))
    return Keywords(words={option: tuple(normalise(word) for word in words) for option, words in raw.items()})


BASELINES: Mapping[str, Build] = {
    "keywords": lambda settings: keywords_of(),
    "ngrams": lambda settings: NGrams(
        examples_dir=settings.examples_dir, further_examples=settings.further_examples
    ),
    f"local{NO_CONTEXT}": lambda settings: WithoutContext(
        known_as=f"local{NO_CONTEXT}", inner=build("local", settings)[0]
    ),
    "constant": lambda settings: Constant(),
}  # fmt: skip


def baseline_decider(flag: str, settings: ProviderSettings, *, clock: Callable[[], float]) -> ChainDecider:
    """Return a baseline as a decision layer. Raises KeyError for a flag that names none."""
    return alone(BASELINES[flag](settings), clock=clock)


def alone(provider: DecisionProvider, *, clock: Callable[[], float]) -> ChainDecider:
    """Return a chain of one provider of this process."""
    return ChainDecider([provider], deadline_s=_DEADLINE_S, clock=clock, breakers=Breakers(clock=clock))


def _learned(texts: Sequence[str], labels: Sequence[str]) -> Any:
    # scikit-learn ships no types
    from sklearn.feature_extraction.text import TfidfVectorizer  # pyright: ignore[reportMissingTypeStubs]
    from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
    from sklearn.pipeline import FeatureUnion, Pipeline  # pyright: ignore[reportMissingTypeStubs]

    pieces = TfidfVectorizer(preprocessor=fold, analyzer="char_wb", ngram_range=(3, 4), min_df=3, sublinear_tf=True)
    phrases = TfidfVectorizer(preprocessor=fold, analyzer="word", ngram_range=(1, 2), min_df=1, sublinear_tf=True)
    logistic = LogisticRegression(C=10.0, max_iter=300, tol=1e-3, random_state=_SEED)
    both: Any = Pipeline([("grams", FeatureUnion([("pieces", pieces), ("phrases", phrases)])), ("logistic", logistic)])
    return both.fit(texts, labels)
