"""The seven scenarios in substance, and what a person tries next. Every reply is also held against the record by `Talk`."""

import re

import pytest

from tests.agents.conversing import Talk
from tests.tools.fake_shop import VISITOR, FakeShop, customer
from tools.contract import Outcome, Refusal


def _names(talk: Talk) -> list[str]:
    return [name for name, _, _ in talk.calls]


async def test_a_duplicate_charge_from_delivery_to_money() -> None:
    talk = Talk()
    reply = await talk.say("oi, meu tênis do pedido 10405 ainda não chegou, cadê?", "support")
    assert "RT123456789BR" in reply
    assert "02/12/2026" in reply
    assert reply.startswith("Oi, Ana!")
    reply = await talk.say("aproveitando, vi que me cobraram duas vezes esse pedido no pix", "billing")
    assert "2 cobranças" in reply
    assert "10405" in reply
    assert talk.shop.opened == []
    reply = await talk.say("pode abrir")
    ((_, request),) = talk.shop.opened
    assert request.kind == "duplicate_charge"
    assert request.protocol in reply
    reply = await talk.say("beleza, e em quanto tempo volta o dinheiro?")
    assert "Pix volta em até 2 dias úteis" in reply
    assert "faturas" not in reply
    reply = await talk.say("mas no extrato aparecem duas")
    assert request.protocol in reply
    assert len(talk.shop.opened) == 1


async def test_a_defect_is_exchanged_with_a_next_step() -> None:
    talk = Talk()
    reply = await talk.say("o fone do pedido 10418 parou de funcionar, quero trocar", "returns")
    ((_, request),) = talk.shop.opened
    assert (request.kind, request.item_id, request.detail) == ("exchange", "1", "parou de funcionar")
    assert request.protocol in reply
    assert "Próximo passo" in reply
    reply = await talk.say("quero trocar o fone")
    assert "já está aberta" in reply
    assert request.protocol in reply
    assert len(talk.shop.opened) == 1


async def test_an_address_is_corrected_once_and_then_read() -> None:
    talk = Talk()
    asked = await talk.say("o número do endereço do pedido 10431 está errado, o certo é 253", "support")
    assert asked.startswith("Confirma")
    assert asked.endswith("?")
    assert talk.shop.rows["10431"].address.number == "245"
    assert "253" in await talk.say("sim")
    assert "254" in await talk.say("errei, o número é 254")
    assert "254" in await talk.say("isso")
    assert talk.shop.rows["10431"].address.number == "254"
    reply = await talk.say("ok rs. então o endereço já ficou certo né?")
    assert _names(talk) == ["lookup_order"]
    assert "Rua das Flores, 254" in reply


async def test_a_correction_before_the_yes_keeps_the_rest_of_the_address() -> None:
    talk = Talk()
    await talk.say(
        "quero mudar o endereço do 10431 para Rua das Acácias, 12, Centro, Campinas, CEP 13010-000", "support"
    )
    reply = await talk.say("errei, o número é 254")
    assert "Rua das Acácias, 254, Centro, Campinas/SP, CEP 13010-000" in reply
    await talk.say("pode")
    assert talk.shop.rows["10431"].address.number == "254"
    assert talk.shop.rows["10431"].address.city == "Campinas"


async def test_a_disputed_single_charge_goes_to_a_person() -> None:
    talk = Talk()
    reply = await talk.say("fui cobrada de novo no pix do pedido 10418", "billing")
    assert "única cobrança: R$ 189,90" in reply
    assert talk.shop.opened == []
    reply = await talk.say("mas no extrato aparecem duas")
    assert _names(talk) == ["open_review"]
    ((about, order, _),) = talk.desk.items.values()
    assert "no extrato aparecem duas" in about
    assert order == "10418"
    assert "AN-0001" in reply


async def test_anothers_order_and_nobodys_give_the_same_sentence() -> None:
    talk = Talk()
    foreign = await talk.say("cadê o pedido 10412?", "support")
    assert await talk.say("e o 99999?") == foreign
    assert "não encontrei" in foreign.lower()


