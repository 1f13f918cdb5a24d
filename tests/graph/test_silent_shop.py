"""A shop behind HTTP on a bad day: what was written is found by its key, nothing is repeated blindly, a doubt goes to a person."""

import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from examples.shop_http.http_shop import HttpShop
from graph.limits import Limits
from graph.people import ActionKind, NotPossible
from ops.people import item_view
from ops.unsettled import settle_effects
from stubs.shop_faults import Kind
from tests.graph.acting import SetClock, items, person, rows, said
from tests.graph.conftest import Desk, Make, SystemUtc, of, reply_of, tools_of
from tests.scripted import call
from tests.stubs.shop import ServedShop, served_shop

ASKED = "abre um chamado, por favor: me cobraram duas vezes o pedido 10405"
TICKET = call("open_billing_ticket", order="10405", kind="duplicate_charge")
# The turn reaches its write long before; what is slow is slow for longer.
LIMIT_S = 3.0


def billing(message: str, exchange: object) -> str:
    return "billing"


@pytest.fixture
def served() -> Iterator[ServedShop]:
    with served_shop() as shop:
        yield shop
        shop.heal()


@pytest.fixture
async def shop(served: ServedShop) -> AsyncIterator[HttpShop]:
    shop = HttpShop(base_url=served.url, timeout_s=20)
    yield shop
    await shop.aclose()


async def states(desk: Desk) -> list[str]:
    return [row["state"] for row in await rows(desk, "select state from effects order by claimed_at")]


def protocol_of(served: ServedShop) -> str:
    [receipt] = served.store.effects.values()
    return receipt.protocol


@pytest.mark.parametrize(
    ("kind", "asked"),
    [("reset_after", 1), ("status_after", 1), ("status", 2), ("reset", 2), ("twice", 1)],
)
async def test_silence_around_one_write_is_settled_in_the_turn(
    make_desk: Make, served: ServedShop, shop: HttpShop, kind: Kind, asked: int
) -> None:
    """What the shop has is found; what it says it does not have is done once more, under the same key."""
    desk = await make_desk({"billing": [TICKET, "Chamado aberto."]}, billing, shop=shop)
    served.fault(kind, times=1)
    events = await desk.say(ASKED)
    assert tools_of(events) == [("open_billing_ticket", "ok")]
    assert served.store.writes == 1
    assert len(set(served.asked("open_request"))) == 1
    assert len(served.asked("open_request")) == asked
    assert protocol_of(served) in reply_of(events)
    assert await states(desk) == ["done"]
    assert await items(desk) == []


async def test_a_late_answer_is_looked_up_and_not_asked_for_again(make_desk: Make, served: ServedShop) -> None:
    impatient = HttpShop(base_url=served.url, timeout_s=0.5)
    desk = await make_desk({"billing": [TICKET, "Chamado aberto."]}, billing, shop=impatient)
    served.fault("late", seconds=60)
    events = await desk.say(ASKED)
    assert protocol_of(served) in reply_of(events)
    assert (served.store.writes, len(served.asked("open_request"))) == (1, 1)
    await impatient.aclose()


async def test_what_nobody_can_say_goes_to_a_person_until_the_shop_speaks(
    make_desk: Make, served: ServedShop, shop: HttpShop
) -> None:
    clock = SetClock(SystemUtc().now())
    desk = await make_desk({"billing": [TICKET, "Vou verificar."]}, billing, shop=shop, clock=clock)
    served.fault("reset_after")
    served.fault("status", "find_effect", after=1)  # the tool asks once before it writes
    events = await desk.say(ASKED)
    assert tools_of(events) == [("open_billing_ticket", "failed")]
    assert (served.store.writes, len(served.asked("open_request"))) == (1, 1), "never repeated blindly"
    [item] = await items(desk)
    assert (item.reason, item.status) == ("effect_unknown", "waiting")
    assert item.protocol in str(desk.models.models["billing"].asked[-1]["messages"])
    assert await states(desk) == ["unknown"]
    clock.pass_(minutes=5)
    assert await settle_effects(desk.services) == 0, "still silent"
    assert len(await items(desk)) == 1
    served.heal()
    assert await settle_effects(desk.services) == 1
    assert await settle_effects(desk.services) == 0
    assert await states(desk) == ["done"]
    [item] = await items(desk)
    assert [note.text for note in item.notes] == [f"A loja confirmou: foi registrado, protocolo {protocol_of(served)}."]
    assert served.store.writes == 1


@pytest.mark.parametrize(
    ("kind", "text", "state", "protocol"),
    [
        ("happened", "LJ-77", "done", "LJ-77"),
        ("happened", None, "done", "the item's own"),
        ("did_not_happen", None, "refused", None),
    ],
)  # fmt: skip
async def test_a_person_who_looks_it_up_settles_what_nobody_could_say(
    make_desk: Make,
    served: ServedShop,
    shop: HttpShop,
    kind: ActionKind,
    text: str | None,
    state: str,
    protocol: str | None,
) -> None:
    clock = SetClock(SystemUtc().now())
    desk = await make_desk({"billing": [TICKET, "Vou verificar."]}, billing, shop=shop, clock=clock)
    served.fault("reset_after")
    served.fault("status", "find_effect", after=1)  # the tool asks once before it writes
    await desk.say(ASKED)
    [item] = await items(desk)
    await person(desk, "claim", item_id=item.id, operator="bia")
    with pytest.raises(NotPossible, match="claimed_by_another"):
        await person(desk, kind, text, item_id=item.id)
    await person(desk, kind, text, item_id=item.id, operator="bia")
    [row] = await rows(desk, "select state, receipt ->> 'protocol' as protocol from effects")
    expected = item.protocol if protocol == "the item's own" else protocol
    assert (row["state"], row["protocol"]) == (state, expected)
    [item] = await items(desk)
    assert (item.status, item.operator) == ("resolved", "bia")
    clock.pass_(minutes=5)
    assert await settle_effects(desk.services) == 0, "it is settled"
    told = (await said(desk))[-1]
    assert ("não foi registrado" in told.text, told.role) == (state == "refused", "system")


