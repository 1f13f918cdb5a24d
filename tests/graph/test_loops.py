"""No conversation circles: every transfer ends in a reply, with a person where nobody can go on."""

from typing import Any

from graph.limits import Limits
from tests.graph.conftest import Make, of, reply_of
from tests.scripted import call


def declines(reason: str) -> Any:
    """A specialist that always says "not mine, because …"."""
    return lambda messages, kwargs: call("not_mine", reason=reason, detail="não é meu assunto")


async def test_two_that_hand_over_to_each_other_stop_at_the_first_revisit(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": declines("duplicate_charge"), "billing": declines("tracking")}, lambda m, e: "support"
    )
    events = await desk.say("resolve isso pra mim")
    assert [(h.from_agent, h.to_agent) for h in of(events, "handoff")] == [(None, "support"), ("support", "billing")]
    assert of(events, "person")[0].reason == "loop_without_progress"
    assert of(events, "person")[0].protocol in reply_of(events)
    assert sum(len(m.asked) for m in desk.models.models.values()) == 2


async def test_the_hop_limit_ends_with_a_person(make_desk: Make) -> None:
    desk = await make_desk(
        {"support": declines("duplicate_charge"), "billing": declines("exchange"), "returns": declines("tracking")},
        lambda m, e: "support",
        limits=Limits(max_hops=1),
    )
    events = await desk.say("resolve isso pra mim")
    assert of(events, "person")[0].reason == "hop_limit"
    assert reply_of(events)


async def test_the_router_cannot_circle_over_turns(make_desk: Make) -> None:
    """The router sends every message to a specialist that declines it: by the second one a person is called."""
    desk = await make_desk(
        {"support": declines("duplicate_charge"), "billing": lambda m, k: "Hmm, não sei resolver isso."},
        lambda m, e: "support",
    )
    await desk.say("resolve isso pra mim")
    events = await desk.say("e aí, vai resolver?")
    assert of(events, "person")
    assert reply_of(events)


async def test_a_return_with_a_new_fact_is_allowed(make_desk: Make) -> None:
    answers = {
        "support": [call("not_mine", reason="duplicate_charge", detail="x"), "Achei o rastreio."],
        "billing": [call("not_mine", reason="tracking", detail="rastreio AA123456789BR")],
    }
    desk = await make_desk({**answers, "billing": ["Preciso do código."]}, lambda m, e: "support")
    await desk.say("resolve isso pra mim")
    events = await desk.say("olha, cadê a entrega desse rastreio AA123456789BR?")
    assert of(events, "person") == []
    assert reply_of(events) == "Achei o rastreio."


async def test_an_unknown_reason_is_retried_with_the_list(make_desk: Make) -> None:
    desk = await make_desk(
        {
            "support": [
                call("not_mine", reason="xyzzy plugh", detail="?"),
                call("not_mine", reason="duplicate_charge", detail="cobrança", id="c2"),
            ],
            "billing": ["Vamos ver."],
        },
        lambda m, e: "support",
    )
    events = await desk.say("resolve isso pra mim")
    assert [(e.outcome, e.because) for e in of(events, "tool")] == [("refused", "unknown_reason"), ("ok", None)]
    assert reply_of(events) == "Vamos ver."


async def test_an_unknown_reason_twice_is_decided_by_the_provider_or_a_person(make_desk: Make) -> None:
    scripts: dict[str, Any] = {
        "support": [
            call("not_mine", reason="xyzzy", detail="cobrança dupla"),
            call("not_mine", reason="plugh", detail="cobrança dupla", id="c2"),
        ]
    }
    desk = await make_desk(
        {**scripts, "billing": ["Vamos ver a cobrança."]}, lambda m, e: "billing" if "dupla" in m else "support"
    )
    assert reply_of(await desk.say("resolve isso pra mim")) == "Vamos ver a cobrança."


async def test_two_subjects_in_one_message_are_both_answered(make_desk: Make) -> None:
    def rule(message: str, exchange: object) -> Any:
        exchange_, refund = "trocar" in message, "reembolso" in message
        if exchange_ and refund:
            return {"returns": 0.48, "billing": 0.47, "support": 0.05}
        return "returns" if exchange_ else "billing"

    desk = await make_desk(
        {"returns": ["Sobre a troca: qual pedido?"], "billing": ["Sobre o reembolso: qual pedido?"]}, rule
    )
    events = await desk.say("quero trocar o tênis e cadê o reembolso do outro?")
    assert [h.to_agent for h in of(events, "handoff")] == ["returns", "billing"]
    assert "troca" in reply_of(events)
    assert "reembolso" in reply_of(events)


async def test_model_calls_are_bounded(make_desk: Make) -> None:
    count = iter(range(1000))

    def busy(messages: object, kwargs: object) -> Any:
        return call("consult_policy", topic=f"assunto {next(count)}", id=f"c{next(count)}")

    desk = await make_desk({"billing": busy}, lambda m, e: "billing", limits=Limits(model_calls=4))
    events = await desk.say("qual a política?")
    assert of(events, "person")[0].reason == "model_calls"
    assert len(desk.models.models["billing"].asked) == 4
    assert of(events, "done")[0].status == "replied"
