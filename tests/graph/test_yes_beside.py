"""A yes to a proposal that another specialist's reply asks for again: whose question was the last one?"""

import pytest

from tests.graph.conftest import Make, of, reply_of, tools_of
from tests.graph.test_baton_scenarios import by_word
from tests.graph.test_writes import effects
from tests.scripted import call

ADDRESS = {"order": "10431", "street": "Rua das Flores", "number": "254", "city": "São Paulo", "cep": "01310-100"}
CHANGE = "troca o endereço do pedido 10431 pra Rua das Flores, 254, São Paulo, cep 01310-100"
PROPOSES = call("update_address", **ADDRESS)


async def test_beside_an_answer_that_asks_nothing_the_yes_is_the_proposals(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": [PROPOSES, "Posso trocar o endereço.", "Pronto."], "billing": ["Você pagou no Pix."]}, by_word
    )
    summary = of(await desk.say(CHANGE), "confirmation")[0].summary
    asked = reply_of(await desk.say("e a cobrança, foi no Pix?"))
    assert asked.startswith("Você pagou no Pix.")
    assert summary in asked
    assert tools_of(await desk.say("sim")) == [("update_address", "ok")]
    assert [e["tool"] for e in await effects(desk)] == ["update_address"]


@pytest.mark.parametrize("asks", ["Você pagou no Pix. Quer a nota fiscal?", "Posso abrir um chamado para isso."])
async def test_beside_a_question_or_an_offer_it_is_not_and_the_next_yes_is(make_desk: Make, asks: str) -> None:
    desk = await make_desk(
        {
            "support": [PROPOSES, "Posso trocar o endereço.", "Pronto."],
            "billing": [asks, "Certo, obrigado por avisar."],
        },
        by_word,
    )
    await desk.say(CHANGE)
    await desk.say("e a cobrança, foi no Pix?")
    again = await desk.say("sim")
    assert await effects(desk) == []
    assert reply_of(again).startswith("Certo, obrigado por avisar.")
    assert of(again, "confirmation")
    assert tools_of(await desk.say("sim")) == [("update_address", "ok")]
    assert len(await effects(desk)) == 1
