import json
from typing import Any

import pytest
from langchain_core.decisions import Choice
from langchain_core.decisions.types import NoulAnswer, ScoreAnswer

from routing.decision import Exchange
from routing.providers.base import ProviderError
from routing.providers.wire import from_response, to_request
from tests.routing.providers.scripted import NOTHING, QUESTION, answering, probabilities

FULL = Exchange(
    last_customer="quero devolver a bolsa do pedido 10405",
    last_agent="Claro! Me confirma o CPF 529.982.247-25?",
    earlier="cliente ana@exemplo.com pediu rastreio",
    current_agent="returns",
    pending_question="Me confirma o CPF?",
)


def test_the_current_message_has_its_own_field_and_what_is_absent_is_left_out() -> None:
    request = to_request("oi", exchange=NOTHING, question=QUESTION, remote=True)
    assert request["state"] == {"message": "oi"}


def test_a_remote_provider_reads_placeholders_and_the_embedded_one_what_was_written() -> None:
    message = "é 529.982.247-25, zap (11) 98765-4321"
    remote = to_request(message, exchange=FULL, question=QUESTION, remote=True)["state"]
    local = to_request(message, exchange=FULL, question=QUESTION, remote=False)["state"]
    assert remote == {
        "message": "é <cpf>, zap <phone>",
        "current_specialist": "returns",
        "pending_question": "Me confirma o CPF?",
        "last_customer_message": "quero devolver a bolsa do pedido 10405",
        "last_specialist_reply": "Claro! Me confirma o CPF <cpf>?",
        "earlier_summary": "cliente <email> pediu rastreio",
    }
    assert isinstance(local, dict)
    assert local["message"] == message


def test_options_keep_their_order_and_go_as_strings() -> None:
    questions = to_request("oi", exchange=NOTHING, question=QUESTION, remote=True)["questions"]
    assert list(questions) == ["route"]
    route = questions["route"]
    assert isinstance(route, Choice)
    assert list(route.criteria.items()) == [(option.id, option.role) for option in QUESTION.options]


def test_the_side_questions_go_in_the_same_request() -> None:
    questions = to_request("oi", exchange=NOTHING, question=QUESTION, remote=True, extras=True)["questions"]
    assert {name: question.type for name, question in questions.items()} == {
        "route": "choice", "is_request": "noul", "continues": "noul", "asks_person": "noul", "upset": "score",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "\0\ud800oi", "😀" * 30_000, "a" * 200_000, "x\u202e\u200by"])
def test_whatever_is_sent_is_json_and_bounded(text: str) -> None:
    exchange = Exchange(last_customer=text, last_agent=text, earlier=text, pending_question=text)
    state = to_request(text, exchange=exchange, question=QUESTION, remote=True)["state"]
    assert len(json.dumps(state, ensure_ascii=False).encode()) < 40_000


def test_both_ends_of_a_long_message_are_sent() -> None:
    state = to_request(
        "início " + "bla " * 5000 + "cadê meu reembolso", exchange=NOTHING, question=QUESTION, remote=True
    )["state"]
    assert isinstance(state, dict)
    message = str(state["message"])
    assert message.startswith("início")
    assert message.endswith("cadê meu reembolso")


def test_side_answers_are_read_and_wrong_ones_ignored() -> None:
    response = answering("a")
    levels: dict[int, Any] = {0: "a", 1: "b", 2: "c"}
    good = {
        "asks_person": NoulAnswer(type="noul", noul=0.9),
        "upset": ScoreAnswer(
            type="score", score=1.5, legend=levels, probabilities={0: 0.1, 1: 0.3, 2: 0.6}, confidence=0.6
        ),
    }
    answer = from_response(response.model_copy(update={"answers": {**response.answers, **good}}), question=QUESTION)
    assert (answer.asks_person, answer.upset, answer.continues) == (0.9, 0.75, None)
    bad = {
        "asks_person": NoulAnswer.model_construct(type="noul", noul=1.7),
        "upset": ScoreAnswer.model_construct(type="score", score=9.0, legend={}, probabilities={}, confidence=0.6),
    }
    answer = from_response(response.model_copy(update={"answers": {**response.answers, **bad}}), question=QUESTION)
    assert (answer.asks_person, answer.upset) == (None, None)


def test_what_garbage_cost_is_kept() -> None:
    with pytest.raises(ProviderError) as caught:
        from_response(answering("a", {**probabilities(), "billing": 1.7}, cost_usd=0.01), question=QUESTION)
    assert (caught.value.kind, caught.value.why, caught.value.cost_usd) == ("garbage", "out_of_range", 0.01)
