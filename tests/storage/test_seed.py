import asyncio
import re
from datetime import UTC, date, datetime, timedelta

import pytest

from routing.shop import Order
from storage.database import Database
from storage.seed import ShopData, data, seed

TODAY = date(2026, 11, 30)
SHOP = data(TODAY)
ORDERS = {order.id: order for order in SHOP.orders}
TOPICS = (
    "return", "exchange", "warranty", "cancellation", "refund", "duplicate_charge", "payment", "boleto", "pix", "invoice",
    "delivery", "address_change",
)  # fmt: skip


def days_ago(moment: datetime | None) -> int:
    assert moment is not None
    return (TODAY - (moment - timedelta(hours=3)).date()).days


def test_10405_is_in_transit_with_two_pix_charges() -> None:
    order = ORDERS["10405"]
    assert (order.customer_id, order.status, order.total) == ("c1", "in_transit", 34900)
    assert "tênis" in order.items[0].name.lower()
    assert [(charge.amount, charge.method, charge.status) for charge in order.charges] == [(34900, "pix", "paid")] * 2


def test_10418_was_delivered_six_days_ago_and_charged_once() -> None:
    order = ORDERS["10418"]
    assert (order.customer_id, order.status) == ("c1", "delivered")
    assert days_ago(order.delivery.delivered_at) == 6
    assert "fone bluetooth" in order.items[0].name.lower()
    assert [(charge.amount, charge.method) for charge in order.charges] == [(18990, "pix")]


def test_10431_has_not_shipped_and_its_house_number_is_wrong() -> None:
    order = ORDERS["10431"]
    assert (order.customer_id, order.delivery.shipped_at) == ("c1", None)
    assert order.status in ("paid", "preparing")
    assert order.address.number == "245"
    assert order.address.model_copy(update={"number": "254"}) == ORDERS["10405"].address


def test_the_other_six_are_as_the_scenarios_need_them() -> None:
    def shape(number: str) -> tuple[str, str, str, int, str]:
        order = ORDERS[number]
        [charge] = order.charges
        return order.customer_id, order.status, charge.method, charge.instalments, charge.status

    assert shape("10433") == ("c1", "delivered", "card", 3, "paid")
    assert days_ago(ORDERS["10433"].delivery.delivered_at) == 12
    assert shape("10440") == ("c1", "paid", "pix", 1, "paid")
    assert shape("10412")[:2] == ("c2", "delayed")
    assert shape("10420") == ("c2", "awaiting_payment", "boleto", 1, "overdue")
    assert ORDERS["10420"].charges[0].due == TODAY - timedelta(days=3)
    assert shape("20077")[:3] == ("c3", "returned", "card")
    assert shape("20077")[4] == "refund_pending"


def test_there_is_variety_and_everybody_has_a_tier_or_none() -> None:
    tiers = {customer.id: customer.tier for customer in SHOP.customers}
    assert {"c1": "silver", "c2": "gold", "c3": None}.items() <= tiers.items()
    assert len(SHOP.orders) >= 20
    assert len({order.customer_id for order in SHOP.orders}) >= 5
    assert "99999" not in ORDERS


@pytest.mark.parametrize("order", SHOP.orders, ids=lambda order: order.id)
def test_an_order_agrees_with_itself(order: Order) -> None:
    assert order.total == sum(item.price * item.quantity for item in order.items)
    assert all(charge.amount == order.total for charge in order.charges)
    times = [order.placed_at, order.delivery.shipped_at, order.delivery.delivered_at]
    known = [moment for moment in times if moment is not None]
    assert known == sorted(known)
    assert known[-1] < datetime(2026, 11, 30, 3, tzinfo=UTC), "nothing has happened later than the day before"
    assert all(charge.at >= order.placed_at for charge in order.charges)
    assert (order.delivery.delivered_at is not None) == (order.status in ("delivered", "returned"))
    assert (order.delivery.shipped_at is not None) == (
        order.status in ("in_transit", "delayed", "delivered", "returned")
    )
    assert re.fullmatch(r"\d{8}", order.address.cep)


def test_nothing_refers_to_what_is_not_there() -> None:
    assert {order.customer_id for order in SHOP.orders} <= {customer.id for customer in SHOP.customers}
    assert {document.order_id for document in SHOP.documents} <= set(ORDERS)
    for request in SHOP.requests:
        items = {item.id for item in ORDERS[request.order_id].items}
        assert request.item_id is None or request.item_id in items
    assert {document.kind for document in SHOP.documents} == {"invoice", "boleto", "pix_code"}


def test_every_topic_is_told_in_both_languages() -> None:
    assert set(TOPICS) <= set(SHOP.policies)
    for topic, texts in SHOP.policies.items():
        assert set(texts) == {"pt", "en"}, topic
    refund = SHOP.policies["refund"]
    assert all(time in refund["pt"] for time in ("2 dias úteis", "2 faturas", "10 dias úteis"))
    assert all(time in refund["en"] for time in ("2 business days", "2 statements", "10 business days"))
    assert "3 dias úteis" in SHOP.policies["duplicate_charge"]["pt"]


def test_dates_move_with_today() -> None:
    moved: ShopData = data(TODAY + timedelta(days=10))
    assert moved.orders[0].placed_at - SHOP.orders[0].placed_at == timedelta(days=10)
    assert moved.policies == SHOP.policies


async def test_four_that_seed_at_once_seed_once(db: Database) -> None:
    async def try_it() -> bool:
        async with db.connection() as conn:
            return await seed(conn, today=TODAY)

    assert sorted(await asyncio.gather(*(try_it() for _ in range(4)))) == [False, False, False, True]
    async with db.connection() as conn:
        assert not await seed(conn, today=TODAY + timedelta(days=1))
        cursor = await conn.execute(
            "select (select count(*) from shop.orders) as orders, (select count(*) from shop.customers) as customers"
        )
        assert await cursor.fetchone() == {"orders": len(SHOP.orders), "customers": len(SHOP.customers)}
