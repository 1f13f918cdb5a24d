"""What an answer means: to an offer, to a refusal, to a question that was asked; with the words that newcomers used."""

from itertools import pairwise

import pytest

from agents.offline.addresses import address_parts, city_alone
from agents.offline.slots import reason_in
from tests.agents.conversing import Talk
from tests.tools.fake_shop import FakeShop

WRITES = (
    "open_return_request",
    "cancel_order",
    "update_address",
    "open_billing_ticket",
    "open_delivery_ticket",
    "open_review",
)


def _names(talk: Talk) -> list[str]:
    return [name for name, _, _ in talk.calls]


def _writes(talk: Talk) -> list[str]:
    return [name for name in _names(talk) if name in WRITES]


def _cancelled(order: str) -> FakeShop:
    shop = FakeShop()
    shop.change(order, status="cancelled")
    return shop


@pytest.mark.parametrize(
    ("language", "wish", "answer"),
    [("pt", "o fone do pedido 10418 parou de funcionar, quero trocar", "sim"),
     ("pt", "o fone do pedido 10418 parou de funcionar, quero trocar", "pode"),
     ("en", "order 10418 stopped working, I want an exchange", "yes please")],
)  # fmt: skip
async def test_a_yes_takes_what_a_refusal_offered(language: str, wish: str, answer: str) -> None:
    talk = Talk(language="en" if language == "en" else "pt")
    await talk.say(wish, "returns")
    assert "TR-0001" in await talk.say(wish)
    assert _writes(talk) == ["open_return_request"]
    reply = await talk.say(answer)
    assert _names(talk) == ["list_requests"]
    assert "TR-0001" in reply
    assert "open" in reply if language == "en" else "em aberto" in reply


@pytest.mark.parametrize(
    ("first", "agent", "offered"),
    [
        ("quero devolver a jaqueta do 10433, não gostei", "returns", "abrir a troca de Jaqueta Jeans"),
        ("quero devolver a garrafa do 10440, desisti", "returns", "cancelar o pedido 10440"),
        ("quero cancelar o fone do 10418", "returns", "trocar por outro ou devolver"),
    ],
)
async def test_a_yes_to_another_way_goes_that_way(first: str, agent: str, offered: str) -> None:
    talk = Talk()
    await talk.say(first, agent)
    reply = await talk.say("sim")
    assert offered in reply
    assert talk.shop.opened == []


@pytest.mark.parametrize("answer", ["sim", "pode", "yes please"])
async def test_a_bare_yes_is_no_dispute(answer: str) -> None:
    talk = Talk()
    await talk.say("fui cobrada de novo no pix do pedido 10418", "billing")
    assert "O que aparece de diferente" in await talk.say(answer)
    assert talk.calls == []
    assert "AN-0001" in await talk.say("aparecem duas no extrato")


@pytest.mark.parametrize("words", ["mas no extrato aparecem duas", "isso está errado", "não concordo"])
async def test_words_of_disagreement_dispute(words: str) -> None:
    talk = Talk()
    await talk.say("fui cobrada de novo no pix do pedido 10418", "billing")
    await talk.say(words)
    assert _writes(talk) == ["open_review"]


@pytest.mark.parametrize(
    ("answer", "expected"), [("sim", "o que você quer que eu faça"), ("ok", "é só dizer"), ("não", "é só dizer")]
)
async def test_an_answer_to_nothing_tries_nothing_again(answer: str, expected: str) -> None:
    talk = Talk()
    await talk.say("cadê o pedido 10405?", "support")
    assert expected in await talk.say(answer)
    assert talk.calls == []


async def test_a_no_leaves_the_proposal_alone() -> None:
    talk = Talk()
    await talk.say("quero cancelar a garrafa do 10440", "returns")
    await talk.say("não")
    assert talk.calls == []


async def test_a_yes_to_an_either_or_is_asked_about() -> None:
    talk = Talk()
    await talk.say("cadê o 10418", "support")
    assert "ou ele não chegou" in await talk.say("sim")
    assert "pedido não recebido" in await talk.say("não")


async def test_a_missing_part_of_an_address_is_no_dispute() -> None:
    talk = Talk()
    await talk.say("quero trocar o endereço do 10440", "support")
    await talk.say("Rua B, 20")
    await talk.say("Campinas")
    assert _writes(talk) == ["update_address"]
    assert "Rua B, 20, Campinas/SP, CEP 13010-000?" in await talk.say("13010-000")


