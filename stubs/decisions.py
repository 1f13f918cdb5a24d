"""The decision APIs: OpenRouter's two paths, System One, and OpenAI Decisions, as their servers were seen to behave."""

import json
from decimal import Decimal
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from stubs.account import Account
from stubs.answers import Answers, confidence_of, score_confidence_of
from stubs.faults import Fault, error_body
from stubs.keys import Keys
from stubs.validation import from_openai, openai_problems_of, problems_of, too_long

Json = dict[str, Any]

SIMULATED = "simulado"
# Prefixes: aliases and dated builds of these are served too.
OPENROUTER_MODELS = ("microsoft/microsoft-decision-1", "typesafe/jev-", "~typesafe/jev-", "openai/gpt-6-luna-decisions")
SYSTEMONE_MODELS = ("jev-",)
OPENAI_MODELS = ("gpt-6-luna",)
_USD_PER_TOKEN = Decimal("0.042") / 1_000_000


def build_router(answers: Answers, *, keys: Keys, account: Account) -> APIRouter:
    """Return the routes. Bodies are read raw: these servers' validation errors are their own, not FastAPI's."""
    router = APIRouter()

    @router.post("/api/alpha/decisions")
    async def alpha(request: Request) -> JSONResponse:
        return await _openrouter(request, answers, keys, account, models=OPENROUTER_MODELS)

    @router.post("/api/v1/systemone")
    async def copy(request: Request) -> JSONResponse:
        return await _openrouter(request, answers, keys, account, models=(*OPENROUTER_MODELS, *SYSTEMONE_MODELS))

    @router.post("/v1/systemone")
    async def systemone(request: Request) -> JSONResponse:
        refused = keys.refuse_systemone(request)
        if refused is not None:
            return refused
        body = await _body(request)
        problems = problems_of(body)
        if problems:
            return JSONResponse({"detail": problems}, status_code=422)
        given = cast(Json, body)
        if not given["model"].startswith(SYSTEMONE_MODELS):
            text = f"Unknown model: {given['model']}"
            return JSONResponse(error_body(request.url.path, 400, text, error_type="api_usage_error"), status_code=400)
        if too_long(given):
            return JSONResponse({"detail": {"error_type": "max_tokens_exceeded"}}, status_code=400)
        answered = await _answered(answers, given, _fault(request))
        return JSONResponse({"model": f"{given['model']}-{SIMULATED}", "answers": answered, "usage": _usage(given)})

    @router.get("/v1/models")
    async def models(request: Request) -> JSONResponse:
        refused = keys.refuse_systemone(request)
        listed = {"name": "jev-latest", "description": "modelo simulado", "release_date": "2026-10-09"}
        return refused or JSONResponse({"models": [listed]})

    @router.post("/v1/decisions")
    async def openai(request: Request) -> JSONResponse:
        return await _openai(request, answers, keys)

    return router


async def _openrouter(
    request: Request, answers: Answers, keys: Keys, account: Account, *, models: tuple[str, ...]
) -> JSONResponse:
    refused = keys.refuse_openrouter(request)
    if refused is not None:
        return refused
    path, body = request.url.path, await _body(request)
    problems = problems_of(body)
    if problems:
        # OpenRouter quotes the upstream's complaint as a string.
        return JSONResponse(error_body(path, 400, json.dumps(problems, ensure_ascii=False)), status_code=400)
    given = cast(Json, body)
    model = given["model"]
    if not model.startswith(models):
        return JSONResponse(error_body(path, 400, f"{model} is not a valid model ID"), status_code=400)
    if too_long(given):
        upstream = json.dumps({"detail": {"error_type": "max_tokens_exceeded"}})
        return JSONResponse(error_body(path, 400, f"HTTP 400: {upstream}"), status_code=400)
    usage = _usage(given)
    cost = _USD_PER_TOKEN * usage["input_tokens"]
    account.bill(cost)
    generation = account.next_id("gen-dec")
    answered = {
        "id": generation,
        "model": f"{model.removeprefix('~')}-{SIMULATED}",
        "provider": "Simulado",
        "answers": await _answered(answers, given, _fault(request)),
        "usage": {**usage, "cost": float(cost)},
    }
    return JSONResponse(answered, headers={"X-Generation-Id": generation, "X-Provider-Name": "Simulado"})


