import pytest

from tests.tools.fake_shop import POLICIES, FakeShop
from tests.tools.running import context, refusal_code, run
from tools.policies import find_topic

ENGLISH = (
    "return", "exchange", "warranty", "cancellation", "refund", "duplicate_charge", "payment", "card", "boleto", "pix",
    "invoice", "delivery", "delay", "delivery_problem", "address_change", "discount",
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("reembolso", "reembolso"),
        ("Reembolso", "reembolso"),
        ("prazo do estorno", "reembolso"),
        ("estorno", "reembolso"),
        ("refund", "reembolso"),
        ("troca", "troca"),
        ("devolução", "devolucao"),
        ("arrependimento", "devolucao"),
        ("garantia", "defeito"),
        ("vagas de emprego", None),
    ],
)
def test_a_topic_is_found_by_what_it_means(asked: str, topic: str | None) -> None:
    assert find_topic(asked, tuple(POLICIES)) == topic


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("reembolso", "refund"),
        ("troca", "exchange"),
        ("nota fiscal", "invoice"),
        ("pagamento", "payment"),
        ("cobrança duplicada", "duplicate_charge"),
        ("entrega", "delivery"),
        ("entrega atrasada", "delivery"),
        ("atraso", "delay"),
        ("mudança de endereço", "address_change"),
        ("defeito", "warranty"),
        ("boleto", "boleto"),
        ("parcelas no cartão", "card"),
    ],
)
def test_a_shop_may_name_its_topics_in_english(asked: str, topic: str) -> None:
    assert find_topic(asked, ENGLISH) == topic


async def test_the_policy_comes_word_for_word() -> None:
    outcome = await run("consult_policy", context(), topic="estorno")
    assert outcome.data == {"topic": "reembolso", "text": POLICIES["reembolso"]}


async def test_an_unknown_topic_is_refused_with_the_known_ones() -> None:
    outcome = await run("consult_policy", context(), topic="vagas")
    assert outcome.refusal is not None
    assert all(topic in outcome.refusal.because for topic in POLICIES)


async def test_a_silent_shop() -> None:
    assert (await run("consult_policy", context(FakeShop(down={"topics"})), topic="troca")).status == "failed"
    assert await refusal_code("consult_policy", context(FakeShop(policies={})), topic="troca") == "no_policy"