async def test_what_the_shop_said_meanwhile_is_not_overruled(
    make_desk: Make, served: ServedShop, shop: HttpShop
) -> None:
    clock = SetClock(SystemUtc().now())
    desk = await make_desk({"billing": [TICKET, "Vou verificar."]}, billing, shop=shop, clock=clock)
    served.fault("reset_after")
    served.fault("status", "find_effect", after=1)
    await desk.say(ASKED)
    [item] = await items(desk)
    with pytest.raises(NotPossible, match="no_protocol"):
        await person(desk, "happened", "Z" * 3_000, item_id=item.id)
    served.heal()
    clock.pass_(minutes=5)
    assert await settle_effects(desk.services) == 1
    with pytest.raises(NotPossible, match="settled_otherwise"):
        await person(desk, "did_not_happen", item_id=item.id)
    view = await item_view(desk.services.database, item.id, operator="marta", now=clock.now())
    assert view is not None
    assert not view.in_doubt
    await person(desk, "happened", item_id=item.id)
    [row] = await rows(desk, "select state, receipt ->> 'protocol' as protocol from effects")
    assert (row["state"], row["protocol"]) == ("done", protocol_of(served)), "the shop's own receipt stays"


async def test_only_a_doubt_can_be_settled_by_hand(make_desk: Make) -> None:
    desk = await make_desk({}, billing)
    await desk.say("quero falar com um atendente")
    [item] = await items(desk)
    with pytest.raises(NotPossible, match="no_doubt"):
        await person(desk, "happened", item_id=item.id)
    assert [i.status for i in await items(desk)] == ["waiting"]


async def test_a_shop_that_falls_silent_before_anything_was_sent_is_told_so(
    make_desk: Make, served: ServedShop, shop: HttpShop
) -> None:
    """Reading fails between the plan and the write: nothing was done, and it may be asked for again."""
    desk = await make_desk({"billing": [TICKET, "O sistema não respondeu.", TICKET, "Pronto."]}, billing, shop=shop)
    served.fault("status", "order", after=1)
    events = await desk.say(ASKED)
    assert tools_of(events) == [("open_billing_ticket", "failed")]
    assert (await states(desk), await items(desk), served.store.writes) == (["refused"], [], 0)
    served.heal()
    events = await desk.say(ASKED)
    assert tools_of(events) == [("open_billing_ticket", "ok")]
    assert (await states(desk), served.store.writes) == (["done"], 1)


async def test_past_the_limit_a_slow_write_is_waited_for_and_its_receipt_is_the_reply(
    make_desk: Make, served: ServedShop, shop: HttpShop
) -> None:
    desk = await make_desk(
        {"billing": [TICKET, "Chamado aberto."]}, billing, shop=shop, limits=Limits(turn_timeout_s=LIMIT_S)
    )
    served.fault("late", seconds=LIMIT_S + 1)
    events = await desk.say(ASKED)
    assert of(events, "done")[0].status == "replied"
    assert of(events, "error") == []
    assert protocol_of(served) in reply_of(events)
    assert (await states(desk), served.store.writes) == (["done"], 1)
    assert await items(desk) == []


async def test_a_write_that_outlasts_even_the_grace_is_said_to_be_unknown(
    make_desk: Make, served: ServedShop, shop: HttpShop
) -> None:
    clock = SetClock(SystemUtc().now())
    limits = Limits(turn_timeout_s=LIMIT_S, write_grace_s=0.2)
    desk = await make_desk({"billing": [TICKET]}, billing, shop=shop, limits=limits, clock=clock)
    served.fault("late_work", seconds=60)
    events = await desk.say(ASKED)
    assert of(events, "done")[0].status == "replied"
    [item] = await items(desk)
    assert item.reason == "effect_unknown"
    assert item.protocol in reply_of(events)
    assert await states(desk) == ["unknown"]
    served.heal()  # now the shop does what it was asked
    clock.pass_(minutes=5)
    while served.store.writes == 0:
        served.control.get("/stub/requests")
    assert await settle_effects(desk.services) == 1
    assert await states(desk) == ["done"]


async def test_past_the_limit_the_model_s_work_ends_and_the_receipt_is_told(make_desk: Make) -> None:
    """The write was quick; the model that should tell of it is not."""
    told = threading.Event()

    def slow(messages: Any, kwargs: Any) -> Any:
        if messages[-1].type != "tool":
            return TICKET
        told.wait(60)
        return "tarde demais"

    desk = await make_desk({"billing": slow}, billing, limits=Limits(turn_timeout_s=LIMIT_S))
    events = await desk.say(ASKED)
    told.set()
    [effect] = await rows(desk, "select state, receipt from effects")
    assert effect["state"] == "done"
    assert effect["receipt"]["protocol"] in reply_of(events)
    assert "tarde demais" not in reply_of(events)
    assert "10405" in reply_of(events), "the tool's own sentence"
    [turn] = await rows(desk, "select status, trail from turns")
    assert (turn["status"], [t["name"] for t in turn["trail"]]) == ("replied", ["open_billing_ticket"])
    assert of(events, "done")[0].status == "replied"
    assert await items(desk) == []
