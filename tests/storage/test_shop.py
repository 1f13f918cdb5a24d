import asyncio
import re
from typing import Any

import pytest

from routing.ports import Shop, ShopConflict, ShopUnavailable
from routing.shop import Address, Receipt
from storage.database import Database
from storage.seed import data, seed
from storage.shop import PgShop
from tests.storage.values import NOW

SHOP = data(NOW.date())
ORDERS = {order.id: order for order in SHOP.orders}
NEW = Address(
    street="Rua Harmonia", number="254", district="Vila Madalena", city="São Paulo", state="SP", cep="05435000"
)


@pytest.fixture
async def shop(db: Database) -> PgShop:
    async with db.connection() as conn:
        await seed(conn, today=NOW.date())
    return PgShop(db, now=lambda: NOW)


async def test_it_is_a_shop_and_reads_what_was_seeded(shop: PgShop) -> None:
    port: Shop = shop
    assert await port.order("10405") == ORDERS["10405"]
    mine = await port.orders("c1")
    assert mine == tuple(sorted((o for o in SHOP.orders if o.customer_id == "c1"), key=lambda o: o.placed_at)[::-1])
    ana = await port.customer("c1")
    assert ana is not None
    assert (ana.name, ana.tier, ana.level) == ("Ana Souza", "silver", "none")
    assert {request.protocol for request in await port.requests("c3")} == {"DV-8FK5PV"}


async def test_what_does_not_exist_is_none_or_empty(shop: PgShop) -> None:
    assert await shop.order("99999") is None
    assert await shop.customer("c99") is None
    assert await shop.orders("c99") == ()
    assert await shop.requests("c99") == ()
    assert await shop.document("10405", "boleto") is None
    assert await shop.policy("nothing") is None
    assert await shop.find_effect("k") is None


async def test_policies_and_documents(shop: PgShop, db: Database) -> None:
    assert "2 dias úteis" in str(await shop.policy("refund"))
    assert "business days" in str(await shop.policy("refund", language="en"))
    assert set(await shop.topics()) == set(SHOP.policies)
    boleto = await shop.document("10420", "boleto")
    assert boleto is not None
    assert boleto.due == ORDERS["10420"].charges[0].due
    async with db.connection() as conn:
        await conn.execute("delete from shop.policies where topic = 'refund' and language = 'en'")
    assert "2 dias úteis" in str(await shop.policy("refund", language="en"))


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ({"email": " Ana.Souza@Example.com ", "cpf": "529.982.247-25", "cep": "05435-000"}, 3),
        ({"phone": "+55 (11) 96123-4501"}, 1),
        ({"phone": "61234501"}, 0),
        ({"name": "ANA SOUZA"}, 1),
        ({"name": "Ana"}, 0),
        ({"name": "Ana Lima"}, 0),
        ({"email": "", "cpf": "", "cep": "", "phone": "", "name": ""}, 0),
        ({"password": "x", "cpf": "111.444.777-35"}, 0),
        ({}, 0),
    ],
)
async def test_identity_is_compared_as_people_write(shop: PgShop, given: dict[str, str], matches: int) -> None:
    assert await shop.identify("10405", given) == matches
    assert await shop.identify("99999", given) == 0


async def test_a_name_without_its_accent_and_middle_name_is_the_same_person(shop: PgShop) -> None:
    assert await shop.identify("30030", {"name": "fabio teixeira"}) == 1
    assert await shop.identify("30011", {"name": "Diego Lima"}) == 1
    assert await shop.identify("30011", {"name": "Lima Ferreira"}) == 0


async def test_a_repeated_key_writes_nothing_and_gives_the_first_receipt(shop: PgShop) -> None:
    async def ask(detail: str) -> Receipt:
        return await shop.open_request(
            "k-1", order_id="10405", kind="duplicate_charge", detail=detail, values={"amount": "R$ 349,00"}
        )

    receipts = await asyncio.gather(*(ask(f"cobrança dupla {n}") for n in range(6)))
    assert len({receipt.protocol for receipt in receipts}) == 1
    assert receipts[0].values == {"amount": "R$ 349,00"}
    assert (receipts[0].kind, receipts[0].at, receipts[0].order_id) == ("duplicate_charge", NOW, "10405")
    assert await shop.find_effect("k-1") == receipts[0]
    made = [request for request in await shop.requests("c1") if request.order_id == "10405"]
    assert [(request.protocol, request.status) for request in made] == [(receipts[0].protocol, "open")]


@pytest.mark.parametrize(
    ("kind", "prefix"),
    [("return", "DV"), ("exchange", "TR"), ("duplicate_charge", "CB"), ("not_received", "EN"), ("invoice", "CB")],
)
async def test_the_protocol_says_what_it_is(shop: PgShop, kind: Any, prefix: str) -> None:
    receipt = await shop.open_request("k", order_id="10418", kind=kind, item_id="1")
    assert re.fullmatch(rf"{prefix}-[2-9A-Z]{{6}}", receipt.protocol)