@pytest.mark.parametrize(
    "text",
    ["paguei no cartão o pedido 10418, o que foi cobrado?", "no cartão veio a cobrança do pedido 10418 duas vezes"],
)
async def test_a_different_payment_method_is_named(text: str) -> None:
    reply = await Talk().say(text, "billing")
    assert "Você falou em cartão, mas no pedido 10418 o pagamento consta por Pix." in reply


async def test_a_conflict_from_earlier_is_named_once() -> None:
    talk = Talk()
    await talk.say("o pedido 10418 ainda não chegou? paguei no cartão o pedido 10418", "support")
    first = await talk.say("o que foi cobrado no 10418?", "billing")
    assert "Você falou em cartão" in talk.dialogue[1].text + first
    assert "Você falou em cartão" not in await talk.say("e quanto foi cobrado mesmo?")


@pytest.mark.parametrize(
    ("start", "text", "goes_to"),
    [
        ("support", "me cobraram duas vezes o 10405", "billing"),
        ("support", "quero devolver o fone", "returns"),
        ("support", "preciso da nota fiscal do 10418", "billing"),
        ("returns", "quando o estorno cai no cartão?", "billing"),
        ("returns", "quero trocar o endereço de entrega do 10431", "support"),
        ("returns", "cadê meu pedido 10405? qual a transportadora", "support"),
        ("billing", "quero cancelar o pedido 10440", "returns"),
        ("billing", "o tênis não chegou, cadê o rastreio?", "support"),
        ("billing", "meu fone veio com defeito", "returns"),
        ("support", "I was charged twice", "billing"),
    ],
)
async def test_a_colleagues_subject_is_passed_on_with_its_reason(start: str, text: str, goes_to: str) -> None:
    talk = Talk(language="en" if "charged" in text else "pt")
    await talk.say(text, start)
    assert talk.agent == goes_to
    assert [(source, target) for source, target, _ in talk.handoffs] == [(start, goes_to)]


async def test_the_order_is_known_after_a_transfer() -> None:
    talk = Talk()
    await talk.say("cadê o pedido 10405?", "support")
    reply = await talk.say("e me cobraram em dobro")
    assert talk.agent == "billing"
    assert ("lookup_order", {"order": "10405"}, "ok") in talk.calls
    assert "10405" in reply


async def test_one_candidate_is_used_and_named() -> None:
    shop = FakeShop()
    for order in ("10431", "10440"):
        shop.change(order, status="cancelled")
    reply = await Talk(shop=shop).say("cadê meu pedido?", "support")
    assert "10405" in reply
    assert "Tênis Corrida Azul" in reply


async def test_several_candidates_are_offered_by_product_and_number() -> None:
    talk = Talk()
    reply = await talk.say("cadê meu pedido?", "support")
    assert "10431 (Luminária de Mesa)" in reply
    assert "10405 (Tênis Corrida Azul)" in reply
    assert "10418" not in reply
    assert "10431" in await talk.say("o segundo")


@pytest.mark.parametrize("answer", ["o fone", "10418", "o primeiro", "é o do fone bluetooth"])
async def test_an_answer_goes_on_with_what_was_asked(answer: str) -> None:
    talk = Talk()
    await talk.say("quero devolver", "returns")
    reply = await talk.say(answer)
    assert "Fone Bluetooth" in reply
    assert "motivo" in reply
    reply = await talk.say("não gostei da cor")
    assert reply.startswith("Confirma abrir a devolução de Fone Bluetooth")
    await talk.say("sim")
    assert [request.detail for _, request in talk.shop.opened] == ["não gostei da cor"]


async def test_a_product_name_finds_its_order() -> None:
    talk = Talk()
    await talk.say("manda a nota fiscal da jaqueta", "billing")
    assert talk.calls[-1] == ("get_document", {"order": "10433", "kind": "invoice"}, "ok")