async def _openai(request: Request, answers: Answers, keys: Keys) -> JSONResponse:
    refused = keys.refuse_openai(request)
    if refused is not None:
        return refused
    path, body = request.url.path, await _body(request)
    problems = openai_problems_of(body)
    if problems:
        text = str(problems[0]["msg"])
        return JSONResponse(error_body(path, 400, text, error_type="invalid_request_error"), status_code=400)
    given = cast(Json, body)
    if not given["model"].startswith(OPENAI_MODELS):
        text = f"The model `{given['model']}` does not exist"
        return JSONResponse(error_body(path, 404, text, error_type="invalid_request_error"), status_code=404)
    fault, state = _fault(request), _state_of(given["input"])
    listed = [await _openai_answer(answers, state, question, fault) for question in given["questions"]]
    usage = _usage(given)
    details = {
        "total_tokens": usage["input_tokens"] + usage["output_tokens"],
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return JSONResponse({"model": f"{given['model']}-{SIMULATED}", "answers": listed, "usage": {**usage, **details}})


async def _answered(answers: Answers, body: Json, fault: Fault | None) -> Json:
    return {name: await _answer(answers, body["state"], q, fault) for name, q in body["questions"].items()}


async def _answer(answers: Answers, state: object, question: Json, fault: Fault | None) -> Json:
    """Return one answer in System One's form."""
    if question["type"] == "noul":
        return {"type": "noul", "noul": await answers.noul(state, question)}
    if question["type"] == "score":
        levels = await answers.score(state, question)
        return {
            "type": "score",
            "score": sum(level * p for level, p in enumerate(levels)),
            "legend": {str(level): text for level, text in enumerate(question["criteria"])},
            "probabilities": {str(level): p for level, p in enumerate(levels)},
            "confidence": score_confidence_of(levels),
        }
    true = await answers.choice(state, question)
    winner, sent = answers.distorted(true, fault)
    answer: Json = {"type": "choice", "choice": winner}
    if sent is not None:
        values = [value for value in sent.values() if isinstance(value, float)]
        answer |= {"probabilities": sent, "confidence": confidence_of(values or [1.0])}
    return answer


async def _openai_answer(answers: Answers, state: object, question: Json, fault: Fault | None) -> Json:
    """Return one answer in OpenAI's form: a list for a distribution, and the refusal that the others lack."""
    name, translated = question["name"], cast(Json, from_openai(question))
    if fault is not None and fault.kind == "refusal":
        return {"type": "refusal", "name": name}
    answer = await _answer(answers, state, translated, fault)
    if answer["type"] == "noul":
        return {"type": "predicate", "name": name, "probability": answer["noul"]}
    probabilities = cast(Json | None, answer.get("probabilities"))
    answer.pop("legend", None)
    if probabilities is None:
        return {**answer, "name": name}
    if answer["type"] == "choice":
        listed = [{"value": option, "probability": p} for option, p in probabilities.items()]
    else:
        labels = translated["criteria"]
        listed = [{"value": int(i), "label": labels[int(i)], "probability": p} for i, p in probabilities.items()]
    return {**answer, "name": name, "probabilities": listed}


def _state_of(given: object) -> object:
    """Return the state inside OpenAI's `input`: JSON where a text holds an object, else the text itself."""
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return state if isinstance(state, dict) else text


def _usage(body: Json) -> dict[str, int]:
    questions = body["questions"]
    return {"input_tokens": len(json.dumps(body, ensure_ascii=False)) // 4, "output_tokens": len(questions)}


def _fault(request: Request) -> Fault | None:
    return cast(Fault | None, request.scope["state"].get("fault"))


async def _body(request: Request) -> object:
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        return None
