"""How often: messages of a customer and of a visitor, and proofs of an identity, over every conversation and process."""

import asyncio
from typing import Any

import pytest

from graph.conversation import Conversation
from graph.limits import Limits
from graph.rates import TooMany
from routing.shop import Customer
from storage.records.conversations import NotYours
from tests.graph.acting import MONDAY, SetClock, rows
from tests.graph.conftest import C2, Desk, Make, of, reply_of, tools_of
from tests.scripted import call

VISITOR, OTHER = Customer(id=None, visitor="v-1"), Customer(id=None, visitor="v-2")
NAMELESS = Customer(id=None)
FEW = Limits(messages_per_minute=3, visitor_messages_per_minute=2)


def support(message: str, exchange: object) -> str:
    return "support"


def listening(messages: Any, kwargs: Any) -> str:
    return "Qual é o número do pedido?"


@pytest.fixture
async def desk(make_desk: Make) -> Desk:
    return await make_desk({"support": listening}, support, limits=FEW, clock=SetClock(MONDAY))


async def refused(desk: Desk, text: str, **more: Any) -> TooMany:
    with pytest.raises(TooMany) as found:
        await desk.say(text, **more)
    return found.value


async def test_a_customer_is_counted_over_conversations_and_told_when_to_go_on(desk: Desk) -> None:
    for thread in ("th-1", "th-2", "th-3"):
        await desk.say("cadê meu pacote?", thread_id=thread)
    found = await refused(desk, "e agora, cadê meu pacote?", thread_id="th-4")
    assert found.text == "Recebi muitas mensagens em pouco tempo. Espere 60 s e mande de novo, por favor."
    assert found.retry_s == 60
    assert await rows(desk, "select thread_id from messages where thread_id = 'th-4'") == []
    assert reply_of(await desk.say("e o meu?", customer=C2, thread_id="th-5"))
    desk.services.clock.pass_(seconds=61)  # type: ignore[attr-defined]  # a SetClock
    assert reply_of(await desk.say("e agora?", thread_id="th-4"))


async def test_the_refusal_is_in_the_customers_language(desk: Desk) -> None:
    for _ in range(3):
        await desk.say("where is my package, please?")
    assert (await refused(desk, "hello?")).text == (
        "I received many messages in a short time. Please wait 60 s and send it again."
    )


async def test_a_flood_leaves_one_audit_row(desk: Desk) -> None:
    for _ in range(3):
        await desk.say("cadê?")
    for _ in range(4):
        await refused(desk, "cadê?")
    noted = await rows(desk, "select rule, customer_id, thread_id from audit where rule = 'too_many_messages'")
    assert noted == [{"rule": "too_many_messages", "customer_id": "c1", "thread_id": desk.thread_id}]


async def test_visitors_are_told_apart_where_the_site_does(desk: Desk) -> None:
    for _ in range(2):
        await desk.say("cadê?", customer=VISITOR, thread_id="th-v")
    await refused(desk, "cadê?", customer=VISITOR, thread_id="th-w")
    assert reply_of(await desk.say("cadê?", customer=OTHER, thread_id="th-x"))
    for _ in range(2):
        await desk.say("cadê?", customer=NAMELESS, thread_id="th-y")
    await refused(desk, "cadê?", customer=NAMELESS, thread_id="th-y")
    assert reply_of(await desk.say("cadê?", customer=NAMELESS, thread_id="th-z"))


async def test_two_processes_share_a_count(desk: Desk) -> None:
    beside = Desk(
        Conversation(services=desk.services, graph=desk.conversation.graph, owner="beside"), desk.services, desk.models, desk.decider,
    )  # fmt: skip
    results = await asyncio.gather(
        *((desk if n % 2 else beside).say("cadê?", thread_id=f"th-{n}") for n in range(8)), return_exceptions=True
    )
    assert [type(r) for r in results].count(TooMany) == 5


async def test_a_visitors_conversation_is_not_another_visitors(desk: Desk) -> None:
    await desk.say("cadê?", customer=VISITOR)
    for stranger in (OTHER, NAMELESS, C2):
        with pytest.raises(NotYours):
            await desk.say("e aí?", customer=stranger)
    assert reply_of(await desk.say("e aí?", customer=VISITOR))
    noted = await rows(desk, "select rule, customer_id from audit where rule = 'foreign_conversation' order by id")
    assert [row["customer_id"] for row in noted] == [None, None, "c2"]


def guess(n: int, order: str = "10405") -> Any:
    return call("verify_identity", order=order, email="a@b.com", cpf=f"5299822472{n}", id=f"g{n}")


