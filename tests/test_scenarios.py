"""The scenarios that a shop would try first, with the offline model, the local provider and the demo shop.

Wording of replies is free, substance is not: who speaks, what was carried over, what was written, what was not given away.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from graph.conversation import Bastao
from graph.events import Event
from ops.reading import transfers
from routing.shop import Customer
from settings import load_settings, open_bastao
from tests.graph.conftest import of, reply_of

pytestmark = pytest.mark.slow


class Talk:
    """One customer's conversation."""

    def __init__(self, bastao: Bastao, customer: Customer) -> None:
        self.bastao, self.customer, self.thread_id = bastao, customer, f"th-{uuid4().hex}"

    async def say(self, text: str) -> list[Event]:
        stream = self.bastao.conversation.send(
            self.thread_id, [text], message_id=f"m-{uuid4().hex}", customer=self.customer, channel="tests"
        )
        events = [event async for event in stream]
        assert of(events, "done")[0].status == "replied", events
        for internal in ("lookup_order", "not_mine", "tool", "{", "fact ", "call_"):
            assert internal not in reply_of(events)
        return events

    async def requests(self) -> list[str]:
        found = await self.bastao.services.shop.requests(str(self.customer.id))
        return [f"{r.kind}:{r.order_id}" for r in found]


def speaker(events: list[Event]) -> str | None:
    return of(events, "reply")[0].agent


@pytest.fixture
async def bastao(database_url: str, data_dir: Path) -> AsyncIterator[Bastao]:
    environ = {"DATABASE_URL": database_url, "BASTAO_DATA_DIR": str(data_dir), "TURN_TIMEOUT_SECONDS": "300"}
    async with open_bastao(load_settings(environ), environ) as opened:
        yield opened


@pytest.fixture
def c1(bastao: Bastao) -> Talk:
    return Talk(bastao, Customer(id="c1", name="Ana", tier="silver", level="session"))


async def test_1_where_is_it_then_charged_twice(c1: Talk) -> None:
    events = await c1.say("oi, meu tênis do pedido 10405 ainda não chegou, cadê?")
    assert speaker(events) == "support"
    assert ("lookup_order", "ok") in [(e.name, e.outcome) for e in of(events, "tool")]
    assert re.search(r"trânsito|caminho|transportadora|entrega", reply_of(events))

    events = await c1.say("aproveitando, vi que me cobraram duas vezes esse pedido no pix")
    assert speaker(events) == "billing"
    handed = of(events, "handoff")[-1]
    assert (handed.from_agent, handed.to_agent) == ("support", "billing")
    assert any(f["key"] == "order" and f["value"] == "10405" for f in handed.facts)
    assert "número do pedido" not in reply_of(events)

    events = await c1.say("pode abrir")
    opened = [r for r in await c1.requests() if r == "duplicate_charge:10405"]
    assert len(opened) == 1
    assert re.search(r"CB-[A-Z0-9]{6}", reply_of(events))

    events = await c1.say("beleza, e em quanto tempo volta o dinheiro?")
    assert speaker(events) == "billing"
    assert re.search(r"dias úteis", reply_of(events))
    assert len([r for r in await c1.requests() if r == "duplicate_charge:10405"]) == 1


async def test_2_clarification_then_an_exchange(c1: Talk) -> None:
    events = await c1.say("não tô satisfeito")
    assert of(events, "decision")[0].decision.target == "clarification"
    assert reply_of(events).rstrip().endswith("?")
    events = await c1.say("o fone do pedido 10418 parou de funcionar, quero trocar")
    if not await c1.requests():
        events = await c1.say("sim")
    assert speaker(events) == "returns"
    assert [r for r in await c1.requests() if r.endswith(":10418")] == ["exchange:10418"]


async def test_3_the_corrected_address_is_the_one_that_is_stored(c1: Talk) -> None:
    events = await c1.say("preciso mudar o endereço do pedido 10431: Rua das Acácias, 245, São Paulo, CEP 01310-100")
    if of(events, "confirmation"):
        events = await c1.say("sim")
    events = await c1.say("errei, o número é 254")
    if of(events, "confirmation"):
        events = await c1.say("sim")
    order = await c1.bastao.services.shop.order("10431")
    assert order is not None
    assert order.address.number == "254"
    events = await c1.say("aliás, você sabe se vai chover amanhã em SP?")
    assert of(events, "decision")[0].decision.target == "out_of_scope"
    events = await c1.say("ok rs. então o endereço já ficou certo né?")
    assert speaker(events) == "support"
    assert "254" in reply_of(events)


async def test_4_one_charge_is_no_duplicate_and_a_dispute_goes_to_a_person(c1: Talk) -> None:
    events = await c1.say("fui cobrada de novo no pix do pedido 10418")
    assert speaker(events) == "billing"
    assert "189,90" in reply_of(events)
    assert not [r for r in await c1.requests() if r.endswith(":10418")]
    events = await c1.say("mas no extrato aparecem duas")
    assert "duplicate_charge:10418" not in await c1.requests()
    assert re.search(r"BA-[A-Z0-9]{6}", reply_of(events))


async def test_5_another_customers_order_and_nobodys_get_the_same_sentence(c1: Talk) -> None:
    anothers = reply_of(await c1.say("meu pedido 10412 ainda não chegou, cadê?"))
    nobodys = reply_of(await Talk(c1.bastao, c1.customer).say("meu pedido 99999 ainda não chegou, cadê?"))
    assert anothers.replace("10412", "N") == nobodys.replace("99999", "N")
    async with c1.bastao.database.connection() as conn:
        rules = [r["rule"] for r in await (await conn.execute("select rule from audit order by id")).fetchall()]
    assert "foreign_order" in rules


async def test_6_said_card_but_the_data_say_pix(c1: Talk) -> None:
    events = await c1.say("quero saber do estorno do pedido 10405, paguei no cartão e cobraram duas vezes")
    assert re.search(r"pix", reply_of(events), re.IGNORECASE)
    assert re.search(r"cartão", reply_of(events), re.IGNORECASE)


async def test_7_not_my_subject_is_answered_by_the_other_in_the_same_turn(c1: Talk) -> None:
    await c1.say("oi, meu pedido 10405 ainda não chegou, cadê?")
    events = await c1.say("@Entregas por que tem duas cobranças de R$ 349,00 nesse pedido?")
    assert of(events, "decision")[0].decision.reason == "addressed_by_name"
    assert [(h.from_agent, h.to_agent) for h in of(events, "handoff")] == [("support", "billing")]
    assert speaker(events) == "billing"
    assert "número do pedido" not in reply_of(events)
    stored = await transfers(c1.bastao.database, c1.thread_id)
    assert any(f["value"] == "10405" for f in stored[-1].body["facts"])


async def test_a_known_customer_is_not_asked_for_a_number(c1: Talk) -> None:
    events = await c1.say("cadê meu tênis?")
    assert "10405" in reply_of(events)


async def test_english_is_answered_in_english(c1: Talk) -> None:
    events = await c1.say("hello, where is my order 10405? it has not arrived yet")
    assert speaker(events) == "support"
    assert re.search(r"\b(your|order|the)\b", reply_of(events), re.IGNORECASE)
    assert not re.search(r"\b(seu|pedido|está)\b", reply_of(events))


@pytest.mark.parametrize("text", ["oi", "bom dia!", "obrigada 👍"])
async def test_courtesy_is_answered_as_courtesy(c1: Talk, text: str) -> None:
    events = await c1.say(text)
    assert of(events, "decision")[0].decision.target == "courtesy"
