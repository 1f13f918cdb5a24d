"""OpenAI's Decisions API: `POST /v1/decisions`, in beta since 2026-10. Lists instead of maps, and a refusal per question."""

import json
from typing import Any, cast

from langchain_core.decisions import Choice, Noul, Question, Score, State

from routing.budget import Price
from routing.providers.base import DecisionResponse
from routing.providers.errors import ProviderError
from routing.providers.http_json import JsonHttp, secret_header
from routing.providers.remote import Json, RemoteProvider, join
from routing.providers.systemone_wire import plain, to_response

BASE_URL = "https://api.openai.com"
PATH = "/v1/decisions"
MODEL = "gpt-6-luna"


class OpenAIDecisions(RemoteProvider):
    """OpenAI's decision model. It echoes an alias as its model, so a silent upgrade does not show."""

    def body(self, state: State, questions: dict[str, Question]) -> Json:
        given = plain(state)
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        return {"model": self.model, "input": text, "questions": [_question(n, q) for n, q in questions.items()]}

    def read(self, data: Json, questions: dict[str, Question]) -> DecisionResponse:
        return to_response(
            {**data, "answers": _answers(data.get("answers"))},
            provider=self.known_as,
            questions=questions,
            price=self.price,
            unknown_cost_usd=self.max_cost_usd,
        )


def openai_decisions(
    known_as: str,
    *,
    key: str,
    model: str = MODEL,
    base_url: str = BASE_URL,
    path: str = PATH,
    timeout_s: float = 10.0,
    price: Price | None = None,
    max_cost_usd: float = 0.0,
    http: JsonHttp | None = None,
) -> OpenAIDecisions:
    """Return a provider. Raises ValueError for a key or address that is none."""
    return OpenAIDecisions(
        known_as=known_as,
        model=model,
        url=join(base_url, path),
        headers={"Authorization": secret_header(key, prefix="Bearer ")},
        timeout_s=timeout_s,
        price=price,
        max_cost_usd=max_cost_usd,
        http=http or JsonHttp(),
    )


def _question(name: str, question: Question) -> Json:
    match question:
        case Choice():
            choices = [{"value": value, "description": text} for value, text in question.criteria.items()]
            return {"type": "choice", "name": name, "instructions": question.instructions, "choices": choices}
        case Noul():
            return {"type": "predicate", "name": name, "instructions": question.instructions}
        case Score():
            levels = [{"label": level} for level in question.criteria]
            return {"type": "score", "name": name, "instructions": question.instructions, "levels": levels}
        case _:
            raise ProviderError("ours", "images are not sent")


def _answers(given: object) -> Json | None:
    """Return OpenAI's list of answers in the map form of System One; what has another shape is left out."""
    if not isinstance(given, list):
        return None
    answers: Json = {}
    for answer in cast(list[Any], given):
        match answer:
            case {"type": "choice", "name": str(name)}:
                fields = cast(Json, answer)
                answers[name] = {**fields, "probabilities": _probabilities(fields.get("probabilities"))}
            case {"type": "predicate", "name": str(name), "probability": probability}:
                answers[name] = {"type": "noul", "noul": probability}
            case {"type": "score" | "refusal", "name": str(name)}:
                answers[name] = answer
            case _:
                pass
    return answers


def _probabilities(given: object) -> Json | None:
    """Return the distribution by option. None for another shape, and for an option that is named twice."""
    if not isinstance(given, list):
        return None
    pairs = [(p.get("value"), p.get("probability")) for p in cast(list[Any], given) if isinstance(p, dict)]
    by_option = {str(value): probability for value, probability in pairs}
    return by_option if len(by_option) == len(cast(list[Any], given)) else None
