"""A turn end to end: who speaks, what travels, what is shown, and what stays hidden until it was checked."""

import asyncio
import json

from langchain_core.messages import SystemMessage

from graph.limits import Limits
from ops.reading import history, trail, transfers
from tests.graph.conftest import C1, Make, of, reply_of, tools_of
from tests.scripted import call, calls


def by_word(message: str, exchange: object) -> str:
    for word, agent in (
        ("cobr", "billing"),
        ("trocar", "returns"),
        ("chuva", "out_of_scope"),
        ("isso aí", "needs_question"),
    ):
        if word in message:
            return agent
    return "support"


async def test_a_specialist_reads_and_answers(make_desk: Make) -> None:
    desk = await make_desk({"support": [call("lookup_order", order="10405"), "Seu tênis está em trânsito."]}, by_word)
    events = await desk.say("cadê meu pedido 10405?")
    assert reply_of(events) == "Seu tênis está em trânsito."
    assert tools_of(events) == [("lookup_order", "ok")]
    decided = of(events, "decision")[0].decision
    assert (decided.target, decided.reason) == ("support", "confident")
    assert of(events, "done")[0].status == "replied"
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    desk.models.assert_exhausted()


async def test_the_package_carries_the_order_to_the_next_specialist(make_desk: Make) -> None:
    desk = await make_desk(
        {
            "support": [call("lookup_order", order="10405"), "Está em trânsito."],
            "billing": ["Vejo duas cobranças do pedido 10405."],
        },
        by_word,
    )
    await desk.say("cadê meu pedido 10405?")
    events = await desk.say("aproveitando, me cobraram duas vezes")
    handed = of(events, "handoff")[0]
    assert (handed.from_agent, handed.to_agent) == ("support", "billing")
    assert {"10405"} <= {f["value"] for f in handed.facts if f["key"] == "order"}
    system = desk.models.models["billing"].asked[0]["messages"][0]
    assert isinstance(system, SystemMessage)
    assert "@order:10405" in system.text
    stored = await transfers(desk.services.database, desk.thread_id)
    assert [(p.from_agent, p.to_agent) for p in stored] == [(None, "support"), ("support", "billing")]
    assert stored[1].tokens <= 1500


async def test_the_destination_sees_nothing_of_its_colleague(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": [call("lookup_order", order="10405"), "Está em trânsito."], "billing": ["Vejo duas cobranças."]},
        by_word,
    )
    await desk.say("cadê meu pedido 10405?")
    await desk.say("me cobraram duas vezes")
    asked = desk.models.models["billing"].asked[0]
    own_prompt = desk.services.roster.prompt("support")
    text = "\n".join(m.text for m in asked["messages"])
    assert own_prompt[:200] not in text
    assert "call_lookup_order" not in text
    offered = {t["function"]["name"] for t in asked["tools"]}
    assert "update_address" not in offered
    assert offered == set(desk.services.roster.by_id("billing").tools)


async def test_not_mine_is_answered_in_the_same_turn_and_keeps_the_lookup(make_desk: Make) -> None:
    both = calls(
        ("lookup_order", {"order": "10405"}),
        ("not_mine", {"reason": "duplicate_charge", "detail": "cobrado duas vezes"}),
    )
    desk = await make_desk(
        {"support": [both], "billing": ["Aqui é o Financeiro: vejo duas cobranças do 10405."]}, lambda m, e: "support"
    )
    events = await desk.say("fui cobrado duas vezes no pedido 10405")
    assert reply_of(events).startswith("Aqui é o Financeiro")
    assert [(h.from_agent, h.to_agent) for h in of(events, "handoff")] == [(None, "support"), ("support", "billing")]
    second = of(events, "handoff")[1]
    assert any(f["source"] == "tool:lookup_order" for f in second.facts)
    assert of(events, "done")[0].status == "replied"
    desk.models.assert_exhausted()


async def test_text_beside_a_tool_call_is_never_shown(make_desk: Make) -> None:
    premature = call(
        "not_mine", reason="duplicate_charge", detail="x", text="Seu reembolso foi aprovado, vou transferir."
    )
    desk = await make_desk({"support": [premature], "billing": ["Qual é o número do pedido?"]}, lambda m, e: "support")
    events = await desk.say("quero meu dinheiro")
    shown = json.dumps([e.model_dump(mode="json") for e in events if e.type in ("token", "reply")])
    assert "aprovado" not in shown


async def test_nothing_is_shown_before_the_check_and_the_commit(make_desk: Make) -> None:
    false_claim = "Pronto! Seu reembolso de R$ 9.999,00 foi aprovado."
    desk = await make_desk({"billing": [false_claim, false_claim]}, lambda m, e: "billing")
    events = await desk.say("cadê meu reembolso?")
    kinds = [e.type for e in events]
    assert "9.999" not in json.dumps([e.model_dump(mode="json") for e in events])
    assert kinds.index("token") > max(i for i, k in enumerate(kinds) if k == "status")
    assert "".join(e.text for e in of(events, "token")) == reply_of(events)
    rows = await trail(desk.services.database, desk.thread_id)
    assert rows[0].checks[0]["kind"] in ("refund", "approval", "amount")


