import pytest
from pydantic import ValidationError

from routing.facts import Fact
from tests.tools.fake_shop import NOW, FakeMemory
from tests.tools.running import context, refusal_code, run
from tools.contract import NotMine, Suspicion
from tools.signals import describe_reasons


def _fact(n: int, value: str) -> Fact:
    return Fact(id=f"f{n}", key="order", value=value, source="customer", status="reported", at=NOW, turn=n)


async def test_not_mine_carries_its_reason_and_what_is_wanted() -> None:
    outcome = await run("not_mine", context(), reason="charge", detail="cobrado duas vezes")
    assert outcome.signal == NotMine(reason="charge", detail="cobrado duas vezes")


async def test_a_hypothesis_gets_a_plain_key() -> None:
    outcome = await run("note_hypothesis", context(), key="Assinatura Cancelada?", value="sim", confidence=0.6)
    assert outcome.signal == Suspicion(key="assinatura_cancelada", value="sim", confidence=0.6)
    assert await refusal_code("note_hypothesis", context(), key="???", value="x", confidence=0.1) == "hypothesis_key"


@pytest.mark.parametrize("confidence", [-0.1, 1.1])
async def test_a_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(ValidationError):
        await run("note_hypothesis", context(), key="k", value="v", confidence=confidence)


async def test_recall_is_newest_first_and_bounded() -> None:
    memory = FakeMemory([_fact(n, f"1{n:04d}") for n in range(60)])
    data = (await run("recall", context(memory=memory), key="order")).data
    values = [fact["value"] for fact in data["facts"]]  # type: ignore[index, union-attr]
    assert values[0] == "10059"
    assert len(values) <= 20
    assert data["not_shown"] == 20 - len(values)
    long = FakeMemory([_fact(n, "x" * 300) for n in range(5)])
    data = (await run("recall", context(memory=long), key="order")).data
    assert len(data["facts"]) == 2  # type: ignore[arg-type]
    assert data["not_shown"] == 3


def test_reasons_are_written_a_line_each() -> None:
    assert describe_reasons([("charge", "cobranças"), ("delay", "atrasos")]) == "- charge: cobranças\n- delay: atrasos"
