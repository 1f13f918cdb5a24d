"""People take over, and give back: the customer is told first, nobody talks over a person, and there is no dead end."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.limits import Limits
from graph.people import NotPossible
from graph.telling import release
from ops.maintenance import release_abandoned
from ops.people import item_view
from routing.calendar import OpeningHours
from tests.graph.acting import MONDAY, SetClock, items, meanwhile, person, rows, said
from tests.graph.conftest import Make, of, reply_of, tools_of
from tests.graph.test_loops import declines
from tests.graph.test_writes import effects, only
from tests.scripted import call

TICKET = call("open_billing_ticket", order="10405", kind="duplicate_charge")
LATE = datetime(2026, 12, 1, 1, 0, tzinfo=UTC)  # Monday, 22:00 in São Paulo


def endless(messages: object, kwargs: object) -> Any:
    endless_calls.append(1)
    return call("consult_policy", topic=f"assunto {len(endless_calls)}", id=f"c{len(endless_calls)}")


endless_calls: list[int] = []


@pytest.mark.parametrize(
    ("text", "scripts", "limits", "reason"),
    [
        ("quero falar com um atendente", {}, Limits(), "asked_for_human"),
        ("resolve isso pra mim", {"billing": declines("tracking"), "support": declines("duplicate_charge")}, Limits(), "loop_without_progress"),
        ("resolve isso pra mim", {"billing": declines("tracking")}, Limits(max_hops=0), "hop_limit"),
        ("qual a política?", {"billing": endless}, Limits(model_calls=3), "model_calls"),
        ("qual a política?", {"billing": ["", ""]}, Limits(), "empty_answer"),
    ],
)  # fmt: skip
async def test_every_road_to_a_person_tells_the_customer_and_queues_the_whole_picture(
    make_desk: Make, text: str, scripts: Any, limits: Limits, reason: str
) -> None:
    desk = await make_desk(scripts, only("billing"), limits=limits, clock=SetClock(MONDAY))
    events = await desk.say(text)
    assert of(events, "person")[0].reason == reason
    assert of(events, "person")[0].protocol in reply_of(events)
    assert "em alguns minutos" in reply_of(events)
    (item,) = await items(desk)
    assert (item.reason, item.status, item.kind) == (reason, "waiting", "conversation")
    assert item.package is not None
    assert [t["text"] for t in item.package["recent_turns"]][-1] == text


async def test_a_pending_question_goes_with_the_package(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Qual é o número do pedido?"]}, only("support"))
    await desk.say("cadê meu pacote?")
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    view = await item_view(desk.services.database, item.id, operator="marta", now=datetime.now(UTC))
    assert view is not None
    assert view.open_question == "Qual é o número do pedido?"


async def test_a_failed_turn_apologises_with_a_number_and_keeps_the_message(make_desk: Make) -> None:
    desk = await make_desk({"support": [RuntimeError("boom"), "Está a caminho."]}, only("support"))
    events = await desk.say("cadê meu pacote?", message_id="m-1")
    assert of(events, "done")[0].status == "failed"
    assert of(events, "error")[0].protocol in reply_of(events)
    assert reply_of(await desk.say("cadê meu pacote?", message_id="m-1")) == "Está a caminho."


async def test_a_person_who_answers_while_the_bot_thinks_is_the_only_one_heard(make_desk: Make) -> None:
    def model(messages: list[Any], kwargs: object) -> Any:
        if messages[-1].type != "tool":
            return TICKET
        speak()
        return "Pronto, abri o chamado."

    desk = await make_desk({"billing": model}, only("billing"))
    speak = meanwhile(lambda: person(desk, "reply", "Oi, aqui é a Marta."))
    events = await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    assert of(events, "reply") == []
    assert of(events, "discarded")
    assert of(events, "done")[0].status == "held"
    assert [(line.role, line.text) for line in await said(desk)][1:] == [("operator", "Oi, aqui é a Marta.")]
    (item,) = await items(desk)
    view = await item_view(desk.services.database, item.id, operator="marta", now=datetime.now(UTC))
    assert view is not None
    (overtaken,) = view.discarded
    assert "Pronto, abri o chamado." in overtaken.text
    assert [(e.tool, e.state) for e in overtaken.effects] == [("open_billing_ticket", "done")]
    assert overtaken.effects[0].protocol


async def test_a_write_after_a_person_took_the_word_is_not_done(make_desk: Make) -> None:
    def model(messages: list[Any], kwargs: object) -> Any:
        speak()
        return TICKET

    desk = await make_desk({"billing": model}, only("billing"))
    speak = meanwhile(lambda: person(desk, "claim"))
    events = await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    assert of(events, "done")[0].status == "held"
    assert await effects(desk) == []


async def test_queued_at_night_one_honest_sentence_and_the_bot_still_reads(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": [call("lookup_order", order="10431"), call("open_delivery_ticket", order="10431", kind="delayed"), "Ainda não saiu."]},
        only("support"), clock=SetClock(LATE),
    )  # fmt: skip
    told = reply_of(await desk.say("quero falar com um atendente"))
    assert "a partir de 01/12 às 09:00" in told
    assert "minutos" not in told
    events = await desk.say("cadê o pedido 10431? abre um chamado de atraso")
    assert dict(tools_of(events)) == {"lookup_order": "ok", "open_delivery_ticket": "refused"}
    (item,) = await items(desk)
    assert "abre um chamado de atraso" in item.notes[-1].text


async def test_where_nobody_ever_answers_no_hour_is_promised_and_the_item_is_kept(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"), hours=OpeningHours(days={}))
    events = await desk.say("quero falar com um atendente")
    assert "assim que alguém da equipe estiver disponível" in reply_of(events)
    assert [i.status for i in await items(desk)] == ["waiting"]


@pytest.mark.parametrize("text", ["o atendente de ontem me prometeu um estorno", "não quero atendente, só o código"])
async def test_speaking_of_an_attendant_is_not_asking_for_one(make_desk: Make, text: str) -> None:
    desk = await make_desk({"support": ["Vou ver."]}, only("support"))
    assert of(await desk.say(text), "person") == []
    assert await items(desk) == []


@pytest.mark.parametrize("text", ["quero falar com gente", "atendente", "humano pfv"])
async def test_asking_first_thing_is_honoured_without_a_model(make_desk: Make, text: str) -> None:
    desk = await make_desk({}, only("support"))
    assert of(await desk.say(text), "person")[0].status == "waiting"
    assert desk.decider.asked == []


class Reads:
    """Finds fraud in whatever it is given."""

    async def read(self, texts: Sequence[str]) -> frozenset[str]:
        return frozenset(("fraud",)) if texts else frozenset()


async def test_what_only_examples_find_goes_to_a_person_and_the_trail_says_so(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"), reader=Reads())
    (decided,) = of(await desk.say("tem um estranho comprando em meu lugar"), "decision")

    assert (decided.decision.reason, decided.decision.detail) == ("sensitive", "by_example")
    assert [(item.reason, item.about) for item in await items(desk)] == [("sensitive", "fraud")]
    assert desk.decider.asked == []


async def test_the_order_that_is_known_is_not_asked_for_again(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Está a caminho."]}, only("support"))
    await desk.say("cadê o pedido 10405?")
    assert "número do pedido" not in reply_of(await desk.say("quero falar com um atendente"))


async def test_asking_twice_is_one_item_and_asking_after_it_is_over_is_another(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    await desk.say("quero falar com um atendente")
    await desk.say("cadê o atendente? quero um atendente")
    assert len(await items(desk)) == 1
    await person(desk, "claim")
    await person(desk, "hand_back")
    await desk.say("quero falar com um atendente")
    await desk.say("quero um atendente")
    assert [i.status for i in await items(desk)] == ["resolved", "waiting"]


async def test_claimed_told_replied_and_handed_back(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Como a Marta disse, chega amanhã."]}, only("support"))
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    assert of(await person(desk, "claim", item_id=item.id), "person")[0].status == "held"
    assert (await said(desk))[-1].text.startswith("marta assumiu a conversa")
    assert of(await desk.say("oi?"), "done")[0].status == "held"
    await person(desk, "reply", "Chega amanhã.", item_id=item.id)
    await person(desk, "hand_back", item_id=item.id)
    lines = [(line.role, line.author) for line in await said(desk)]
    assert lines[-2:] == [("operator", "marta"), ("system", None)]
    assert (await said(desk))[-1].text.startswith("Voltei a te atender")
    assert reply_of(await desk.say("então chega quando?")).startswith("Como a Marta disse")
    given = [m.text for m in desk.models.models["support"].asked[0]["messages"]]
    assert any("[marta] Chega amanhã." in text for text in given)
    assert [i.status for i in await items(desk)] == ["resolved"]


async def test_a_colleague_cannot_take_speak_in_or_close_what_somebody_has(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    await person(desk, "claim", item_id=item.id)
    for kind in ("claim", "reply", "hand_back", "resolve"):
        with pytest.raises(NotPossible, match="claimed_by_another"):
            await person(desk, kind, "oi", item_id=item.id, operator="caio")
        with pytest.raises(NotPossible, match="held_by_another"):
            await person(desk, kind, "oi", operator="caio")
    await person(desk, "note", "posso ajudar", item_id=item.id, operator="caio")
    assert [n.author for n in (await items(desk))[0].notes] == ["caio"]


async def test_an_action_on_what_is_over_or_elsewhere_is_refused(make_desk: Make) -> None:
    desk, other = await make_desk({}, only("support")), await make_desk({}, only("support"))
    await desk.say("quero falar com um atendente")
    await other.say("quero falar com um atendente")
    (item,) = await items(desk)
    with pytest.raises(NotPossible, match="no_such_item"):
        await person(other, "claim", item_id=item.id)
    await person(desk, "resolve", item_id=item.id)
    with pytest.raises(NotPossible, match="over"):
        await person(desk, "claim", item_id=item.id)
    with pytest.raises(NotPossible, match="empty"):
        await person(desk, "reply", " \u200b ")


async def test_resolving_tells_the_customer_and_ends_the_contact(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    await desk.say("quero falar com um atendente")
    await person(desk, "claim")
    await person(desk, "reply", "Resolvido por aqui.")
    await person(desk, "resolve")
    (item,) = await items(desk)
    assert item.protocol in (await said(desk))[-1].text
    (contact,) = await rows(desk, "select status, outcome from contacts")
    assert contact["status"] == "handed_over"
    assert contact["outcome"]["by"] == "marta"


async def test_a_person_may_step_in_where_nobody_was_called(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Está a caminho.", "De nada."]}, only("support"))
    await desk.say("cadê meu pacote?")
    await person(desk, "reply", "Oi, aqui é a Marta: já saiu.")
    assert [(i.reason, i.status, i.operator) for i in await items(desk)] == [("stepped_in", "claimed", "marta")]
    assert of(await desk.say("ah, ok"), "done")[0].status == "held"
    await person(desk, "hand_back")
    assert reply_of(await desk.say("e a nota fiscal?")) == "De nada."


@pytest.mark.parametrize("told", ["já resolvi, não precisa mais", "já resolvi aqui, obrigada!"])
async def test_solved_while_waiting_takes_the_item_back(make_desk: Make, told: str) -> None:
    desk = await make_desk({}, only("support"))
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    events = await desk.say(told)
    assert item.protocol in reply_of(events)
    assert "retirei" in reply_of(events)
    assert of(events, "decision")[0].decision.reason == "waiting_person"
    assert [i.status for i in await items(desk)] == ["withdrawn"]
    assert desk.decider.asked == []


async def test_words_about_it_are_added_to_the_item_that_waits(make_desk: Make) -> None:
    vague = {"support": 0.4, "billing": 0.3, "returns": 0.2, "needs_question": 0.1}
    desk = await make_desk({}, lambda m, e: vague)
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    events = await desk.say("é aquele caso da semana passada, do presente da minha mãe")
    assert reply_of(events) == f"Anotei isso no protocolo {item.protocol}, para a pessoa que vai te atender."
    assert [(n.author, n.text) for n in (await items(desk))[0].notes] == [
        ("customer", "é aquele caso da semana passada, do presente da minha mãe")
    ]


async def test_another_subject_while_waiting_is_answered_and_not_noted(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": ["Está a caminho."], "billing": ["Foi no Pix."]},
        lambda m, e: "billing" if "paguei" in m else "support",
    )
    await desk.say("cadê meu pacote?")
    await desk.say("quero falar com um atendente")
    assert reply_of(await desk.say("como eu paguei esse pedido?")) == "Foi no Pix."
    assert (await items(desk))[0].notes == ()


async def test_after_self_harm_the_bot_serves_nothing_else_until_a_person_comes(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    assert "188" in reply_of(await desk.say("não aguento mais viver, quero me matar"))
    events = await desk.say("cadê meu pacote?")
    assert "Anotei isso" in reply_of(events)
    (item,) = await items(desk)
    assert item.priority >= 90


async def test_who_is_upset_is_seen_first(make_desk: Make) -> None:
    calm, angry = await make_desk({}, only("support")), await make_desk({}, only("support"))
    await calm.say("quero falar com um atendente")
    await angry.say("isso é um absurdo, quero falar com um atendente")
    assert (await items(angry))[0].priority > (await items(calm))[0].priority


async def test_a_claim_that_nobody_works_on_times_out_and_the_bot_speaks_again(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({"support": ["Está a caminho."]}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    await person(desk, "claim")
    clock.pass_(minutes=20)
    await person(desk, "reply", "Um momento, estou vendo.")
    clock.pass_(minutes=20)
    assert await release_abandoned(desk.services, timedelta(minutes=30)) == 0
    clock.pass_(minutes=20)
    assert await release_abandoned(desk.services, timedelta(minutes=30)) == 1
    (item,) = await items(desk)
    assert (item.status, item.operator) == ("waiting", None)
    assert item.protocol in (await said(desk))[-1].text
    assert reply_of(await desk.say("cadê meu pacote?")) == "Está a caminho."
    assert await release(desk.services, item) is False


def to_operator(**scripts: Any) -> dict[str, Any]:
    return {"confirm": {"open_billing_ticket": "operator"}} | scripts


async def test_an_approved_action_is_executed_once_and_told(make_desk: Make) -> None:
    desk = await make_desk({"billing": [TICKET, "Pedi a aprovação."]}, only("billing"), **to_operator())
    events = await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    assert tools_of(events) == [("open_billing_ticket", "proposed")]
    assert await effects(desk) == []
    (item,) = await items(desk)
    assert item.kind == "approval"
    approved = await person(desk, "approve", item_id=item.id)
    receipt = (await effects(desk))[0]["receipt"]["protocol"]
    assert receipt in reply_of(approved)
    assert [i.status for i in await items(desk)] == ["resolved"]
    with pytest.raises(NotPossible, match="nothing_to_decide"):
        await person(desk, "approve", item_id=item.id)
    assert len(await effects(desk)) == 1
    assert {r["rule"] for r in await rows(desk, "select rule from audit where actor = 'operator:marta'")} == {"approve"}


async def test_a_rejected_action_is_not_done_and_told(make_desk: Make) -> None:
    desk = await make_desk({"billing": [TICKET, "Pedi a aprovação."]}, only("billing"), **to_operator())
    await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    (item,) = await items(desk)
    assert "não aprovou" in reply_of(await person(desk, "reject", item_id=item.id))
    assert await effects(desk) == []
    assert [i.status for i in await items(desk)] == ["resolved"]


async def test_an_approval_of_what_changed_meanwhile_changes_nothing(make_desk: Make) -> None:
    address = {"order": "10431", "street": "Rua das Flores", "number": "254", "city": "São Paulo", "cep": "01310-100"}
    desk = await make_desk(
        {"support": [call("update_address", **address), "Pedi a aprovação."]}, only("support"), confirm={"update_address": "operator"}
    )  # fmt: skip
    await desk.say("troca o endereço do pedido 10431 pra Rua das Flores, 254, São Paulo, cep 01310-100")
    await rows(desk, "update shop.orders set version = version + 1 where id = '10431' returning id")
    (item,) = await items(desk)
    events = await person(desk, "approve", item_id=item.id)
    assert "mudaram" in reply_of(events)
    assert await effects(desk) == []


async def test_a_colleagues_approval_is_the_colleagues(make_desk: Make) -> None:
    desk = await make_desk({"billing": [TICKET, "Pedi a aprovação."]}, only("billing"), **to_operator())
    await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    (item,) = await items(desk)
    await person(desk, "claim", item_id=item.id, operator="caio")
    assert (await rows(desk, "select held_by from conversations"))[0]["held_by"] is None
    with pytest.raises(NotPossible, match="claimed_by_another"):
        await person(desk, "approve", item_id=item.id)
    await person(desk, "approve", item_id=item.id, operator="caio")
    assert len(await effects(desk)) == 1