async def test_a_repaired_reply_passes(make_desk: Make) -> None:
    desk = await make_desk(
        {"billing": ["Seu reembolso foi aprovado!", "Ainda não vejo um reembolso. Qual é o número do pedido?"]},
        lambda m, e: "billing",
    )
    assert reply_of(await desk.say("cadê meu reembolso?")) == "Ainda não vejo um reembolso. Qual é o número do pedido?"
    desk.models.assert_exhausted()


async def test_an_empty_answer_is_retried_and_never_an_empty_bubble(make_desk: Make) -> None:
    desk = await make_desk({"support": ["", ""]}, by_word)
    events = await desk.say("cadê meu pedido?")
    assert reply_of(events).strip()
    assert of(events, "person")[0].reason == "empty_answer"


async def test_responders_never_become_the_current_specialist(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Está a caminho.", "Chega amanhã."]}, by_word)
    await desk.say("cadê meu pedido 10405?")
    assert of(await desk.say("vai ter chuva amanhã?"), "decision")[0].decision.target == "out_of_scope"
    back = await desk.say("e quando chega?")
    assert of(back, "decision")[0].decision.reason in ("confident", "continuity")
    assert of(back, "handoff") == []


async def test_a_clarification_names_two_subjects_and_the_pick_routes(make_desk: Make) -> None:
    def unsure(message: str, exchange: object) -> dict[str, float]:
        return {"returns": 0.40, "billing": 0.35, "support": 0.05, "out_of_scope": 0.05, "needs_question": 0.15}

    desk = await make_desk({"billing": ["Vamos ver a cobrança. Qual pedido?"]}, unsure)
    events = await desk.say("não tô satisfeito")
    assert of(events, "decision")[0].decision.reason == "low_confidence"
    assert reply_of(events).endswith("?")
    picked = await desk.say("o segundo")
    assert (of(picked, "decision")[0].decision.target, of(picked, "decision")[0].decision.reason) == (
        "billing",
        "chose_option",
    )


async def test_a_decision_layer_that_is_down_still_gives_one_reply(make_desk: Make) -> None:
    from tests.scripted import nobody

    desk = await make_desk({"returns": ["Como posso ajudar com a sua troca?"]}, nobody)
    events = await desk.say("preciso de uma coisa do meu pedido")
    assert of(events, "decision")[0].decision.reason == "fallback_unavailable"
    assert reply_of(events)


async def test_history_is_kept_in_order_and_across_restarts(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Um.", "Dois."]}, by_word)
    await desk.say("cadê meu pedido?")
    await desk.say("e agora?")
    again = await make_desk({"support": ["Três."]}, by_word)
    await again.say("e aí?", thread_id=desk.thread_id)
    lines = await history(desk.services.database, desk.thread_id, customer=C1)
    assert [line.text for line in lines] == ["cadê meu pedido?", "Um.", "e agora?", "Dois.", "e aí?", "Três."]
    given = again.models.models["support"].asked[0]["messages"]
    assert [m.text for m in given[1:]] == ["cadê meu pedido?", "Um.", "e agora?", "Dois.", "e aí?"]


async def test_hostile_characters_are_stored_and_answered(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Oi."]}, by_word)
    events = await desk.say("cadê\x00 meu \ud800pedido\u202e?")
    assert reply_of(events) == "Oi."
    assert "\x00" not in (await history(desk.services.database, desk.thread_id, customer=C1))[0].text


async def test_the_same_message_id_is_answered_once(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Uma vez só."]}, by_word)
    first, second = await asyncio.gather(desk.say("cadê?", message_id="m-1"), desk.say("cadê?", message_id="m-1"))
    third = await desk.say("cadê?", message_id="m-1")
    assert {reply_of(e) for e in (first, second, third)} == {"Uma vez só."}
    assert len(await history(desk.services.database, desk.thread_id, customer=C1)) == 2
    desk.models.assert_exhausted()


async def test_a_process_begins_no_more_turns_than_it_has_room_for(make_desk: Make) -> None:
    """Past that they would only wait for each other's connections; who waits is told so, and answered."""
    at_once: list[int] = []

    def count(message: str, exchange: object) -> str:
        at_once.append(sum(task.get_name().startswith("turn ") for task in asyncio.all_tasks()))
        return "support"

    desk = await make_desk({"support": ["Já vejo."] * 6}, count, limits=Limits(turns_at_once=2))
    turns = await asyncio.gather(*(desk.say("cadê meu pedido?", thread_id=f"th-{i}") for i in range(6)))
    assert [reply_of(events) for events in turns] == ["Já vejo."] * 6
    assert (len(at_once), max(at_once)) == (6, 2)
    assert sum(bool(of(events, "queued")) for events in turns) == 4
