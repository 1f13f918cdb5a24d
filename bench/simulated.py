"""Simulated providers that answer at once, over real sockets: what a load meets is then Bastão's own work, not the stand-in's.

python -m bench.simulated PORT
"""

import sys
from collections.abc import Mapping
from typing import ClassVar

from langchain_core.decisions import Choice, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.decisions.types import ChoiceAnswer

from bench.customer import wanted
from bench.model import InstantModel
from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.question import build_question
from settings import load_environment, load_settings, roster_of
from stubs.app import create_app
from stubs.serve import serve_forever
from stubs.specialists import chat_by_prompt


class InstantDecisions(DecisionProvider):
    """Decides as the bench's scripted decider does, whatever the message's state looks like."""

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    model: str = "instant"

    @property
    def _provider(self) -> str:
        return "instant"

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        top = wanted(str(state.get("message", "")) if isinstance(state, Mapping) else str(state))
        answers = {name: _answer(question, top) for name, question in questions.items()}
        return DecisionResponse(
            model=self.model, answers=dict(answers), provider=self.flag, latency_ms=0.0, calibrated=True
        )


def _answer(question: WireQuestion, top: str) -> ChoiceAnswer:
    if not isinstance(question, Choice) or top not in question.criteria:
        raise ProviderError("ours", "the bench asks who speaks")
    options = tuple(question.criteria)
    shares = {option: 0.96 if option == top else 0.04 / (len(options) - 1) for option in options}
    return ChoiceAnswer(type="choice", choice=top, probabilities=shares, confidence=shares[top])


def main() -> None:
    roster = roster_of(load_settings(load_environment()))
    chats = {spec.id: InstantModel(agent=spec.id) for spec in roster.specs}
    prompts = {spec.id: roster.prompt(spec.id) for spec in roster.specs}
    question = build_question([(spec.id, spec.role) for spec in roster.specs])
    app = create_app(decider=InstantDecisions(), chat=chat_by_prompt(prompts, chats), question=question)
    serve_forever(app, host="127.0.0.1", port=int(sys.argv[1]))


if __name__ == "__main__":
    main()