async def test_a_cancellation_is_confirmed_first() -> None:
    talk = Talk()
    assert (
        await talk.say("quero cancelar a garrafa", "returns") == "Confirma cancelar o pedido 10440 (Garrafa Térmica)?"
    )
    assert talk.shop.rows["10440"].status == "paid"
    assert "foi cancelado" in await talk.say("sim")
    assert talk.shop.rows["10440"].status == "cancelled"


async def test_a_late_order_is_told_and_a_ticket_put_to_the_customer() -> None:
    talk = Talk(who=customer("c2"))
    reply = await talk.say("cadê a minha cafeteira?", "support")
    assert "está atrasado" in reply
    assert reply.endswith("Confirma abrir um chamado de atraso na entrega para o pedido 10412?")
    await talk.say("pode ser")
    assert [request.kind for _, request in talk.shop.opened] == ["delayed"]


async def test_a_pending_refund_is_answered_by_its_payment_method() -> None:
    reply = await Talk(who=customer("c3")).say("cadê meu reembolso?", "billing")
    assert "R$ 229,00" in reply
    assert "cartão" in reply
    assert "Pix" not in reply


async def test_an_overdue_boleto_comes_with_its_new_date() -> None:
    reply = await Talk(who=customer("c2")).say("preciso da segunda via do boleto", "billing")
    assert "03/12/2026" in reply
    assert "boleto-10420" in reply


async def test_someone_upset_gets_one_phrase_and_not_twice() -> None:
    talk = Talk()
    first = await talk.say("que absurdo!! cadê o pedido 10405", "support")
    second = await talk.say("é uma vergonha!! cadê o pedido 10405")
    assert first.startswith("Sinto muito pelo transtorno. ")
    assert "Sinto muito" not in second


async def test_what_is_not_understood_is_asked_once_in_the_same_words() -> None:
    talk = Talk()
    first = await talk.say("hmm blergh", "support")
    assert first.endswith("?")
    assert await talk.say("hmm blergh") != first


async def test_registration_data_are_offered_a_person() -> None:
    talk = Talk()
    await talk.say("quero mudar meu e-mail do cadastro", "support")
    reply = await talk.say("quero sim")
    ((about, _, _),) = talk.desk.items.values()
    assert "mudar meu e-mail" in about
    assert "RE-0001" in reply


async def test_a_contact_is_promised_only_by_its_receipt_and_for_the_named_day() -> None:
    talk = Talk()
    reply = await talk.say("me liguem até sexta, por favor", "support")
    ((_, _, due),) = talk.desk.items.values()
    assert due is not None
    assert due.isoformat() == "2026-12-04T18:00:00-03:00"
    assert "04/12/2026" in reply


@pytest.mark.parametrize(
    "text",
    [
        "o atendente ficou de me retornar", "a moça do chat prometeu me ligar ontem", "disseram que iam entrar em contato", "vocês ficaram de me retornar",
        "o vendedor me retornou ontem", "o gerente da loja vai me ligar", "ele falou que alguém me liga até sexta", "era pra me ligar hoje cedo",
        "ficou combinado de entrar em contato comigo", "the agent said he would call me", "they promised to get back to me", "someone was supposed to contact me",
    ],
)  # fmt: skip
@pytest.mark.parametrize("agent", ["support", "billing", "returns"])
async def test_a_report_of_somebody_elses_promise_asks_for_no_contact(text: str, agent: str) -> None:
    talk = Talk(language="en" if text.startswith(("the", "some")) else "pt")
    await talk.say(text, agent)
    assert talk.desk.items == {}
    assert "promise_callback" not in [name for name, *_ in talk.calls]


