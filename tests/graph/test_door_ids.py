"""Ids at the Python door: what cannot be stored is refused by name, and nobody's message takes another's place."""

import pytest

from graph.door_ids import BadId
from routing.shop import Customer
from tests.graph.acting import person, rows, said
from tests.graph.conftest import C1, Desk, Make, of, reply_of
from tests.graph.test_writes import only

BAD = ["a\0b", "a\ud800", "", "  ", "a\nb", "x" * 257]


@pytest.fixture
async def desk(make_desk: Make) -> Desk:
    return await make_desk({"support": ["Está a caminho.", "Qual é o número do pedido?"]}, only("support"))


async def send(desk: Desk, *, thread_id: str = "th-1", message_id: str = "m-1", customer: Customer = C1) -> None:
    sending = desk.conversation.send(thread_id, ["oi"], message_id=message_id, customer=customer, channel="tests")
    async for _ in sending:
        pass


@pytest.mark.parametrize("bad", BAD)
async def test_an_id_that_no_column_takes_is_refused_by_its_name(desk: Desk, bad: str) -> None:
    with pytest.raises(BadId, match="message_id"):
        await send(desk, message_id=bad)
    with pytest.raises(BadId, match="thread_id") as refused:
        await send(desk, thread_id=bad)
    with pytest.raises(BadId, match=r"customer\.id"):
        await send(desk, customer=Customer(id=bad))
    assert bad.strip() not in str(refused.value) or not bad.strip()
    assert await rows(desk, "select 1 as n from conversations") == []


async def test_a_persons_action_and_a_stop_are_checked_too(desk: Desk) -> None:
    with pytest.raises(BadId, match="operator"):
        await person(desk, "claim", operator="ma\0rta")
    with pytest.raises(BadId, match="thread_id"):
        await desk.conversation.stop("a\0b")


async def test_ids_that_people_use_are_taken(desk: Desk) -> None:
    events = await desk.say("cadê o pedido 10405?", thread_id="wa:+5511912345678 ção", message_id="m/1 é")
    assert reply_of(events) == "Está a caminho."


async def test_a_message_with_the_id_of_a_reply_is_a_message_of_its_own(desk: Desk) -> None:
    first = await desk.say("cadê o pedido 10405?")
    taken = of(first, "reply")[0].message_id
    second = await desk.say("e quando chega o outro?", message_id=taken)
    assert reply_of(second) == "Qual é o número do pedido?"
    again = await desk.say("e quando chega o outro?", message_id=taken)
    assert reply_of(again) == "Qual é o número do pedido?", "the same id again is told again, not asked again"
    lines = await said(desk)
    assert [(line.role, line.text) for line in lines] == [
        ("customer", "cadê o pedido 10405?"),
        ("agent", "Está a caminho."),
        ("customer", "e quando chega o outro?"),
        ("agent", "Qual é o número do pedido?"),
    ]
    assert len({line.message_id for line in lines}) == 4


async def test_a_card_that_runs_over_two_parts_is_not_stored(desk: Desk) -> None:
    await desk.say("meu cartão é 4111 1111", "1111 1111, cadê o pedido 10405?")
    stored = (await said(desk))[0]
    assert "cartão final 1111" in stored.text
    assert "4111" not in repr(stored)
