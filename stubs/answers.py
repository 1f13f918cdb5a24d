"""What a simulated decision model thinks: the local model where the question is its own, shared words where it is not."""

import json
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.decisions import Choice, ClassifierRequest

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, Exchange, Question
from routing.people_words import asks_person
from routing.providers.base import DecisionProvider, ProviderError
from routing.providers.wire import ASKS_PERSON, CONTINUES, CURRENT, IS_REQUEST, MESSAGE, UPSET, to_request
from routing.text import words
from stubs.faults import Fault

Json = dict[str, Any]

_SHORTEST_WORD = 4
_ANGRY = {
    "absurdo",
    "palhacada",
    "vergonha",
    "lixo",
    "procon",
    "ridiculo",
    "pessimo",
    "odio",
    "raiva",
    "angry",
    "ridiculous",
}
_DRIFT = 0.06  # the most that MSD1 was seen to move between two identical calls


class Answers:
    """Answers questions one by one: neither an id, nor an order, nor the other questions change an answer.

    `decider` is asked where it knows the options; `question` is the roster's, for the side questions that follow from it.
    """

    def __init__(self, decider: DecisionProvider, *, question: Question | None = None, seed: int = 0) -> None:
        self._decider = decider
        self._random = random.Random(seed)
        self._roster = question
        asked = to_request("", exchange=Exchange(), question=question or _NO_QUESTION, remote=False, extras=True)
        self._side = {q.instructions: n for n, q in asked["questions"].items() if isinstance(q.instructions, str)}

    async def choice(self, state: object, question: Json) -> dict[str, float]:
        """Return a distribution over the options of a choice question, in their order."""
        criteria = cast(Json, question["criteria"])
        known = await self._decided(state, question)
        if known is not None:
            return known
        return _softmax(
            {option: _overlap(state, question.get("instructions"), option, text) for option, text in criteria.items()}
        )

    async def noul(self, state: object, question: Json) -> float:
        """Return the probability of yes."""
        known = await self._known_noul(state, question)
        if known is not None:
            return known
        yes = _overlap(state, question.get("instructions"), question.get("criteria"))
        return 1 / (1 + math.exp(2.0 - yes))

    async def score(self, state: object, question: Json) -> list[float]:
        """Return a distribution over the levels."""
        levels = cast(list[object], question["criteria"])
        if self._side.get(_text(question.get("instructions"))) == UPSET:
            upset = min(len(_ANGRY & set(words(_message(state)))), len(levels) - 1)
            return [0.8 if level == upset else 0.2 / max(len(levels) - 1, 1) for level in range(len(levels))]
        found = _softmax({str(i): _overlap(state, text) - 0.5 * i for i, text in enumerate(levels)})
        return list(found.values())

    def distorted(self, probabilities: Mapping[str, float], fault: Fault | None) -> tuple[str, Json | None]:
        """Return the winner and the probabilities as the fault has them sent; None: no probabilities."""
        sent: Json = dict(probabilities)
        ranked = sorted(probabilities, key=lambda option: -probabilities[option])
        winner, last = ranked[0], ranked[-1]
        match fault.kind if fault else None:
            case "drift":
                moved = {option: max(p + self._random.uniform(-_DRIFT, _DRIFT), 0.0) for option, p in sent.items()}
                total = sum(moved.values()) or 1.0
                sent = {option: p / total for option, p in moved.items()}
                winner = max(sent, key=lambda option: sent[option])
            case "rounded":
                sent = {option: round(p, 2) for option, p in sent.items()}
            case "unknown_label":
                sent["surprise"] = sent.pop(last)
            case "over_one":
                sent[winner] = 1.7
            case "not_a_number":
                sent[winner] = "0.9"
            case "no_probabilities":
                return winner, None
            case "low_sum":
                sent = {option: p * 0.6 for option, p in sent.items()}
            case "wrong_winner":
                sent = {option: 0.9 if option == winner else 0.1 / max(len(sent) - 1, 1) for option in sent}
                winner = last
            case "missing_option":
                del sent[last]
            case _:
                pass
        return winner, sent

    async def _decided(self, state: object, question: Json) -> dict[str, float] | None:
        """Ask the decider. None where it has no answer: other options, or a state without a message."""
        criteria = cast(Json, question["criteria"])
        if not isinstance(state, Mapping) or MESSAGE not in state or len(criteria) < 2:
            return None
        asked = Choice(instructions=_text(question.get("instructions")), criteria=criteria)
        try:
            response = await self._decider.ainvoke(ClassifierRequest(state=cast(Json, state), questions={"q": asked}))
        except ProviderError:
            return None
        answer = response.choices.get("q")
        return None if answer is None else {option: answer.probabilities.get(option, 0.0) for option in criteria}

    async def _known_noul(self, state: object, question: Json) -> float | None:
        name = self._side.get(_text(question.get("instructions")))
        if name == ASKS_PERSON:
            return 0.97 if asks_person(_message(state)) else 0.02
        if name not in (IS_REQUEST, CONTINUES) or self._roster is None:
            return None
        criteria = {option.id: option.role for option in self._roster.options}
        known = await self._decided(state, {"instructions": self._roster.instructions, "criteria": criteria})
        if known is None:
            return None
        if name == IS_REQUEST:
            return 1.0 - known.get(OUT_OF_SCOPE, 0.0)
        current = state.get(CURRENT) if isinstance(state, Mapping) else None
        return known.get(str(current), 0.5) + known.get(NEEDS_QUESTION, 0.0) / 2 if current in known else 0.5


_NO_QUESTION = Question(instructions="", options=())


def confidence_of(probabilities: Sequence[float]) -> float:
    """Return the confidence as the real models define it: (p_max - 1/n) / (1 - 1/n)."""
    n = len(probabilities)
    return 1.0 if n <= 1 else min(max((max(probabilities) - 1 / n) / (1 - 1 / n), 0.0), 1.0)


def score_confidence_of(probabilities: Sequence[float]) -> float:
    """Return 1 minus the mean distance from the mode, relative to that of even odds."""
    n = len(probabilities)
    if n <= 1:
        return 1.0
    mode = max(range(n), key=lambda i: probabilities[i])
    even = sum(abs(i - (n - 1) / 2) for i in range(n)) / n
    return max(0.0, 1 - sum(p * abs(i - mode) for i, p in enumerate(probabilities)) / even)


def _overlap(state: object, *texts: object) -> float:
    """Return a logit from shared words: 0 for none, growing with their number, less for long descriptions."""
    said = {word for word in words(_text(state)) if len(word) >= _SHORTEST_WORD}
    offered = {word for text in texts for word in words(_text(text)) if len(word) >= _SHORTEST_WORD}
    return 4.0 * len(said & offered) / math.sqrt(len(offered) + 1)


def _softmax(logits: Mapping[str, float]) -> dict[str, float]:
    top = max(logits.values())
    powers = {option: math.exp(value - top) for option, value in logits.items()}
    total = sum(powers.values())
    return {option: value / total for option, value in powers.items()}


def _message(state: object) -> str:
    return _text(cast(Json, state).get(MESSAGE)) if isinstance(state, Mapping) else _text(state)


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
