"""A chat model as a provider: what is asked of it, and what of its answers counts as a distribution."""

import json
from typing import Any

import pytest
from langchain_core.decisions import Choice
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from routing.decision import Answer
from routing.providers.base import ProviderError, ask
from routing.providers.llm import SCHEMA_NAME, LlmDecisions, response_format
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION

GOOD = {"returns": 5, "support": 5, "billing": 80, "out_of_scope": 10, "needs_question": 0}


class Saying(BaseChatModel):
    """Says one thing, and keeps what it was asked."""

    text: str
    refusal: str | None = None
    served: str | None = "served-1"
    _asked: list[Any] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "saying"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self._asked.append((messages, kwargs))
        metadata = {"model_name": self.served, "token_usage": {"cost": 0.004}}
        more = {"refusal": self.refusal} if self.refusal else {}
        message = AIMessage(self.text, response_metadata=metadata, additional_kwargs=more)
        return ChatResult(generations=[ChatGeneration(message=message)])


async def decide(text: str, **changes: Any) -> Answer:
    provider = LlmDecisions(model="m", chat=Saying(text=text, **changes))
    return await ask(provider, MESSAGE_TEXT, exchange=NOTHING_BEFORE, question=QUESTION)


async def test_scores_are_normalised_and_never_calibrated() -> None:
    answer = await decide(json.dumps({"route": GOOD}))
    assert answer.probabilities["billing"] == pytest.approx(0.8)
    assert (answer.provider, answer.model, answer.calibrated, answer.cost_usd) == ("llm", "served-1", False, 0.004)


BAD = [
    "",
    "billing",
    "[]",
    "{}",
    json.dumps({"route": GOOD})[:-10],
    json.dumps({"route": []}),
    json.dumps({"route": GOOD | {"surprise": 1}}),
    json.dumps({"route": {k: v for k, v in GOOD.items() if k != "returns"}}),
    json.dumps({"route": dict.fromkeys(GOOD, 0)}),
    json.dumps({"route": GOOD | {"returns": -1}}),
    json.dumps({"route": GOOD | {"returns": 101}}),
    json.dumps({"route": GOOD | {"returns": "5"}}),
    json.dumps({"route": GOOD | {"returns": True}}),
    json.dumps({"route": GOOD | {"returns": float("nan")}}),
]


@pytest.mark.parametrize("text", BAD)
async def test_anything_else_is_garbage_that_was_paid_for(text: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await decide(text)
    assert (raised.value.kind, raised.value.cost_usd) == ("garbage", 0.004)


async def test_an_answer_that_hides_its_model_is_garbage() -> None:
    with pytest.raises(ProviderError):
        await decide(json.dumps({"route": GOOD}), served=None)


async def test_a_refusal_is_even_odds() -> None:
    answer = await decide("", refusal="não posso")
    assert answer.refused == "refusal"
    assert set(answer.probabilities.values()) == {1 / len(QUESTION.ids)}


async def test_the_message_is_data_in_the_user_turn_with_placeholders() -> None:
    chat = Saying(text=json.dumps({"route": GOOD}))
    await ask(LlmDecisions(model="m", chat=chat), MESSAGE_TEXT, exchange=NOTHING_BEFORE, question=QUESTION)
    (messages, kwargs), *rest = chat._asked
    system, user = messages
    assert rest == []
    assert "reembolso" not in system.text
    given = json.loads(user.text)
    assert list(given["questions"]["route"]["options"]) == list(QUESTION.ids)
    assert "<cpf>" in given["state"]["message"]
    assert kwargs["response_format"]["json_schema"]["name"] == SCHEMA_NAME


def test_the_schema_is_closed_and_requires_every_option() -> None:
    schema = response_format({"route": Choice(instructions="?", criteria={"a": "A", "b": "B"})})["json_schema"]
    inner = schema["schema"]["properties"]["route"]
    assert schema["strict"] is True
    assert inner["required"] == ["a", "b"]
    assert inner["additionalProperties"] is False