@pytest.mark.parametrize(
    "text",
    [
        "me retornem até sexta", "alguém me retorna até sexta?", "o atendente ficou de me retornar, mas me liguem hoje por favor",
        "prometeram resolver. me liga amanhã", "peça para o gerente me ligar", "podem entrar em contato comigo?", "eu disse para me ligar",
        "vocês me retornam quando?", "please call me", "he said it is fine, but call me", "would you call me tomorrow?", "i said call me",
    ],
)  # fmt: skip
async def test_a_contact_that_is_asked_for_is_promised(text: str) -> None:
    talk = Talk()
    await talk.say(text, "support")
    assert [about for about, _, _ in talk.desk.items.values()] != []


async def test_a_visitor_is_asked_to_prove_and_then_served() -> None:
    talk = Talk(who=VISITOR)
    reply = await talk.say("cadê o pedido 10405?", "support")
    assert "dois destes dados" in reply
    reply = await talk.say("meu email é ana.souza@example.com e o cep 01310-100, pedido 10405")
    assert "em trânsito" in reply
    assert talk.calls[0] == (
        "verify_identity", {"order": "10405", "email": "ana.souza@example.com", "cep": "01310-100"}, "ok",
    )  # fmt: skip


async def test_english_is_answered_in_english() -> None:
    talk = Talk(language="en")
    assert "in transit" in await talk.say("where is my order 10405?", "support")
    reply = await talk.say("the headphones I mean the fone stopped working, I want an exchange for order 10418")
    assert talk.agent == "returns"
    assert "is open. Protocol TR-" in reply
    assert not re.search(r"pedido|está aberta", reply)


async def test_a_silent_shop_is_told_as_it_is() -> None:
    reply = await Talk(shop=FakeShop(down={"order", "orders"})).say("cadê o pedido 10405?", "support")
    assert reply == "O sistema de pedidos não respondeu agora. Nada foi alterado."


@pytest.mark.parametrize("answer", ["10440", "é o 10440 sim", "sim"])
async def test_an_order_that_only_we_named_is_asked_for_before_it_is_acted_on(answer: str) -> None:
    talk = Talk(strict=True)
    reply = await talk.say("quero cancelar a garrafa", "returns")
    assert reply.startswith("Só para eu não errar: é o pedido 10440 (Garrafa Térmica)?")
    reply = await talk.say(answer)
    if answer == "sim":
        assert "escreva o número do pedido aqui: 10440" in reply
        reply = await talk.say("10440")
    assert reply.startswith("Confirma cancelar o pedido 10440")


async def test_an_answer_that_sounds_like_a_subject_stays_an_answer() -> None:
    talk = Talk(strict=True)
    await talk.say("quero devolver a jaqueta", "returns")
    assert "10433" in await talk.say("tá com defeito no zíper")
    await talk.say("10433")
    assert talk.calls[-1][:2] == (
        "open_return_request",
        {"order": "10433", "item": "Jaqueta Jeans", "kind": "return", "reason": "tá com defeito no zíper"},
    )


@pytest.mark.parametrize(
    ("text", "agent", "called"),
    [
        ("qro devlover o fone, me arepedi", "returns", "lookup_order"),
        ("kd meu tenis n chegou", "support", "lookup_order"),
        ("cade o reenbolso do 10405", "billing", "consult_policy"),
        ("me cobrarao em dobro o 10405", "billing", "open_billing_ticket"),
    ],
)
async def test_hurried_spelling_is_understood(text: str, agent: str, called: str) -> None:
    talk = Talk()
    await talk.say(text, agent)
    assert talk.agent == agent
    assert called in _names(talk)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("identity", "preciso saber que ele é seu"),
        ("waiting", "só consigo consultar"),
        ("posture", "não consigo fazer por aqui"),
    ],
)
async def test_words_meant_for_a_model_never_reach_the_customer(code: str, expected: str) -> None:
    class Denying(Talk):
        async def _call(self, name: str, args: dict[str, object], text: str) -> tuple[Outcome, str, str | None]:
            refusal = Refusal(code=code, because="lookup_order needs identity matched", next="")
            return Outcome(status="refused", refusal=refusal), "refused", None

    reply = await Denying().say("cadê o pedido 10405?", "support")
    assert expected in reply
    assert "lookup_order" not in reply
