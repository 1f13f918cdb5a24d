"""A simulated order system over HTTP: the small JSON protocol of examples/shop_http, with faults on order.

Every write carries an Idempotency-Key; the same key again returns the first receipt and writes nothing. A refusal by the
shop's rules is a 409 with `{"because": code}`; what does not exist is a 404.
"""

from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from routing.model import Frozen, Language
from routing.shop import Address, Document, DocumentKind, Order, Receipt, RequestKind
from routing.shop import Request as ShopRequest
from stubs.shop_faults import FaultyShop, ShopFault, ShopFaults
from stubs.shop_store import Conflict, ShopContents, ShopStore

Json = dict[str, Any]
Found = TypeVar("Found")
_KEPT = 10_000
Key = Annotated[str, Header(alias="Idempotency-Key", min_length=1, max_length=200)]


class Known(Frozen):
    """A customer as the protocol tells one: nothing that identifies a person beyond the name."""

    id: str
    name: str
    tier: str | None


class Opening(Frozen):
    """A request to open."""

    order_id: str
    kind: RequestKind
    item_id: str | None = None
    detail: str | None = None
    values: dict[str, str] = Field(default_factory=dict[str, str])


class Cancelling(Frozen):
    """`version` is the order's when it was read."""

    version: int


class Moving(Frozen):
    """`version` is the order's when it was read."""

    address: Address
    version: int


class Given(Frozen):
    """Data that somebody gave about an order's owner: email, cpf, cep, phone, name."""

    given: dict[str, str]


class Effect(Frozen):
    """What was written under a key. Null is an answer of its own: a 404 could also come from a proxy."""

    receipt: Receipt | None


def create_shop_app(
    contents: ShopContents,
    *,
    now: Callable[[], datetime],
    keys: Collection[str] | None = None,
    faults: ShopFaults | None = None,
) -> FastAPI:
    """Return the app. `contents` is what the shop begins with; `keys` are the bearer tokens let in, None lets all in.

    `faults` decide which requests are served badly. `app.state.store` is the `ShopStore` behind it, for whoever runs it in its own process.
    """
    app = FastAPI(title="Simulated shop", docs_url=None, redoc_url=None)
    store, waiting = ShopStore(contents, now=now), faults or ShopFaults()
    requests: deque[Json] = deque(maxlen=_KEPT)
    app.state.store = store
    router = APIRouter(dependencies=[Depends(_guard(keys))])
    _reads(router, store)
    _writes(router, store)
    app.include_router(router)
    app.include_router(_controls(waiting, requests))
    app.add_middleware(
        FaultyShop,
        faults=waiting,
        routes=router.routes,
        seen=lambda operation, key: requests.append({"operation": operation, "key": key}),
    )

    @app.exception_handler(Conflict)
    async def refused(_: Request, conflict: Exception) -> JSONResponse:
        return JSONResponse({"because": str(conflict)}, status_code=409)

    return app


def _guard(keys: Collection[str] | None) -> Callable[[Request], None]:
    def let_in(request: Request) -> None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if keys is not None and given not in keys:
            raise HTTPException(401, "unknown key")

    return let_in


def _reads(router: APIRouter, store: ShopStore) -> None:
    """The names of the routes are the methods of the `Shop` protocol: faults go by them."""

    @router.get("/customers/{customer_id}", name="customer")
    async def customer(customer_id: str) -> Known:
        known = _found(store.customers.get(customer_id))
        return Known(id=known.id, name=known.name, tier=known.tier)

    @router.get("/customers/{customer_id}/orders", name="orders")
    async def orders(customer_id: str) -> list[Order]:
        return store.orders_of(customer_id)

    @router.get("/customers/{customer_id}/requests", name="requests")
    async def requests(customer_id: str) -> list[ShopRequest]:
        return store.requests_of(customer_id)

    @router.get("/orders/{order_id}", name="order")
    async def order(order_id: str) -> Order:
        return _found(store.orders.get(order_id))

    @router.get("/orders/{order_id}/documents/{kind}", name="document")
    async def document(order_id: str, kind: DocumentKind) -> Document:
        return _found(store.document(order_id, kind))

    @router.post("/orders/{order_id}/identify", name="identify")
    async def identify(order_id: str, body: Given) -> Json:
        return {"matches": store.identify(order_id, body.given)}

    @router.get("/policies", name="topics")
    async def topics() -> list[str]:
        return sorted(store.policies)

    @router.get("/policies/{topic}", name="policy")
    async def policy(topic: str, language: Language = "pt") -> Json:
        return {"text": _found(store.policy(topic, language))}

    @router.get("/effects/{key}", name="find_effect")
    async def find_effect(key: str) -> Effect:
        return Effect(receipt=store.effects.get(key))


def _writes(router: APIRouter, store: ShopStore) -> None:
    @router.post("/requests", name="open_request")
    async def open_request(body: Opening, key: Key) -> Receipt:
        return store.open_request(
            key, order_id=body.order_id, kind=body.kind, item_id=body.item_id, detail=body.detail, values=body.values
        )

    @router.post("/orders/{order_id}/cancel", name="cancel_order")
    async def cancel_order(order_id: str, body: Cancelling, key: Key) -> Receipt:
        return store.cancel(key, order_id=order_id, version=body.version)

    @router.put("/orders/{order_id}/address", name="update_address")
    async def update_address(order_id: str, body: Moving, key: Key) -> Receipt:
        return store.change_address(key, order_id=order_id, address=body.address, version=body.version)


def _controls(faults: ShopFaults, requests: deque[Json]) -> APIRouter:
    """The stub's own endpoints: they are never faulty and no shop has them."""
    router = APIRouter(prefix="/stub")

    @router.get("/faults")
    async def listed() -> list[ShopFault]:
        return faults.listed()

    @router.post("/faults")
    async def order(fault: ShopFault) -> list[ShopFault]:
        faults.add(fault)
        return faults.listed()

    @router.delete("/faults")
    async def clear() -> Json:
        faults.clear()
        return {}

    @router.get("/requests")
    async def received() -> list[Json]:
        return list(requests)

    return router


def _found(value: Found | None) -> Found:
    if value is None:
        raise HTTPException(404, "not found")
    return value