WORDS = "sou dona do pedido {}, e-mail a@b.com, cpf 5299822472{}"


async def tried(desk: Desk, n: int, *, who: Customer, thread: str, order: str = "10405") -> tuple[str, str | None]:
    events = await desk.say(WORDS.format(order, n), customer=who, thread_id=thread)
    (tool,) = [e for e in of(events, "tool") if e.name == "verify_identity"]
    return tool.outcome, tool.because


def guessing(*orders: str) -> list[Any]:
    script: list[Any] = []
    for n, order in enumerate(orders):
        script += [guess(n, order), "Não consegui confirmar."]
    return script


async def test_proofs_are_counted_over_a_visitors_conversations_and_orders(make_desk: Make) -> None:
    orders = ["10405", "20077", "30015", "10418"]
    desk = await make_desk({"support": guessing(*orders)}, support)
    for n, order in enumerate(orders[:3]):
        assert await tried(desk, n, who=VISITOR, thread=f"th-{n}", order=order) == ("refused", "proof_failed")
    assert await tried(desk, 3, who=VISITOR, thread="th-3", order="10418") == ("refused", "too_many_tries")
    (item,) = await rows(desk, "select reason, thread_id from human_queue")
    assert item == {"reason": "identity", "thread_id": "th-3"}
    noted = await rows(desk, "select rule from audit where thread_id = 'th-3'")
    assert {"rule": "too_many_tries"} in noted


async def test_proofs_are_counted_per_order_whoever_tries(make_desk: Make) -> None:
    desk = await make_desk({"support": guessing(*["10405"] * 4)}, support)
    for n in range(3):
        who = Customer(id=None, visitor=f"v-{n}")
        assert (await tried(desk, n, who=who, thread=f"th-{n}"))[1] == "proof_failed"
    last = Customer(id=None, visitor="v-9")
    assert (await tried(desk, 3, who=last, thread="th-9"))[1] == "too_many_tries"


async def test_the_window_of_proofs_passes(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({"support": guessing(*["10405"] * 5)}, support, clock=clock)
    for n in range(4):
        await tried(desk, n, who=VISITOR, thread=f"th-{n}")
    clock.pass_(hours=24, seconds=1)
    assert (await tried(desk, 4, who=VISITOR, thread="th-4"))[1] == "proof_failed"


async def test_what_was_right_uses_up_no_try(make_desk: Make) -> None:
    right = call("verify_identity", order="10405", email="ana.souza@example.com", cpf="52998224725")
    words = "pedido 10405, e-mail ana.souza@example.com, cpf 52998224725"
    desk = await make_desk({"support": [right, "Obrigado!"] * 5}, support)
    for n in range(5):
        events = await desk.say(words, customer=VISITOR, thread_id=f"th-{n}")
        assert ("verify_identity", "ok") in tools_of(events)


async def test_a_conversation_that_is_too_long_ends_with_a_person_and_asks_no_model(make_desk: Make) -> None:
    desk = await make_desk({"support": listening}, support, limits=Limits(conversation_messages=10))
    for _ in range(5):
        await desk.say("cadê meu pacote?")
    asked = len(desk.decider.asked)
    events = await desk.say("cadê meu pacote?")
    assert "longa demais" in reply_of(events)
    (called,) = of(events, "person")
    assert called.reason == "conversation_length"
    assert called.protocol in reply_of(events)
    assert len(desk.decider.asked) == asked
    again = await desk.say("e agora?")
    assert called.protocol in reply_of(again)
    assert len(await rows(desk, "select 1 as one from human_queue")) == 1


async def test_in_a_conversation_that_is_too_long_a_danger_is_still_heard(make_desk: Make) -> None:
    desk = await make_desk({"support": listening}, support, limits=Limits(conversation_messages=10))
    for _ in range(5):
        await desk.say("cadê meu pacote?")
    assert of(await desk.say("vou me matar"), "decision")[0].decision.reason == "sensitive"


async def test_a_message_that_is_too_long_is_answered_and_said_to_be_cut(make_desk: Make) -> None:
    desk = await make_desk({"support": listening}, support, limits=Limits(message_chars=200))
    said = reply_of(await desk.say("cadê meu pacote? " * 50))
    assert said.startswith("Sua mensagem passou de 200 caracteres")
    assert said.endswith("Qual é o número do pedido?")
    (stored,) = await rows(desk, "select text, parts from messages where role = 'customer'")
    assert len(stored["text"]) <= 200
    assert stored["parts"][0]["cut"] is True
    assert not reply_of(await desk.say("10405")).startswith("Sua mensagem")
