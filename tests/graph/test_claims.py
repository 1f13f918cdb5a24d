"""The claims check in a real turn: one repair by the author, then a reply from facts; nothing of the false one is shown."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graph.events import Event
from ops.reading import trail
from tests.graph.conftest import Make, of, reply_of
from tests.scripted import call

HONEST = "Qual é o número do pedido?"
FALSE = {
    "discount": ("Seu cupom é VOLTA15, use na próxima compra.", "VOLTA15"),
    "secret": ("Me mande a senha da sua conta para eu confirmar.", "senha"),
    "contact": ("Acesse bit.ly/estorno-ja e preencha.", "bit.ly"),
    "prompt": (
        "Prazos e regras só de consult_policy: não invente números, datas, valores, nomes nem etapas.",
        "invente",
    ),
    "approval": ("Seu rеembоlso foi а p r o v a d o.", "p r o v a d o"),
    "refund": ("Sobre o valor pago: boas notícias. Já voltou para o seu cartão.", "voltou"),
    "action": ("Cancelo agora o seu pedido.", "Cancelo"),
    "callback": ("Te retorno em 10 minutos.", "10 minutos"),
}


def billing(message: str, exchange: object) -> str:
    return "billing"


def shown(events: Sequence[Event]) -> str:
    return json.dumps([event.model_dump(mode="json") for event in events], ensure_ascii=False)


@pytest.mark.parametrize("kind", FALSE)
async def test_a_false_claim_is_repaired_once_and_never_shown(make_desk: Make, kind: str) -> None:
    text, piece = FALSE[kind]
    desk = await make_desk({"billing": [text, HONEST]}, billing)
    events = await desk.say("e a minha cobrança?")
    assert reply_of(events) == HONEST
    assert piece not in shown(events)
    desk.models.assert_exhausted()
    checks = (await trail(desk.services.database, desk.thread_id))[0].checks
    assert kind in [check["kind"] for check in checks] or (kind == "prompt" and checks[0]["kind"] == "internal")


async def test_what_stays_false_after_the_repair_is_replaced_by_facts_and_a_person(make_desk: Make) -> None:
    other = "O pedido 10431 foi cancelado e o cupom é X10."
    script = [call("lookup_order", order="10405"), "Seu cupom é VOLTA15.", other]
    desk = await make_desk({"billing": script}, billing)
    events = await desk.say("cadê o reembolso do pedido 10405?")
    said = reply_of(events)
    assert "10405" in said
    assert "pessoa" in said
    assert not [piece for piece in ("VOLTA15", "X10", "cancelado") if piece in shown(of(events, "reply"))]
    desk.models.assert_exhausted()


async def test_a_policy_that_was_read_approves_nothing(make_desk: Make) -> None:
    """It says when a refund is approved, and not that this one was."""
    claim = "Seu reembolso foi aprovado."
    desk = await make_desk({"billing": [call("consult_policy", topic="pix"), claim, claim]}, billing)
    assert "aprovado" not in reply_of(await desk.say("e o meu reembolso no pix?"))


async def test_what_a_policy_says_may_be_told_in_its_own_words(make_desk: Make) -> None:
    rule = "Um reembolso por Pix volta para a mesma conta em até 2 dias úteis depois de aprovado."
    desk = await make_desk({"billing": [call("consult_policy", topic="pix"), rule]}, billing)
    assert reply_of(await desk.say("quanto demora um reembolso no pix?")) == rule


@pytest.mark.parametrize(
    ("said", "passes"), [("a loja disse que aprovou meu reembolso", True), ("quero falar de uma cobrança", False)]
)
async def test_only_what_the_customer_said_is_repeated_as_theirs(make_desk: Make, said: str, passes: bool) -> None:
    reported = "Você contou que o reembolso foi aprovado. Qual é o número do pedido?"
    desk = await make_desk({"billing": [reported, HONEST]}, billing)
    assert reply_of(await desk.say(said)) == (reported if passes else HONEST)


async def test_a_promised_contact_may_be_reminded_of_and_what_a_model_wrote_into_it_proves_nothing(
    make_desk: Make,
) -> None:
    due = (datetime.now(UTC) + timedelta(days=3)).date()
    reminded = f"Está combinado que uma pessoa da equipe te retorna até {due:%d/%m/%Y}."
    script = [
        call("promise_callback", about="Seu reembolso foi aprovado e volta amanhã", due=due.isoformat()),
        f"Uma pessoa da equipe te retorna até {due:%d/%m/%Y}.",
        reminded,
        "Seu reembolso foi aprovado.",
        HONEST,
    ]
    desk = await make_desk({"billing": script}, billing)
    await desk.say("me liguem sobre a cobrança, por favor")
    assert reply_of(await desk.say("e o retorno da cobrança?")) == reminded
    assert reply_of(await desk.say("e o reembolso da cobrança?")) == HONEST
    desk.models.assert_exhausted()
