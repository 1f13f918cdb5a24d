"""The System One format: what is sent for our questions, and what is made of answers that are nearly right."""

from decimal import Decimal
from typing import Any

import pytest
from langchain_core.decisions import Box, Choice, Noul, NoulCriteria, Question, Score
from langchain_core.messages import HumanMessage

from routing.budget import Price
from routing.providers.base import DecisionResponse, ProviderError
from routing.providers.systemone_wire import to_body, to_response

ROUTE = Choice(instructions="Who?", criteria={"a": "A.", "b": "B."})
YES = Noul(instructions="Yes?")
HOW = Score(instructions="How?", criteria=["low", "high"])
QUESTIONS: dict[str, Question] = {"route": ROUTE, "yes": YES, "how": HOW}
GOOD: dict[str, Any] = {"type": "choice", "choice": "a", "probabilities": {"a": 0.9, "b": 0.1}}


def read(answers: object, *, price: Price | None = None, **body: object) -> DecisionResponse:
    data = {"model": "m-1", "answers": answers, **body}
    return to_response(data, provider="p", questions=QUESTIONS, price=price, unknown_cost_usd=0.5)


def test_questions_go_as_strings_without_empty_fields() -> None:
    body = to_body("m", {"message": "oi", "n": 1}, QUESTIONS)
    assert body == {
        "model": "m",
        "state": {"message": "oi", "n": 1},
        "questions": {
            "route": {"type": "choice", "instructions": "Who?", "criteria": {"a": "A.", "b": "B."}},
            "yes": {"type": "noul", "instructions": "Yes?"},
            "how": {"type": "score", "instructions": "How?", "criteria": ["low", "high"]},
        },
    }


def test_one_sided_criteria_send_the_side_that_there_is() -> None:
    question = Noul(instructions="Yes?", criteria=NoulCriteria(true="yes"))
    assert to_body("m", "s", {"q": question})["questions"]["q"]["criteria"] == {"true": "yes"}


@pytest.mark.parametrize("state", [HumanMessage("oi"), {"a": [HumanMessage("oi")]}, {"a": object()}])
def test_what_is_not_json_is_never_sent(state: Any) -> None:
    with pytest.raises(ProviderError) as raised:
        to_body("m", state, QUESTIONS)
    assert raised.value.kind == "ours"
    with pytest.raises(ProviderError):
        to_body("m", "s", {"q": Box(instructions="where?")})


def test_an_answer_without_confidence_gets_its_top_probability() -> None:
    assert read({"route": GOOD}).choices["route"].confidence == 0.9


def test_what_was_not_asked_and_unknown_types_are_passed_over() -> None:
    response = read({"route": GOOD, "other": {"type": "noul", "noul": 0.1}, "yes": {"type": "hologram"}, "how": [1]})
    assert set(response.answers) == {"route"}


def test_side_answers_of_the_wrong_shape_are_answers_not_given() -> None:
    for yes in (
        {"type": "noul", "noul": 1.2},
        {"type": "noul", "noul": True},
        {"type": "noul"},
        {"type": "choice", "noul": 0.2},
    ):
        assert read({"route": GOOD, "yes": yes}).nouls == {}
    for how in ({"type": "score", "score": "high"}, {"type": "score"}):
        assert read({"route": GOOD, "how": how}).scores == {}


GARBAGE: list[Any] = [
    {"type": "choice", "choice": "a"},
    {"type": "choice", "choice": "a", "probabilities": [0.9, 0.1]},
    {"type": "choice", "choice": 1, "probabilities": {"a": 0.9, "b": 0.1}},
    {"type": "noul", "noul": 0.9},
    {"type": "choice", "choice": "a", "probabilities": {"a": True, "b": 0.0}},
    {"type": "choice", "choice": "a", "probabilities": {"a": "0.9", "b": 0.1}},
    {"type": "choice", "choice": "a", "probabilities": {"a": None, "b": 0.1}},
    {"type": "choice", "choice": "a", "probabilities": {"a": 10**400, "b": 0.1}},
]


@pytest.mark.parametrize("route", GARBAGE)
def test_a_choice_of_the_wrong_shape_is_garbage(route: object) -> None:
    with pytest.raises(ProviderError) as raised:
        read({"route": route}, usage={"cost": 0.002})
    assert (raised.value.kind, raised.value.cost_usd) == ("garbage", 0.002)


@pytest.mark.parametrize(
    "data", [{"answers": {}}, {"model": "", "answers": {}}, {"model": 1, "answers": {}}, {"model": "m"}]
)
def test_an_answer_must_say_which_model_gave_it(data: dict[str, Any]) -> None:
    with pytest.raises(ProviderError) as raised:
        to_response(data, provider="p", questions=QUESTIONS, price=None, unknown_cost_usd=0.0)
    assert raised.value.kind == "garbage"


def test_a_refusal_of_the_route_is_no_error() -> None:
    assert read({"route": {"type": "refusal"}}).refused == "refusal"
    assert read({"route": GOOD, "yes": {"type": "refusal"}}).refused is None


PRICE = Price(input_usd=Decimal(2), output_usd=Decimal(10))
COSTS: list[tuple[object, Price | None, float]] = [
    ({"input_tokens": 100, "output_tokens": 10, "cost": 0.001}, PRICE, 0.001),
    ({"input_tokens": 100, "output_tokens": 10}, PRICE, 0.0003),
    ({"input_tokens": 100, "output_tokens": 10, "cost": -1}, PRICE, 0.0003),
    ({"input_tokens": 100, "output_tokens": 10, "cost": "free"}, PRICE, 0.0003),
    ({"input_tokens": 100}, None, 0.5),
    (None, PRICE, 0.5),
    ({"input_tokens": 100, "cost": 0}, None, 0.0),
]


@pytest.mark.parametrize(("usage", "price", "cost"), COSTS)
def test_costs(usage: object, price: Price | None, cost: float) -> None:
    assert read({"route": GOOD}, price=price, usage=usage).cost_usd == pytest.approx(cost)


def test_tokens_and_the_request_id_are_kept() -> None:
    response = read({"route": GOOD}, usage={"input_tokens": 7, "output_tokens": 3.0}, id="gen-1")
    assert response.usage == {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    assert response.request_id == "gen-1"
