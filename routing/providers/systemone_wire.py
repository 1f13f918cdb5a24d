"""The System One wire format: what OpenRouter's decisions, TypeSafe, Microsoft Foundry and compatible servers speak.

Request: model, state, questions by id. Answer: model, answers by id, usage. Recorded in 2026-10 from the SDKs and servers.
"""

import math
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.decisions import (
    Answer,
    Box,
    Choice,
    ChoiceAnswer,
    Noul,
    NoulAnswer,
    Question,
    Score,
    ScoreAnswer,
    State,
)
from langchain_core.messages import BaseMessage, UsageMetadata
from pydantic import JsonValue

from routing.budget import Price
from routing.providers.errors import ProviderError
from routing.providers.wire import DecisionResponse

Json = dict[str, Any]


def to_body(model: str, state: State, questions: Mapping[str, Question]) -> Json:
    """Return the request's body. Raises `ProviderError("ours", …)` for what the format has no place for."""
    return {"model": model, "state": plain(state), "questions": {name: _question(q) for name, q in questions.items()}}


def plain(state: object) -> JsonValue:
    """Return a state as JSON. Messages are refused: what a provider may read is decided before this point."""
    match state:
        case None | str() | bool() | int() | float():
            return state
        case BaseMessage():
            raise ProviderError("ours", "a message in the state")
        case Mapping():
            return {str(name): plain(value) for name, value in cast(Mapping[object, object], state).items()}
        case list() | tuple():
            return [plain(value) for value in cast(list[object], state)]
        case _:
            raise ProviderError("ours", "the state is not JSON")


def to_response(
    data: Json, *, provider: str, questions: Mapping[str, Question], price: Price | None, unknown_cost_usd: float
) -> DecisionResponse:
    """Read an answer. What was not asked and types that we do not know are passed over.

    `unknown_cost_usd` is counted when the answer names neither cost nor tokens. Raises `ProviderError("garbage", …)`.
    """
    usage = usage_of(data.get("usage"))
    cost = cost_of(data.get("usage"), tokens=usage, price=price, unknown_usd=unknown_cost_usd)
    model, given = data.get("model"), data.get("answers")
    if not isinstance(model, str) or not model or not isinstance(given, dict):
        raise ProviderError("garbage", "no model or no answers", cost_usd=cost)
    answers: dict[str, Answer] = {}
    refused: str | None = None
    for name, question in questions.items():
        answer = cast(Json, given).get(name)
        if not isinstance(answer, dict):
            continue
        fields = cast(Json, answer)
        if fields.get("type") == "refusal":
            refused = "refusal" if isinstance(question, Choice) else refused
            continue
        read = _answer(question, fields, cost)
        if read is not None:
            answers[name] = read
    request_id = data.get("id")
    return DecisionResponse(
        provider=provider,
        model=model,
        answers=answers,
        usage=usage,
        cost_usd=cost,
        refused=refused,
        request_id=request_id if isinstance(request_id, str) else None,
    )


def usage_of(usage: object) -> UsageMetadata | None:
    """Return the tokens of a `usage` object; a count that is no count is 0."""
    if not isinstance(usage, dict):
        return None
    given = cast(Json, usage)
    tokens_in, tokens_out = _count(given.get("input_tokens")), _count(given.get("output_tokens"))
    return UsageMetadata(input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out)


def cost_of(usage: object, *, tokens: UsageMetadata | None, price: Price | None, unknown_usd: float) -> float:
    """Return what a call cost in US$: the server's own figure, else its tokens at our price, else `unknown_usd`."""
    if isinstance(usage, dict):
        billed = number(cast(Json, usage).get("cost"))
        if billed is not None and billed >= 0:
            return billed
    if tokens is None or price is None:
        return unknown_usd
    return float(price.cost(input_tokens=tokens["input_tokens"], output_tokens=tokens["output_tokens"]))


def _question(question: Question) -> Json:
    if isinstance(question, Box):
        raise ProviderError("ours", "images are not sent")
    body = cast(Json, question.model_dump(mode="json"))
    if isinstance(question, Noul):
        criteria = question.criteria
        sides = {} if criteria is None else {k: v for k, v in criteria.model_dump().items() if v is not None}
        body["criteria"] = sides or None
    return {name: value for name, value in body.items() if value is not None}


def _answer(question: Question, fields: Json, cost: float) -> Answer | None:
    """Read one answer. A choice of the wrong shape is garbage; a side question of the wrong shape is one not answered."""
    if isinstance(question, Choice):
        return _choice(fields, cost)
    if fields.get("type") != question.type:
        return None
    match question:
        case Noul():
            noul = number(fields.get("noul"))
            return None if noul is None or not 0.0 <= noul <= 1.0 else NoulAnswer(type="noul", noul=noul)
        case Score():
            score = number(fields.get("score"))
            if score is None:
                return None
            return ScoreAnswer(
                type="score", score=score, legend=dict(enumerate(question.criteria)), probabilities={}, confidence=0.0
            )
        case _:
            return None


def _choice(fields: Json, cost: float) -> ChoiceAnswer:
    """Keep the distribution as it came: whether it is one is judged against the question, in one place for all."""
    choice, probabilities = fields.get("choice"), fields.get("probabilities")
    if fields.get("type") != "choice" or not isinstance(choice, str):
        raise ProviderError("garbage", "not a choice", cost_usd=cost)
    if not isinstance(probabilities, dict):
        raise ProviderError("garbage", "missing_probabilities", cost_usd=cost)
    return choice_answer(choice, cast(Json, probabilities), cost=cost)


def choice_answer(choice: str, probabilities: Mapping[str, object], *, cost: float) -> ChoiceAnswer:
    """Return the answer with its numbers. Raises `ProviderError("garbage", "not_a_number")`."""
    numbers: dict[str, float] = {}
    for option, value in probabilities.items():
        read = number(value)
        if read is None:
            raise ProviderError("garbage", "not_a_number", cost_usd=cost)
        numbers[option] = read
    top = max(numbers.values(), default=0.0)
    return ChoiceAnswer(type="choice", choice=choice, probabilities=numbers, confidence=min(max(top, 0.0), 1.0))


def number(value: object) -> float | None:
    """Return a JSON number, None for anything else: booleans and strings are no probabilities."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if math.isfinite(as_float) else None


def _count(value: object) -> int:
    read = number(value)
    return int(read) if read is not None and read > 0 else 0
