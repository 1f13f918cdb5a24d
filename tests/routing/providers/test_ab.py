"""Arms by hash: sticky, in proportion, and never empty-handed."""

import pytest

from routing.decision import Answer, Exchange, Question
from routing.providers.ab import AbDecider, Arm, arm_of
from tests.stubs.simulated import NOTHING_BEFORE, QUESTION

IDS = [f"thread-{number}" for number in range(4000)]


class Named:
    """A decider that answers with its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        even = dict.fromkeys(question.ids, 1 / len(question.ids))
        return Answer(probabilities=even, provider=self.name, model=thread_id, calibrated=False, latency_ms=0)


@pytest.mark.parametrize(
    "weights", [{"a": 1, "b": 1}, {"a": 3, "b": 1}, {"a": 0.2, "b": 0.3, "c": 0.5}, {"a": 0, "b": 1}]
)
def test_shares_follow_the_weights(weights: dict[str, float]) -> None:
    drawn = [arm_of(thread_id, weights) for thread_id in IDS]
    for name, weight in weights.items():
        assert drawn.count(name) / len(IDS) == pytest.approx(weight / sum(weights.values()), abs=0.03)


def test_a_conversation_keeps_its_arm() -> None:
    weights = {"a": 1.0, "b": 1.0}
    assert [arm_of(i, weights) for i in IDS] == [arm_of(i, weights) for i in IDS]
    assert arm_of("thread-1", weights) == "b"  # fixed: a change of the hash moves every running conversation


def test_a_new_salt_draws_anew() -> None:
    weights = {"a": 1.0, "b": 1.0}
    moved = sum(arm_of(i, weights) != arm_of(i, weights, salt="2") for i in IDS)
    assert moved / len(IDS) == pytest.approx(0.5, abs=0.05)


def test_a_growing_arm_only_gains() -> None:
    for thread_id in IDS:
        if arm_of(thread_id, {"a": 1, "b": 9}) == "a":
            assert arm_of(thread_id, {"a": 2, "b": 8}) == "a"


@pytest.mark.parametrize("weights", [{}, {"a": 0}, {"a": -1, "b": 3}, {"a": float("nan")}, {"a": float("inf")}])
def test_weights_that_are_none(weights: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        arm_of("t", weights)


async def test_the_arm_decides() -> None:
    ab = AbDecider([Arm("a", 1, Named("msd1")), Arm("b", 1, Named("jev"))])
    for thread_id in IDS[:20]:
        answer = await ab.decide("oi", NOTHING_BEFORE, QUESTION, thread_id=thread_id)
        assert answer.provider == {"a": "msd1", "b": "jev"}[ab.arm(thread_id).name]
        assert answer.model == thread_id


def test_an_arm_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        AbDecider([Arm("a", 1, Named("x")), Arm("a", 1, Named("y"))])
