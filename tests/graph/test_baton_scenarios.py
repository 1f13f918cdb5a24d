"""The baton, scenario by scenario: what is carried over, what stays a suspicion, what was promised, and who ends a circle.

(a) to (j) as the product promises them, with scripted models, so that only the rules are on trial.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from graph.limits import Limits
from ops.follow_ups import queue_follow_ups
from ops.people import item_view, queue_view
from ops.reading import transfers
from storage.records import commitments
from tests.graph.acting import MONDAY, SetClock, items, meanwhile, person, said
from tests.graph.conftest import Desk, Make, of, reply_of, tools_of
from tests.graph.test_loops import declines
from tests.graph.test_writes import effects, only
from tests.scripted import call, calls

TRACKING = "AA123456789BR"


def by_word(message: str, exchange: object) -> Any:
    for word, agent in (("cobr", "billing"), ("assinatura", "billing"), ("trocar", "returns"), ("devol", "returns")):
        if word in message:
            return agent
    return "support"


def system_of(desk: Desk, agent: str, call_number: int = -1) -> str:
    """The one system message that a specialist was given."""
    return desk.models.models[agent].asked[call_number]["messages"][0].text


async def test_a_the_order_that_support_learned_is_not_asked_for_by_billing(make_desk: Make) -> None:
    desk = await make_desk(
        {
            "support": [call("lookup_order", order="10405"), call("not_mine", reason="duplicate_charge", detail="duas cobranças")],
            "billing": ["Vejo duas cobranças no pedido 10405."],
        },
        only("support"),
    )  # fmt: skip
    events = await desk.say("o pedido 10405 não chegou, e veio duas vezes na fatura")
    handed = of(events, "handoff")[-1]
    assert (handed.from_agent, handed.to_agent, handed.reason) == ("support", "billing", "duplicate_charge")
    assert ("order", "10405") in [(f["key"], f["value"]) for f in handed.facts]
    assert "@order:10405" in system_of(desk, "billing")
    assert reply_of(events) == "Vejo duas cobranças no pedido 10405."


async def test_b_a_suspicion_stays_one_over_two_hops(make_desk: Make) -> None:
    suspects = calls(
        ("note_hypothesis", {"key": "subscription", "value": "cancelada", "confidence": 0.6}),
        ("not_mine", {"reason": "duplicate_charge", "detail": "assinatura"}),
    )
    desk = await make_desk(
        {
            "support": [suspects],
            "billing": [call("not_mine", reason="exchange", detail="quer trocar")],
            "returns": ["Qual item você quer trocar?"],
        },
        only("support"),
    )
    events = await desk.say("minha assinatura parou, foi cobrada e quero outra coisa")
    assert [h.to_agent for h in of(events, "handoff")] == ["support", "billing", "returns"]
    for agent in ("billing", "returns"):
        briefing = system_of(desk, agent)
        assert 'hypothesis subscription = "cancelada" | support 0.60' in briefing
        assert "fact subscription" not in briefing
    for package in (await transfers(desk.services.database, desk.thread_id))[1:]:
        assert [(h["key"], h["value"]) for h in package.body["hypotheses"]] == [("subscription", "cancelada")]
        assert "subscription" not in [f["key"] for f in package.body["facts"]]


async def test_c_a_promise_for_friday_survives_hops_and_forty_turns_and_is_queued_on_thursday(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    about = "Confirmar com a transportadora e retornar até sexta sobre o pedido 10405"

    def support(messages: list[Any], kwargs: object) -> AIMessage | str:
        asked = messages[-1]
        if asked.type == "human" and "me retorna" in asked.text:
            return call("promise_callback", about=about, due="2026-12-04")
        return "Combinado." if asked.type == "tool" else "Está a caminho."

    answers = {"support": support, "billing": lambda m, k: "Foi no Pix.", "returns": lambda m, k: "Qual item?"}
    desk = await make_desk(answers, by_word, clock=clock)
    await desk.say("alguém me retorna até sexta sobre o pedido 10405?")
    for text in ("e a cobrança?", "quero trocar o tênis", "e cadê o pacote?"):
        assert of(await desk.say(text), "handoff")
    for number in range(40):
        clock.pass_(minutes=5)
        await desk.say(f"e o pacote, alguma novidade? ({number})")
    await desk.say("aliás, e a cobrança?")
    last = (await transfers(desk.services.database, desk.thread_id))[-1]
    assert [(c["text"], c["origin"], c["status"]) for c in last.body["commitments"]] == [
        (about, "promise_callback", "open")
    ]
    assert about in system_of(desk, "billing")

    clock.at = datetime(2026, 12, 3, 11, 59, tzinfo=UTC)  # Thursday, one minute before opening
    assert await queue_follow_ups(desk.services) == 0
    clock.pass_(minutes=1)
    assert await queue_follow_ups(desk.services) == 1
    assert await queue_follow_ups(desk.services) == 0
    view = await queue_view(desk.services.database, operator="marta", now=clock.now())
    assert (view.entries[0].about, view.entries[0].kind) == (about, "callback")
    clock.at = datetime(2026, 12, 4, 21, 30, tzinfo=UTC)  # Friday evening: nobody called
    assert await queue_follow_ups(desk.services) == 1
    async with desk.services.database.connection() as conn:
        assert [c.status for c in await commitments.all_of(conn, desk.thread_id)] == ["overdue"]
    (item,) = await items(desk)
    await person(desk, "resolve", item_id=item.id)
    async with desk.services.database.connection() as conn:
        assert [c.status for c in await commitments.all_of(conn, desk.thread_id)] == ["kept"]


@pytest.mark.parametrize("new", [False, True])
async def test_d_back_without_a_new_fact_is_a_person_and_with_a_tracking_code_allowed(
    make_desk: Make, new: bool
) -> None:
    back = call("not_mine", reason="tracking", detail=f"rastreio {TRACKING}" if new else "rastreio")
    looked_up = call("lookup_order", order="10405")
    desk = await make_desk(
        {
            "support": [call("not_mine", reason="duplicate_charge", detail="cobrança"), "Achei o rastreio."],
            "billing": [looked_up, back] if new else [back],
        },
        only("support"),
    )
    events = await desk.say("resolve isso pra mim" if not new else "resolve isso pra mim, pedido 10405")
    route = [h.to_agent for h in of(events, "handoff")]
    if new:
        assert route == ["support", "billing", "support"]
        assert of(events, "person") == []
        assert any(f["key"] == "tracking" for f in of(events, "handoff")[-1].facts)
        assert reply_of(events) == "Achei o rastreio."
    else:
        assert route == ["support", "billing"]
        assert of(events, "person")[0].reason == "loop_without_progress"


async def test_e_the_fourth_hop_goes_to_a_person(make_desk: Make) -> None:
    def reads_then_declines(order: str, reason: str) -> Any:
        return [call("lookup_order", order=order), call("not_mine", reason=reason, detail="não é meu")]

    desk = await make_desk(
        {
            "support": [*reads_then_declines("10405", "duplicate_charge"), *reads_then_declines("10431", "exchange")],
            "billing": reads_then_declines("10418", "exchange"),
            "returns": [call("not_mine", reason="tracking", detail="rastreio")],
        },
        only("support"),
    )
    events = await desk.say("resolve isso pra mim: pedidos 10405, 10418 e 10431")
    assert [h.to_agent for h in of(events, "handoff")] == ["support", "billing", "returns", "support"]
    assert of(events, "person")[0].reason == "hop_limit"
    assert of(events, "person")[0].protocol in reply_of(events)


async def test_f_asked_for_a_person_told_served_read_only_claimed_and_handed_back(make_desk: Make) -> None:
    desk = await make_desk(
        {
            "support": [call("lookup_order", order="10431"), "Ainda não saiu.", "Como a Marta disse, já está resolvido."],
            "billing": [call("open_billing_ticket", order="10405", kind="duplicate_charge"), "Anotei para a equipe."],
        },
        by_word,
    )  # fmt: skip
    told = await desk.say("quero falar com um atendente")
    assert of(told, "person")[0].protocol in reply_of(told)
    assert tools_of(await desk.say("cadê o pedido 10431?")) == [("lookup_order", "ok")]
    asked = await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    assert tools_of(asked) == [("open_billing_ticket", "refused")]
    assert await effects(desk) == []
    await person(desk, "claim")
    await person(desk, "reply", "Oi, aqui é a Marta, já resolvi.")
    assert of(await desk.say("obrigada, Marta"), "done")[0].status == "held"
    await person(desk, "hand_back")
    back = await desk.say("então, cadê o pedido 10431?")
    assert reply_of(back) == "Como a Marta disse, já está resolvido."
    assert [line.author for line in await said(desk) if line.role == "operator"] == ["marta"]


async def test_g_an_operator_who_replies_first_is_the_one_reply(make_desk: Make) -> None:
    def model(messages: list[Any], kwargs: object) -> Any:
        if messages[-1].type != "tool":
            return call("open_billing_ticket", order="10405", kind="duplicate_charge")
        speak()
        return "Chamado aberto."

    desk = await make_desk({"billing": model}, only("billing"))
    speak = meanwhile(lambda: person(desk, "reply", "Oi, aqui é a Marta."))
    await desk.say("abre um chamado: me cobraram duas vezes o pedido 10405")
    assert [line.text for line in await said(desk) if line.role != "customer"] == ["Oi, aqui é a Marta."]
    (item,) = await items(desk)
    view = await item_view(desk.services.database, item.id, operator="marta", now=datetime.now(UTC))
    assert view is not None
    assert "Chamado aberto." in view.discarded[0].text
    assert [e.tool for e in view.discarded[0].effects] == ["open_billing_ticket"]


async def test_h_a_yes_to_another_specialists_question_executes_nothing_and_asks_again(make_desk: Make) -> None:
    address = {"order": "10431", "street": "Rua das Flores", "number": "254", "city": "São Paulo", "cep": "01310-100"}
    desk = await make_desk(
        {
            "support": [call("update_address", **address), "Posso trocar o endereço."],
            "billing": ["Você pagou no Pix. Quer a nota fiscal?", "Certo, a nota está na sua conta."],
        },
        by_word,
    )
    proposed = await desk.say("troca o endereço do pedido 10431 pra Rua das Flores, 254, São Paulo, cep 01310-100")
    assert tools_of(proposed) == [("update_address", "proposed")]
    await desk.say("e a cobrança, foi no Pix?")
    events = await desk.say("sim")
    assert await effects(desk) == []
    summary = of(proposed, "confirmation")[0].summary
    assert summary in reply_of(events)
    assert reply_of(events).endswith("?")


async def test_i_two_subjects_are_both_answered_or_the_second_is_taken_up_next(make_desk: Make) -> None:
    text = "quero trocar o tênis e cadê o reembolso do outro?"

    def rule(message: str, exchange: object) -> Any:
        exchange_, refund = "trocar" in message, "reembolso" in message
        if exchange_ and refund:
            return {"returns": 0.5, "billing": 0.45, "support": 0.05}
        return "returns" if exchange_ else "billing"

    scripts = {"returns": ["Sobre a troca: qual pedido?"], "billing": ["Sobre o reembolso: qual pedido?"]}
    both = await make_desk(scripts, rule)
    reply = reply_of(await both.say(text))
    assert "troca" in reply
    assert "reembolso" in reply
    later = await make_desk(scripts, rule, limits=Limits(legs_per_turn=1))
    first = reply_of(await later.say(text))
    assert first.startswith("Sobre a troca")
    assert "reembolso do outro" in first
    taken = await later.say("e o outro?")
    assert of(taken, "decision")[0].decision.target == "billing"
    assert reply_of(taken).startswith("Sobre o reembolso")


async def test_j_six_messages_to_one_that_declines_reach_a_person_by_the_second(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": declines("duplicate_charge"), "billing": lambda m, k: "Hmm, não sei resolver isso."},
        only("support"),
    )
    called = [of(await desk.say(f"e aí, vai resolver? ({number})"), "person") for number in range(6)]
    assert called[0] == []
    assert called[1]
    assert called[1][0].reason == "loop_without_progress"
    assert all(of(turn, "reply") for turn in desk.turns)
    assert len(await items(desk)) == 1
