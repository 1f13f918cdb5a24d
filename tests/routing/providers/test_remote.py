"""Every remote client over a real socket: the good answer, every fault, and what of it may be seen in a log."""

import logging
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from routing.decision import Answer, Exchange
from routing.providers.base import ProviderError, ask
from routing.providers.errors import ErrorKind
from stubs.faults import KINDS, Fault
from tests.routing.providers.clients import FLAGS, MODELS, client, remote_settings
from tests.stubs.fixtures import KEY
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION

Put = Callable[[str, Fault], None]
SECRETS = (KEY, "529.982.247-25", "52998224725", "ana@example.com", "reembolso")
DECISION_FLAGS = [flag for flag in FLAGS if flag != "llm"]


async def decide(
    flag: str, url: str, *, message: str = MESSAGE_TEXT, exchange: Exchange = NOTHING_BEFORE, **changes: object
) -> Answer:
    return await ask(client(flag, remote_settings(url, **changes)), message, exchange=exchange, question=QUESTION)


def received(control: httpx.Client) -> list[dict[str, Any]]:
    return control.get("/stub/requests").json()


def unseen(caplog: pytest.LogCaptureFixture, *texts: str) -> bool:
    seen = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    return not any(secret in text for secret in SECRETS for text in (seen, *texts))


@pytest.mark.parametrize("flag", FLAGS)
async def test_a_good_answer_keeps_build_tokens_and_cost(stub: str, flag: str) -> None:
    answer = await decide(flag, stub)
    assert max(answer.probabilities, key=lambda option: answer.probabilities[option]) == "billing"
    assert answer.probabilities["billing"] == pytest.approx(0.9, abs=0.02)
    assert list(answer.probabilities) == list(QUESTION.ids)
    assert answer.provider == flag
    assert answer.model.startswith(MODELS[flag])
    assert "simulado" in answer.model
    assert answer.cost_usd > 0
    assert not answer.calibrated


@pytest.mark.parametrize("flag", DECISION_FLAGS)
async def test_one_request_carries_the_choice_and_the_side_questions(
    stub: str, control: httpx.Client, flag: str
) -> None:
    before = Exchange(last_customer="oi", last_agent="Pois não?", current_agent="billing")
    answer = await decide(
        flag, stub, message="quero falar com um atendente, que absurdo esse reembolso", exchange=before
    )
    assert answer.asks_person is not None
    assert answer.asks_person > 0.9
    assert answer.is_request is not None
    assert answer.is_request > 0.9
    assert answer.continues is not None
    assert answer.continues > 0.8
    assert answer.upset == pytest.approx(0.5)
    last = received(control)[-1]
    assert len(last["body"]["questions"]) == 5


@pytest.mark.parametrize("flag", FLAGS)
async def test_personal_data_is_a_placeholder_on_the_wire(stub: str, control: httpx.Client, flag: str) -> None:
    await decide(flag, stub)
    sent = str(received(control)[-1]["body"])
    assert "<cpf>" in sent
    assert "<email>" in sent
    assert "529.982" not in sent
    assert "ana@" not in sent


@pytest.mark.parametrize("flag", ["msd1", "jev"])
@pytest.mark.parametrize("path", ["/api/alpha/decisions", "/api/v1/systemone"])
async def test_openrouter_denies_data_collection_on_either_path(
    stub: str, control: httpx.Client, flag: str, path: str
) -> None:
    await decide(flag, stub, openrouter_path=path)
    last = received(control)[-1]
    assert last["path"] == path
    assert last["body"]["provider"] == {"data_collection": "deny"}


# What each fault is to the chain. None: an answer that must be accepted.
OUTCOMES: dict[str, ErrorKind | None] = {
    "status": "retryable",
    "hang": "retryable",
    "reset": "retryable",
    "half_body": "retryable",
    "delay": None,
    "half_json": "garbage",
    "html": "garbage",
    "empty": "garbage",
    "error_in_200": "garbage",
    "drift": None,
    "rounded": None,
    "unknown_label": "garbage",
    "over_one": "garbage",
    "not_a_number": "garbage",
    "no_probabilities": "garbage",
    "low_sum": "garbage",
    "wrong_winner": "garbage",
    "missing_option": "garbage",
    "refusal": None,
}
# The chat model has no probabilities to distort: its scores are made from the true ones.
LLM_OUTCOMES = {
    kind: kind_of
    for kind, kind_of in OUTCOMES.items()
    if kind in ("status", "hang", "reset", "half_body", "delay", "half_json", "html", "empty", "error_in_200")
}