async def test_a_protocol_that_is_taken_gives_way_to_another(shop: PgShop, db: Database) -> None:
    first = await shop.open_request("k", order_id="10418", kind="invoice")
    async with db.connection() as conn:
        await conn.execute("delete from shop.effects")
    second = await shop.open_request("k", order_id="10418", kind="invoice")
    assert second.protocol != first.protocol


async def test_an_item_goes_back_once_whichever_way_and_however_fast(shop: PgShop) -> None:
    async def ask(key: str, kind: Any) -> Receipt:
        return await shop.open_request(key, order_id="20081", item_id="1", kind=kind)

    answers = await asyncio.gather(
        ask("k-1", "return"), ask("k-2", "exchange"), ask("k-3", "return"), return_exceptions=True
    )
    conflicts = [answer for answer in answers if isinstance(answer, ShopConflict)]
    assert [conflict.because for conflict in conflicts] == ["already_open"] * 2
    await shop.open_request("k-4", order_id="20081", item_id="2", kind="exchange")


@pytest.mark.parametrize(
    ("order", "item", "because"), [("99999", None, "order_not_found"), ("10418", "9", "item_not_found")]
)
async def test_a_refused_request_leaves_no_trace(shop: PgShop, order: str, item: str | None, because: str) -> None:
    with pytest.raises(ShopConflict) as refused:
        await shop.open_request("k", order_id=order, item_id=item, kind="return")
    assert refused.value.because == because
    assert await shop.find_effect("k") is None
    assert await shop.requests("c1") == tuple(
        sorted((r for r in SHOP.requests if ORDERS[r.order_id].customer_id == "c1"), key=lambda r: r.at, reverse=True)
    )


async def test_a_cancelled_order_is_cancelled_once_and_its_money_is_on_its_way_back(shop: PgShop) -> None:
    receipt = await shop.cancel_order("k", order_id="10440", version=1)
    assert receipt.protocol.startswith("CN-")
    assert await shop.cancel_order("k", order_id="10440", version=1) == receipt
    order = await shop.order("10440")
    assert order is not None
    assert (order.status, order.version) == ("cancelled", 2)
    assert [charge.status for charge in order.charges] == ["refund_pending"]
    request = next(r for r in await shop.requests("c1") if r.protocol == receipt.protocol)
    assert (request.kind, request.status) == ("cancellation", "done")
    with pytest.raises(ShopConflict, match="already_cancelled"):
        await shop.cancel_order("other", order_id="10440", version=2)


async def test_an_address_is_corrected_twice_and_the_second_is_what_is_stored(shop: PgShop) -> None:
    first = await shop.update_address(
        "k-1", order_id="10431", version=1, address=NEW.model_copy(update={"number": "264"})
    )
    second = await shop.update_address("k-2", order_id="10431", version=2, address=NEW)
    assert first.protocol.startswith("ED-")
    assert first.protocol != second.protocol
    assert (first.values["number"], second.values["number"]) == ("264", "254")
    assert "complement" not in second.values
    order = await shop.order("10431")
    assert order is not None
    assert (order.address, order.version, order.status) == (NEW, 3, "preparing")
    with pytest.raises(ShopConflict, match="order_changed"):
        await shop.update_address("k-3", order_id="10431", version=2, address=NEW)
    assert await shop.update_address("k-1", order_id="10431", version=1, address=NEW) == first
    assert await shop.order("10431") == order


@pytest.mark.parametrize(
    ("order", "because"),
    [
        ("10405", "too_late"),
        ("10418", "too_late"),
        ("10374", "already_cancelled"),
        ("99999", "order_not_found"),
    ],
)
async def test_after_shipping_nothing_is_changed(shop: PgShop, order: str, because: str) -> None:
    before = await shop.order(order)
    for write in (
        shop.cancel_order("k-1", order_id=order, version=1),
        shop.update_address("k-2", order_id=order, version=1, address=NEW),
    ):
        with pytest.raises(ShopConflict) as refused:
            await write
        assert refused.value.because == because
    assert await shop.order(order) == before
    assert await shop.find_effect("k-1") is None


async def test_of_two_that_change_an_order_at_once_one_is_told_that_it_changed(shop: PgShop) -> None:
    answers = await asyncio.gather(
        shop.update_address("k-1", order_id="10431", version=1, address=NEW),
        shop.cancel_order("k-2", order_id="10431", version=1),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Receipt) for answer in answers) == 1
    [refused] = [answer for answer in answers if isinstance(answer, ShopConflict)]
    assert refused.because in ("order_changed", "already_cancelled")


async def test_a_database_that_is_gone_is_a_shop_that_does_not_answer(database_url: str) -> None:
    database = await Database.open(environ={"DATABASE_URL": database_url})
    shop = PgShop(database, now=lambda: NOW)
    await database.close()
    for call in (shop.order("10405"), shop.cancel_order("k", order_id="10405", version=1), shop.find_effect("k")):
        with pytest.raises(ShopUnavailable):
            await call
