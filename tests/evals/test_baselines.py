"""Baselines answer as every provider does, and a certain one is found out."""

import asyncio
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from evals.baselines import BASELINES, Constant, NGrams, WithoutContext, alone, baseline_decider, keywords_of
from evals.floors import Bounds
from evals.router import Desk, play
from evals.router_cases import RouterCase
from evals.router_figures import figures
from evals.router_memo import Remembered
from routing.addressing import Member
from routing.decision import Answer, Exchange, Thresholds
from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError, ask
from routing.providers.registry import ProviderSettings
from routing.question import build_question
from tests.graph.conftest import ROSTER

QUESTION = build_question([(spec.id, spec.role) for spec in ROSTER.specs])
SAID = {
    "returns": ["quero trocar o tênis", "quero devolver a blusa", "trocar a camisa", "devolver o sapato"],
    "support": ["cadê meu pedido", "meu pedido atrasou", "onde está o pedido", "rastrear o pedido"],
    "billing": ["me cobraram duas vezes", "o boleto venceu", "segunda via do boleto", "cobraram a mais"],
    "out_of_scope": ["tem vaga de emprego", "qual o preço da loja", "conta uma piada", "vaga na loja"],
    "needs_question": ["preciso de ajuda", "deu problema", "ajuda", "tenho um problema"],
}


def asked(provider: DecisionProvider, message: str, **exchange: Any) -> Answer:
    return asyncio.run(ask(provider, message, exchange=Exchange(**exchange), question=QUESTION))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    for option, texts in SAID.items():
        (folder / f"{option}.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts), "utf-8")
    return folder


def test_rules_follow_their_words_and_know_every_option_of_the_roster() -> None:
    rules = keywords_of()
    assert set(rules.words) == set(QUESTION.ids)
    found = asked(rules, "O BOLETO venceu!").probabilities
    assert max(found, key=lambda option: found[option]) == "billing"
    assert found["billing"] > 0.8
    two = asked(rules, "boleto e rastreio").probabilities
    assert two["billing"] == pytest.approx(two["support"])
    assert set(asked(rules, "hm").probabilities.values()) == {0.2}
    assert asked(rules, "boletos").probabilities["billing"] == 0.2, "a part of a word is no word"


def test_ngrams_learn_from_the_examples_alone(examples: Path) -> None:
    learned = NGrams(examples_dir=examples)
    for option, texts in SAID.items():
        found = asked(learned, texts[0].upper()).probabilities
        assert max(found, key=lambda each: found[each]) == option
    with pytest.raises(ProviderError, match="no examples for elsewhere"):
        learned.weigh("oi", ("returns", "elsewhere"))


class Recording(DecisionProvider):
    model: str = "recording"
    seen: list[Any]

    @property
    def _provider(self) -> str:
        return "recording"

    def _classify(self, state: Any, questions: Any) -> DecisionResponse:
        self.seen.append(state)
        return Constant()._classify("x", questions).model_copy(update={"model": "served"})


def test_without_context_only_the_message_is_shown() -> None:
    inner = Recording(seen=[])
    answer = asked(WithoutContext(known_as="bare", inner=inner), "e o outro?", last_agent="Qual?", current_agent="billing")  # fmt: skip
    assert inner.seen == [{"message": "e o outro?"}]
    assert (answer.provider, answer.model) == ("bare", "served")


def test_what_is_remembered_is_asked_once_per_state() -> None:
    inner = Recording(seen=[])
    remembered = Remembered(inner=inner)
    for message in ("a", "a", "b"):
        asked(remembered, message, current_agent="billing")
    asked(remembered, "a")
    assert [state["message"] for state in inner.seen] == ["a", "b", "a"]


async def test_a_constant_certainty_fails_the_calibration_report() -> None:
    cases = [
        RouterCase(id=f"{option}-{n}", kind="opening", message=text, expected=option)
        for option, texts in SAID.items()
        if option in ROSTER.ids
        for n, text in enumerate(texts)
    ]
    ticks = count()
    desk = Desk(
        decider=baseline_decider("constant", ProviderSettings(examples_dir=Path()), clock=lambda: 0.0),
        members=tuple(Member(spec.id, names=(), aliases=()) for spec in ROSTER.specs),
        roles=tuple((spec.id, spec.role) for spec in ROSTER.specs), thresholds=lambda provider: Thresholds(), clock=lambda: next(ticks),
    )  # fmt: skip
    found = figures(await play(cases, desk))
    bounds = Bounds(at_most={"calibration_error": 0.08})
    assert found["calibration_error"] == pytest.approx(0.95 - 1 / 3, abs=1e-3)
    assert bounds.believable(found) is False
    assert bounds.missed(found) == ["calibration_error is 0.6167, the ceiling is 0.08"]


def test_a_baseline_is_built_by_its_flag_and_no_other() -> None:
    built = baseline_decider("keywords", ProviderSettings(examples_dir=Path()), clock=lambda: 0.0)
    assert [provider.flag for provider in built.providers] == ["keywords"]
    with pytest.raises(KeyError):
        baseline_decider("magic", ProviderSettings(examples_dir=Path()), clock=lambda: 0.0)
    assert {"local-no-context", "ngrams", "keywords", "constant"} == set(BASELINES)
    assert alone(Constant(), clock=lambda: 0.0).providers[0].flag == "constant"