def test_every_fault_has_an_outcome() -> None:
    assert set(OUTCOMES) == set(KINDS)


def fault_of(kind: str) -> Fault:
    return Fault.model_validate({"kind": kind, "seconds": 0.05} | ({"status": 200} if kind == "html" else {}))


@pytest.mark.parametrize("kind", OUTCOMES)
@pytest.mark.parametrize("flag", DECISION_FLAGS)
async def test_faults(stub: str, put: Put, flag: str, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    await meets(stub, put, flag, kind, OUTCOMES[kind], caplog)


@pytest.mark.parametrize("kind", LLM_OUTCOMES)
async def test_faults_of_a_chat_model(stub: str, put: Put, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    await meets(stub, put, "llm", kind, LLM_OUTCOMES[kind], caplog)


async def meets(
    stub: str, put: Put, flag: str, kind: str, outcome: ErrorKind | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    put(MODELS[flag], fault_of(kind))
    timeout_s = 0.2 if kind == "hang" else 5.0
    if outcome is None:
        answer = await decide(flag, stub, timeout_s=timeout_s)
        assert sum(answer.probabilities.values()) == pytest.approx(1.0)
        assert (answer.refused == "refusal") == (kind == "refusal" and flag == "openai")
        assert unseen(caplog)
        return
    with pytest.raises(ProviderError) as raised:
        await decide(flag, stub, timeout_s=timeout_s)
    assert raised.value.kind == outcome
    assert unseen(caplog, raised.value.why, str(raised.value), repr(raised.value.__cause__))


STATUSES: dict[int, ErrorKind] = {
    400: "ours",
    401: "ours",
    402: "payment",
    403: "ours",
    404: "ours",
    408: "retryable",
    413: "ours",
    422: "ours",
    429: "retryable",
    500: "retryable",
    502: "retryable",
    503: "retryable",
    504: "retryable",
    524: "retryable",
    529: "retryable",
}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("flag", ["msd1", "llm"])
async def test_statuses(stub: str, put: Put, flag: str, status: int) -> None:
    put(MODELS[flag], Fault(kind="status", status=status, retry_after="7"))
    with pytest.raises(ProviderError) as raised:
        await decide(flag, stub)
    assert raised.value.kind == STATUSES[status]
    assert f"HTTP {status}" in raised.value.why
    waits = {"retryable": 7.0, "payment": 7.0, "ours": 30.0 if status in (401, 403) else None}
    assert raised.value.retry_after_s == waits[raised.value.kind]


@pytest.mark.parametrize("flag", FLAGS)
async def test_html_instead_of_an_error_is_still_that_error(stub: str, put: Put, flag: str) -> None:
    put(MODELS[flag], Fault(kind="html", status=502))
    with pytest.raises(ProviderError) as raised:
        await decide(flag, stub)
    assert (raised.value.kind, raised.value.why) == ("retryable", "HTTP 502")


@pytest.mark.parametrize("flag", FLAGS)
async def test_a_wrong_key_is_ours_and_closes_the_provider_for_a_while(
    stub: str, flag: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ProviderError) as raised:
        await decide(flag, stub, key="sk-falsa-987654")
    assert raised.value.kind == "ours"
    assert raised.value.retry_after_s == 30.0
    assert "sk-falsa" not in caplog.text + str(raised.value)


@pytest.mark.parametrize("flag", FLAGS)
async def test_nobody_listens(flag: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await decide(flag, "http://127.0.0.1:9")
    assert raised.value.kind == "retryable"


@pytest.mark.parametrize("flag", FLAGS)
def test_no_key_shows_in_a_repr(stub: str, flag: str) -> None:
    settings = remote_settings(stub)
    assert KEY not in repr(client(flag, settings)) + repr(settings)


@pytest.mark.parametrize("flag", FLAGS)
def test_outside_an_event_loop_a_client_works_too(stub: str, flag: str) -> None:
    from routing.providers.wire import from_response, to_request

    provider = client(flag, remote_settings(stub))
    response = provider.invoke(to_request(MESSAGE_TEXT, exchange=NOTHING_BEFORE, question=QUESTION, remote=True))
    assert from_response(response, question=QUESTION).probabilities["billing"] == pytest.approx(0.9, abs=0.02)  # pyright: ignore[reportArgumentType]
