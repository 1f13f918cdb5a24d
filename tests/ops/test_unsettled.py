"""What dead processes leave open is asked about by the clock: effects by their key, reservations in full."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from ops.maintenance import Maintenance, Round
from ops.unsettled import settle_effects
from routing.ports import ShopUnavailable
from routing.shop import Receipt
from storage.records import effects, messages, spend, turns
from storage.shop import PgShop
from tests.graph.acting import SetClock, items, rows
from tests.graph.conftest import Desk, Make, of
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only


class Silent(PgShop):
    """A shop that does not say what it did."""

    async def find_effect(self, key: str) -> Receipt | None:
        raise ShopUnavailable(key)


async def left_behind(desk: Desk, *, sent: bool, turn_status: Any = "failed") -> str:
    """An effect whose turn ended without settling it; return its key."""
    services = desk.services
    async with services.database.transaction() as conn:
        await messages.add(
            conn, desk.thread_id, message_id="m-2", role="customer", text="abre", now=services.clock.now()
        )
        begun = await turns.begin(
            conn, desk.thread_id, owner="dead", turn_id="t-dead", lease_s=60, now=services.clock.now()
        )
        assert isinstance(begun, turns.Begun)
        await effects.claim(
            conn, effect_id="e-1", key="key-1", thread_id=desk.thread_id, turn_id="t-dead", tool="open_billing_ticket",
            args={}, fence=begun.turn.fence, epoch=begun.turn.epoch, now=services.clock.now(),
        )  # fmt: skip
        if sent:
            await effects.mark_sent(conn, "e-1", fence=begun.turn.fence)
        await turns.end(conn, "t-dead", fence=begun.turn.fence, status=turn_status, now=services.clock.now())
    return "key-1"


async def opened(make_desk: Make, **more: Any) -> tuple[Desk, SetClock]:
    clock = SetClock(datetime.now(UTC))
    desk = await make_desk({"support": ["Está a caminho."]}, only("support"), clock=clock, **more)
    await desk.say("cadê o pedido 10405?")
    return desk, clock


async def state(desk: Desk) -> tuple[str, Any]:
    [row] = await rows(desk, "select state, receipt from effects")
    return row["state"], row["receipt"]


@pytest.mark.parametrize("sent", [False, True])
async def test_what_the_shop_has_is_done(make_desk: Make, sent: bool) -> None:
    desk, clock = await opened(make_desk)
    key = await left_behind(desk, sent=sent)
    receipt = await desk.services.shop.open_request(
        key, order_id="10405", kind="duplicate_charge", values={"amount": "x"}
    )
    assert await settle_effects(desk.services) == 0, "its turn may still be at it"
    clock.pass_(minutes=3)
    assert await settle_effects(desk.services) == 1
    settled, stored = await state(desk)
    assert (settled, stored["protocol"]) == ("done", receipt.protocol)
    assert [row["personal"] for row in await rows(desk, "select personal from effects")] == [{"amount": "x"}]
    assert await items(desk) == []
    assert await settle_effects(desk.services) == 0


async def test_what_was_never_sent_did_not_happen(make_desk: Make) -> None:
    desk, clock = await opened(make_desk)
    await left_behind(desk, sent=False)
    clock.pass_(minutes=3)
    assert await settle_effects(desk.services) == 1
    assert (await state(desk))[0] == "refused"
    assert await items(desk) == []


@pytest.mark.parametrize("silent", [False, True])
async def test_what_was_sent_and_is_not_there_is_unknown_and_a_persons(make_desk: Make, silent: bool, db: Any) -> None:
    shop = Silent(db, now=lambda: datetime.now(UTC)) if silent else PgShop(db, now=lambda: datetime.now(UTC))
    desk, clock = await opened(make_desk, shop=shop)
    await left_behind(desk, sent=True)
    clock.pass_(minutes=3)
    for _ in range(2):
        assert await settle_effects(desk.services) == 0
        assert (await state(desk))[0] == "unknown"
        [item] = await items(desk)
        assert (item.key, item.reason, item.turn_id) == ("unknown:e-1", "effect_unknown", "t-dead")
    clock.pass_(hours=2)
    assert await settle_effects(desk.services) == int(not silent), "long after, a no is a no"
    assert (await state(desk))[0] == ("unknown" if silent else "refused")
    [item] = await items(desk)
    assert [note.text.partition(":")[2] for note in item.notes] == [
        " não foi registrado. O cliente pode pedir de novo."
    ][silent:]


async def test_a_round_asks_and_closes_what_was_reserved_by_the_dead(make_desk: Make) -> None:
    desk, clock = await opened(make_desk)
    await left_behind(desk, sent=False)
    now = clock.now()
    async with desk.services.database.connection() as conn:
        for spend_id, at in (("s-old", now - timedelta(minutes=20)), ("s-new", now)):
            await spend.reserve(
                conn, spend_id=spend_id, at=at, day=now.date(), provider="p", amount_usd=Decimal("0.01"),
                limits=spend.Limits(),
            )  # fmt: skip
    clock.pass_(minutes=3)
    maintenance = Maintenance(
        services=desk.services, conversation=desk.conversation, claim_timeout=timedelta(minutes=30), webhook=None
    )
    assert await maintenance.once() == Round(settled_effects=1, lost_reservations=1)
    found = await rows(desk, "select id, status, settled_usd from spend order by id")
    assert [(row["id"], row["status"]) for row in found] == [("s-new", "reserved"), ("s-old", "settled")]
    assert found[1]["settled_usd"] == Decimal("0.01")
    async with desk.services.database.connection() as conn:
        assert (await spend.totals(conn, day=now.date())).day == Decimal("0.02"), "it stays counted in full"


async def test_a_round_goes_on_when_the_shop_is_down(make_desk: Make, db: Any) -> None:
    desk, clock = await opened(make_desk, shop=Silent(db, now=lambda: datetime.now(UTC)))
    await left_behind(desk, sent=True)
    clock.pass_(minutes=3)
    maintenance = Maintenance(
        services=desk.services, conversation=desk.conversation, claim_timeout=timedelta(minutes=30), webhook=None
    )
    assert await maintenance.once() == Round()
    assert of(desk.turns[0], "done")[0].status == "replied"