@pytest.mark.parametrize("answer", ["sim", "sim\n10418", "pode", "10418", "quero devolver"])
async def test_a_reason_is_something_said(answer: str) -> None:
    talk = Talk()
    await talk.say("quero devolver o fone 10418", "returns")
    assert "Preciso do motivo em uma frase" in await talk.say(answer)
    assert _writes(talk) == []


async def test_a_reason_beside_a_yes_is_found() -> None:
    talk = Talk()
    await talk.say("quero devolver o fone 10418", "returns")
    assert "(motivo: não gostei da cor)" in await talk.say("sim\nnão gostei da cor")


async def test_a_second_message_of_the_turn_is_no_part_of_the_address() -> None:
    talk = Talk()
    reply = await talk.say("troca o endereco do 10440 para Rua B, 20, Campinas, SP, CEP 13010-000\nsim", "support")
    assert "Rua B, 20, Campinas/SP, CEP 13010-000?" in reply


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Rua B, 20, Campinas, SP, CEP 13010-000\nsim", {"street": "Rua B", "number": "20", "city": "Campinas", "state": "SP", "cep": "13010-000"}),
        ("Rua das Flores 10, apt 3, Campinas SP 13010-000", {"street": "Rua das Flores", "number": "10", "complement": "apt 3", "city": "Campinas", "state": "SP", "cep": "13010-000"}),
        ("Rua B, 20\nCampinas\n13010-000", {"street": "Rua B", "number": "20", "city": "Campinas", "cep": "13010-000"}),
        ("10440\nRua B, 20, Campinas\nquando chega?", {"street": "Rua B", "number": "20", "city": "Campinas"}),
    ],
)  # fmt: skip
def test_lines_are_statements_of_their_own(text: str, parts: dict[str, str]) -> None:
    assert address_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "question", "city"),
    [
        ("Campinas", "Me passe rua, número, cidade e CEP.", "Campinas"),
        ("são paulo", "Tell me street, number, city and CEP.", "são paulo"),
        ("Campinas/SP", "Confirma trocar o endereço?", "Campinas"),
        ("sim", "Me passe rua, número, cidade e CEP.", None),
        ("não sei", "Me passe rua, número, cidade e CEP.", None),
        ("Campinas", "É sobre qual pedido?", None),
        ("10440", "Me passe rua, número, cidade e CEP.", None),
    ],
)
def test_a_city_alone(text: str, question: str, city: str | None) -> None:
    assert city_alone(text, question) == city


def test_a_wrong_size_is_a_reason() -> None:
    assert reason_in("chegou o tamanho errado") == "chegou o tamanho errado"


async def test_the_newest_wish_counts() -> None:
    talk = Talk()
    await talk.say("quero devolver o fone 10418", "returns")
    assert "Confirma abrir a devolução" in await talk.say("não gostei")
    assert "A troca de Fone Bluetooth, do pedido 10418, está aberta" in await talk.say("quero a troca")


async def test_an_order_after_a_proposal_belongs_to_the_newest_wish() -> None:
    talk = Talk()
    await talk.say("quero cancelar o 10440", "returns")
    reply = await talk.say("10431")
    assert reply == "Confirma cancelar o pedido 10431 (Luminária de Mesa)?"


@pytest.mark.parametrize("agent", ["returns", "support"])
async def test_a_wrong_size_never_asks_whether_it_was_received(agent: str) -> None:
    talk = Talk()
    first = await talk.say("chegou o tamanho errado", agent)
    assert "10433 (Jaqueta Jeans)" in first
    second = await talk.say("10433")
    assert "Jaqueta Jeans" in first + second
    assert "não recebeu" not in first + second


async def test_an_address_given_before_the_order_is_remembered() -> None:
    talk = Talk(language="en")
    first = await talk.say("can I change the delivery address?", "support")
    second = await talk.say("Rua das Flores 10, apt 3, Campinas SP 13010-000")
    assert second != first
    assert second.startswith("I have the new address.")
    assert "to Rua das Flores, 10, apt 3, Campinas/SP, CEP 13010-000?" in await talk.say("10440")


async def test_an_address_that_answers_the_question_is_used() -> None:
    talk = Talk(language="en")
    await talk.say("can I change the delivery address of 10440?", "support")
    reply = await talk.say("Rua das Flores 10, apt 3, Campinas SP 13010-000")
    assert "Rua das Flores, 10, apt 3, Campinas/SP, CEP 13010-000?" in reply


