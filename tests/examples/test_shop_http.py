"""The shop over HTTP against the simulated one, over real sockets: what it reads, what it writes, and every bad day."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from examples.shop_http.http_shop import HttpShop
from routing.ports import Shop, ShopConflict, ShopUnavailable
from routing.shop import Address, Receipt
from settings import ROOT, load_settings, shop_of
from storage.seed import data
from stubs.serve import serving
from stubs.shop_faults import Kind
from tests.storage.values import NOW
from tests.stubs.shop import ServedShop, served_shop

TODAY = NOW.date()
SEED = data(TODAY)
ORDERS = {order.id: order for order in SEED.orders}
NEW = Address(
    street="Rua Harmonia", number="254", district="Vila Madalena", city="São Paulo", state="SP", cep="05435000"
)


@pytest.fixture
def served() -> Iterator[ServedShop]:
    with served_shop(today=TODAY) as shop:
        yield shop


@pytest.fixture
async def shop(served: ServedShop) -> AsyncIterator[HttpShop]:
    shop = HttpShop(base_url=served.url)
    yield shop
    await shop.aclose()


async def test_it_is_a_shop_and_reads_what_the_other_side_holds(shop: HttpShop) -> None:
    port: Shop = shop
    assert await port.order("10405") == ORDERS["10405"]
    mine = await port.orders("c1")
    assert mine == tuple(sorted((o for o in SEED.orders if o.customer_id == "c1"), key=lambda o: o.placed_at)[::-1])
    ana = await port.customer("c1")
    assert ana is not None
    assert (ana.name, ana.tier, ana.level) == ("Ana Souza", "silver", "none")
    assert {request.protocol for request in await port.requests("c3")} == {"DV-8FK5PV"}
    assert set(await port.topics()) == set(SEED.policies)
    assert "business days" in str(await port.policy("refund", language="en"))
    boleto = await port.document("10420", "boleto")
    assert boleto is not None
    assert boleto.due == ORDERS["10420"].charges[0].due
    assert await port.identify("10405", {"email": " Ana.Souza@Example.com ", "cpf": "529.982.247-25", "cep": "1"}) == 2


@pytest.mark.parametrize("order_id", ["99999", "..", ".", "../customers/c1", "10405/documents/invoice", "10405?x=1"])
async def test_what_does_not_exist_is_none(shop: HttpShop, order_id: str) -> None:
    """Also an id that would be another address if it were not quoted."""
    assert await shop.order(order_id) is None
    assert await shop.orders("c99") == ()
    assert await shop.document("10405", "boleto") is None
    assert await shop.find_effect("k") is None


async def test_a_repeated_key_writes_nothing_and_gives_the_first_receipt(shop: HttpShop, served: ServedShop) -> None:
    async def ask(detail: str) -> Receipt:
        return await shop.open_request(
            "k-1", order_id="10405", kind="duplicate_charge", detail=detail, values={"amount": "R$ 349,00"}
        )

    receipts = await asyncio.gather(*(ask(f"cobrança dupla {n}") for n in range(6)))
    assert len({receipt.protocol for receipt in receipts}) == 1
    assert receipts[0].values == {"amount": "R$ 349,00"}
    assert await shop.find_effect("k-1") == receipts[0]
    assert served.store.writes == 1


async def test_cancelling_and_moving_follow_the_order_s_version(shop: HttpShop) -> None:
    first = await shop.update_address("k-1", order_id="10431", version=1, address=NEW)
    assert (first.kind, first.values["number"]) == ("address_change", "254")
    with pytest.raises(ShopConflict, match="order_changed"):
        await shop.cancel_order("k-2", order_id="10431", version=1)
    await shop.cancel_order("k-3", order_id="10431", version=2)
    order = await shop.order("10431")
    assert order is not None
    assert (order.status, order.version, order.address) == ("cancelled", 3, NEW)
    assert [request.kind for request in await shop.requests("c1")][:2] == ["cancellation", "address_change"]


@pytest.mark.parametrize(
    ("order", "because"), [("10405", "too_late"), ("10374", "already_cancelled"), ("99999", "order_not_found")]
)
async def test_the_shops_own_no_is_a_conflict(shop: HttpShop, order: str, because: str) -> None:
    for write in (
        shop.cancel_order("k-1", order_id=order, version=1),
        shop.update_address("k-2", order_id=order, version=1, address=NEW),
    ):
        with pytest.raises(ShopConflict, match=because):
            await write
    assert await shop.find_effect("k-1") is None


@pytest.mark.parametrize(
    ("kind", "written"),
    [("status", False), ("reset", False), ("reset_after", True), ("status_after", True), ("late", True)],
)
async def test_silence_around_a_write_is_unavailable_and_the_key_tells_the_truth(
    served: ServedShop, kind: Kind, written: bool
) -> None:
    shop = HttpShop(base_url=served.url, timeout_s=0.3)
    served.fault(kind, seconds=60)
    with pytest.raises(ShopUnavailable):
        await shop.cancel_order("k", order_id="10440", version=1)
    found = await shop.find_effect("k")
    assert (found is not None, served.store.writes) == (written, int(written))
    served.heal()
    again = await shop.cancel_order("k", order_id="10440", version=1)
    assert found in (None, again)
    assert served.store.writes == 1
    assert served.asked("cancel_order") == ["k", "k"], "nothing is sent twice from here"
    await shop.aclose()


async def test_a_request_that_arrives_twice_is_written_once(shop: HttpShop, served: ServedShop) -> None:
    served.fault("twice")
    receipt = await shop.open_request("k", order_id="10405", kind="invoice")
    assert served.store.writes == 1
    assert await shop.find_effect("k") == receipt


async def test_a_work_that_begins_late_is_first_absent_and_then_there(served: ServedShop) -> None:
    """The look-up says no, and is right; the same key later meets what the late one wrote."""
    shop = HttpShop(base_url=served.url, timeout_s=0.3)
    served.fault("late_work", seconds=60, times=1)
    with pytest.raises(ShopUnavailable):
        await shop.open_request("k", order_id="10405", kind="invoice")
    assert await shop.find_effect("k") is None
    served.heal()
    receipt = await shop.open_request("k", order_id="10405", kind="invoice")
    assert await shop.find_effect("k") == receipt
    assert served.store.writes == 1
    await shop.aclose()


@pytest.mark.parametrize("operation", ["order", "orders", "topics", "find_effect", "identify", "customer"])
async def test_a_read_that_fails_is_unavailable(shop: HttpShop, served: ServedShop, operation: Any) -> None:
    calls = {
        "order": lambda: shop.order("10405"), "orders": lambda: shop.orders("c1"), "topics": shop.topics,
        "find_effect": lambda: shop.find_effect("k"), "identify": lambda: shop.identify("10405", {}), "customer": lambda: shop.customer("c1"),
    }  # fmt: skip
    for kind in ("status", "reset", "status_after"):
        served.heal()
        served.fault(kind, operation)
        with pytest.raises(ShopUnavailable):
            await calls[operation]()


async def test_a_server_that_is_no_shop_never_says_that_nothing_was_written() -> None:
    """A wrong address answers 404 to everything, a proxy 200 with a page: neither is an answer about a key."""

    async def elsewhere(scope: Any, receive: Any, send: Any) -> None:
        status, body = (404, b"{}") if b"effects/a" in scope["raw_path"] else (200, b"<html></html>")
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": body})

    with serving(elsewhere) as url:
        shop = HttpShop(base_url=url)
        for key in ("a", "b"):
            with pytest.raises(ShopUnavailable):
                await shop.find_effect(key)
        with pytest.raises(ShopUnavailable):
            await shop.order("10405")
        await shop.aclose()


async def test_nobody_there_is_unavailable() -> None:
    shop = HttpShop(base_url="http://127.0.0.1:9", timeout_s=1)
    with pytest.raises(ShopUnavailable):
        await shop.order("10405")
    await shop.aclose()


async def test_a_token_is_needed_and_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "segredo")
    with served_shop(today=TODAY, keys=["segredo"]) as served:
        known, unknown = HttpShop(base_url=served.url, token_env="SHOP_TOKEN"), HttpShop(base_url=served.url)
        assert await known.order("10405") == ORDERS["10405"]
        with pytest.raises(ShopUnavailable, match="401"):
            await unknown.find_effect("k")
        await known.aclose()
        await unknown.aclose()


def test_the_example_s_configuration_names_it(tmp_path: Path) -> None:
    settings = load_settings({"BASTAO_CONFIG": str(ROOT / "examples" / "shop_http" / "config.json")})
    shop = shop_of(settings, None)
    assert type(shop).__name__ == "HttpShop"
    assert json.loads((ROOT / "examples" / "shop_http" / "config.json").read_text("utf-8"))["mode"] == "demo"


def test_the_stub_tells_what_it_was_asked(served: ServedShop) -> None:
    served.control.get("/orders/10405")
    with httpx.Client(base_url=served.url, trust_env=False) as client:
        refused = client.post("/orders/10440/cancel", json={"version": 1})
    assert refused.status_code == 422, "a write without a key is refused"
    assert served.asked("order") == [None]
    assert served.store.writes == 0
