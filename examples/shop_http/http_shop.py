"""An order system behind HTTP as a `Shop` (routing/ports.py): copy this file and change what your system calls things."""

import os
import re
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from routing.model import Language
from routing.ports import ShopConflict, ShopUnavailable
from routing.shop import Address, Customer, Document, DocumentKind, Order, Receipt, Request, RequestKind

Value = TypeVar("Value", bound=BaseModel)
_ORDERS: TypeAdapter[tuple[Order, ...]] = TypeAdapter(tuple[Order, ...])
_REQUESTS: TypeAdapter[tuple[Request, ...]] = TypeAdapter(tuple[Request, ...])
_TOPICS: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])
_NOT_FOUND, _CONFLICT = 404, 409
_PLAIN = re.compile(r"[\w-]+", re.ASCII)


class HttpShop:
    """`base_url`, without a slash at its end. `token_env` names the environment variable with the bearer token, if any.

    `timeout_s` bounds one request. Nothing is sent twice from here: after a silence the caller asks `find_effect`, and only
    a connection that could not even be opened is tried once more.
    """

    def __init__(self, *, base_url: str, token_env: str | None = None, timeout_s: float = 10.0) -> None:
        token = os.environ.get(token_env, "") if token_env else ""
        self._client = httpx.AsyncClient(
            base_url=base_url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, 3.0)),
            transport=httpx.AsyncHTTPTransport(retries=1),
        )

    async def customer(self, customer_id: str) -> Customer | None:
        """Return who it is; how far the identity was proved is not the shop's to say."""
        found = await self._read("customers", customer_id)
        return None if found is None else _as(Customer, found)

    async def order(self, order_id: str) -> Order | None:
        found = await self._read("orders", order_id)
        return None if found is None else _as(Order, found)

    async def orders(self, customer_id: str) -> tuple[Order, ...]:
        return _all(_ORDERS, await self._read("customers", customer_id, "orders") or [])

    async def requests(self, customer_id: str) -> tuple[Request, ...]:
        return _all(_REQUESTS, await self._read("customers", customer_id, "requests") or [])

    async def policy(self, topic: str, *, language: Language = "pt") -> str | None:
        found = await self._read("policies", topic, language=language)
        return None if found is None else str(_field(found, "text"))

    async def topics(self) -> tuple[str, ...]:
        return _all(_TOPICS, await self._read("policies") or [])

    async def document(self, order_id: str, kind: DocumentKind) -> Document | None:
        found = await self._read("orders", order_id, "documents", kind)
        return None if found is None else _as(Document, found)

    async def identify(self, order_id: str, given: dict[str, str]) -> int:
        if not _plain(order_id):
            return 0
        response = await self._request("POST", f"/orders/{order_id}/identify", json={"given": given})
        matches = _field(_body(response), "matches")
        if not isinstance(matches, int):
            raise ShopUnavailable("matches is not a number")
        return matches

    async def open_request(
        self, key: str, *, order_id: str, kind: RequestKind, item_id: str | None = None, detail: str | None = None,
        values: dict[str, str] | None = None,
    ) -> Receipt:  # fmt: skip
        body = {"order_id": order_id, "kind": kind, "item_id": item_id, "detail": detail, "values": values or {}}
        return await self._write(key, "POST", "/requests", body)

    async def cancel_order(self, key: str, *, order_id: str, version: int) -> Receipt:
        _existing(order_id)
        return await self._write(key, "POST", f"/orders/{order_id}/cancel", {"version": version})

    async def update_address(self, key: str, *, order_id: str, address: Address, version: int) -> Receipt:
        _existing(order_id)
        body = {"address": address.model_dump(), "version": version}
        return await self._write(key, "PUT", f"/orders/{order_id}/address", body)

    async def find_effect(self, key: str) -> Receipt | None:
        """Ask for a key. Only a 200 that says so means "never written": a 404 may come from a proxy that knows no shop."""
        receipt = _field(_body(await self._request("GET", f"/effects/{key}")), "receipt")
        return None if receipt is None else _as(Receipt, receipt)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _read(self, *path: str, **query: str) -> Any:
        if not all(_plain(part) for part in path):
            return None
        response = await self._request("GET", "/" + "/".join(path), params=query)
        return None if response.status_code == _NOT_FOUND else _body(response)

    async def _write(self, key: str, method: str, path: str, body: dict[str, Any]) -> Receipt:
        """Send a write. Raises `ShopConflict` for the shop's own "no"."""
        response = await self._request(method, path, json=body, headers={"Idempotency-Key": key})
        if response.status_code == _CONFLICT:
            raise ShopConflict(str(_field(_json(response), "because")))
        return _as(Receipt, _body(response))

    async def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return await self._client.request(method, path, **more)
        except httpx.HTTPError as error:
            raise ShopUnavailable(f"{method}: {type(error).__name__}") from error


def _plain(part: str) -> bool:
    """Tell whether a text can be one part of a path. Quoting is no answer: servers and proxies undo it before they route."""
    return _PLAIN.fullmatch(part) is not None


def _existing(order_id: str) -> None:
    if not _plain(order_id):
        raise ShopConflict("order_not_found")


def _body(response: httpx.Response) -> Any:
    if response.status_code >= 300:
        raise ShopUnavailable(f"status {response.status_code}")
    return _json(response)


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise ShopUnavailable("the answer is not JSON") from error


def _field(body: Any, name: str) -> Any:
    if not isinstance(body, dict) or name not in body:
        raise ShopUnavailable(f"the answer lacks {name}")
    return body[name]


def _as(model: type[Value], body: Any) -> Value:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise ShopUnavailable(f"the answer is not a {model.__name__}") from error


def _all(adapter: TypeAdapter[tuple[Any, ...]], body: Any) -> tuple[Any, ...]:
    try:
        return adapter.validate_python(body)
    except ValidationError as error:
        raise ShopUnavailable("the answer is not the list that was asked for") from error