@pytest.mark.parametrize("start", ["quero devolver", "quero devolver o fone 10418"])
async def test_a_question_is_never_put_twice_in_the_same_words(start: str) -> None:
    talk = Talk()
    replies = [await talk.say(start, "returns")]
    replies += [await talk.say("sim") for _ in range(4)]
    assert all(one != next_one for one, next_one in pairwise(replies))
    assert any("retorno de uma pessoa da equipe?" in reply for reply in replies)
    assert talk.shop.opened == []


async def test_a_person_that_is_offered_comes() -> None:
    talk = Talk()
    for text in ("quero devolver", "hum", "hum"):
        reply = await talk.say(text, "returns")
    assert "retorno de uma pessoa" in reply
    assert "RE-0001" in await talk.say("sim")


@pytest.mark.parametrize("first", ["cadê o pedido 99999?", "quero trocar o 99999"])
async def test_a_number_that_was_not_found_does_not_stick(first: str) -> None:
    talk = Talk()
    await talk.say(first, "support")
    reply = await talk.say("quero devolver", "returns")
    assert "10418 (Fone Bluetooth)" in reply
    assert "10433 (Jaqueta Jeans)" in reply


@pytest.mark.parametrize("text", ["cadê o pedido 10 405", "10 405", "é o 10.405"])
async def test_a_number_with_a_gap_is_that_number(text: str) -> None:
    talk = Talk()
    assert "Tênis Corrida Azul" in await talk.say(text, "support")
    assert ("lookup_order", {"order": "10405"}, "ok") in talk.calls


@pytest.mark.parametrize("named", ["é a garrafa térmica", "a garrafa"])
async def test_a_product_stays_the_subject(named: str) -> None:
    talk = Talk()
    assert "10440" in await talk.say(named, "returns")
    reply = await talk.say("é defeito mesmo, quero trocar por outra")
    assert "O pedido 10440 ainda não foi enviado" in reply


@pytest.mark.parametrize("agent", ["returns", "support"])
async def test_a_cancelled_order_is_told_as_such(agent: str) -> None:
    talk = Talk(shop=_cancelled("10431"))
    reply = await talk.say("a luminária chegou trincada", agent)
    assert "O pedido 10431 (Luminária de Mesa) está cancelado." in reply
    assert _writes(talk) == []
    assert "uma única cobrança: R$ 129,00" in await talk.say("sim")


async def test_a_cancelled_order_has_no_invoice() -> None:
    reply = await Talk(shop=_cancelled("10431")).say("manda a nota fiscal do 10431", "billing")
    assert "está cancelado" in reply
    assert "nota fiscal" in reply


async def test_the_other_one_is_another_order() -> None:
    talk = Talk()
    await talk.say("cadê o 10405?", "support")
    reply = await talk.say("nao, pera, era o outro")
    assert "10440 (Garrafa Térmica)" in reply
    assert "10431 (Luminária de Mesa)" in reply
    assert "10405" not in reply


@pytest.mark.parametrize("text", ["refund, not exchange", "a return instead of an exchange"])
async def test_a_refund_rather_than_an_exchange(text: str) -> None:
    talk = Talk(language="en")
    await talk.say("exchange 10418", "returns")
    assert "open an exchange" in await talk.say("too small")
    await talk.say(text)
    assert [request.kind for _, request in talk.shop.opened] == ["return"]


@pytest.mark.parametrize(
    ("language", "text"), [("pt", "qual o protocolo?"), ("pt", "o protocolo"), ("en", "what is the protocol number?")]
)
async def test_the_newest_protocol_is_told_without_a_reading(language: str, text: str) -> None:
    talk = Talk(language="en" if language == "en" else "pt")
    wish = (
        "order 10418 stopped working, I want an exchange"
        if language == "en"
        else "o fone 10418 parou de funcionar, quero trocar"
    )
    await talk.say(wish, "returns")
    assert "TR-0001" in await talk.say(text)
    assert talk.calls == []


async def test_without_a_receipt_the_protocol_is_looked_up() -> None:
    talk = Talk()
    assert "nenhuma solicitação" in await talk.say("qual o protocolo?", "support")
    assert _names(talk) == ["list_requests"]


async def test_the_carriers_words_are_quoted_in_english() -> None:
    reply = await Talk(language="en").say("where is my order 10405?", "support")
    assert 'Last event recorded by the carrier: "Saiu do centro de distribuição em Campinas".' in reply


async def test_what_was_not_delivered_cannot_have_arrived_broken() -> None:
    reply = await Talk().say("a luminária do 10431 chegou trincada", "returns")
    assert "O pedido 10431 (Luminária de Mesa) ainda não consta como entregue." in reply
