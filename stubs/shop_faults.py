"""Faults on order for the simulated shop: what an order system does on a bad day, around the write or before it."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Literal, assert_never, get_args

from pydantic import Field
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routing.model import Frozen
from stubs.connection import abort, again, answer, body_of, unheard

# Before the work: nothing was done. After it: it was done, and the caller does not learn it, or learns it late.
Kind = Literal["status", "reset", "late_work", "late", "twice", "reset_after", "status_after"]
KINDS: tuple[str, ...] = get_args(Kind)
Operation = Literal[
    "customer", "orders", "requests", "order", "document", "identify", "topics", "policy", "find_effect",
    "open_request", "cancel_order", "update_address", "write", "*",
]  # fmt: skip
OPERATIONS: tuple[str, ...] = get_args(Operation)
_WRITES = ("open_request", "cancel_order", "update_address")


class ShopFault(Frozen):
    """One fault. `operation` is a method of the `Shop` protocol, "write" for any write, "*" for all.

    status: answers `status` and does nothing. reset: cuts the connection and does nothing. late_work: does the work after
    `seconds`. late: does it at once and answers after `seconds`. twice: the request arrives twice, the second answer counts.
    reset_after, status_after: does the work, then cuts the connection or answers `status`. The first `after` requests of the
    operation pass, the next `times` are hit (None: all that follow).
    """

    kind: Kind
    operation: Operation = "write"
    status: int = Field(default=500, ge=400, le=599)
    seconds: float = Field(default=1.0, ge=0)
    after: int = Field(default=0, ge=0)
    times: int | None = Field(default=None, ge=1)

    def concerns(self, operation: str) -> bool:
        return self.operation in (operation, "*") or (self.operation == "write" and operation in _WRITES)


class ShopFaults:
    """The faults that wait for their requests. Clearing them also ends every delay that is running."""

    def __init__(self, given: Sequence[ShopFault] = ()) -> None:
        self._faults: list[tuple[ShopFault, list[int]]] = []
        self._cleared = asyncio.Event()
        for fault in given:
            self.add(fault)

    def add(self, fault: ShopFault) -> None:
        self._faults.append((fault, [0]))

    def clear(self) -> None:
        self._faults.clear()
        self._cleared.set()
        self._cleared = asyncio.Event()

    def listed(self) -> list[ShopFault]:
        return [fault for fault, _ in self._faults]

    def take(self, operation: str) -> ShopFault | None:
        """Return the fault that hits this request, None if it is served. Each fault counts what it concerns."""
        hit: ShopFault | None = None
        for fault, seen in self._faults:
            if not fault.concerns(operation):
                continue
            place = seen[0]
            seen[0] += 1
            last = None if fault.times is None else fault.after + fault.times
            if hit is None and place >= fault.after and (last is None or place < last):
                hit = fault
        return hit

    async def delay(self, seconds: float) -> None:
        """Wait, or until the faults are cleared."""
        try:
            await asyncio.wait_for(self._cleared.wait(), seconds)
        except TimeoutError:
            return


class FaultyShop:
    """ASGI middleware around the shop's routes. `seen` is told every operation with the key it carries."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        faults: ShopFaults,
        routes: Sequence[BaseRoute],
        seen: Callable[[str, str | None], None],
    ) -> None:
        self._app = app
        self._faults = faults
        self._routes = routes
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operation(scope)
        if operation is None:
            await self._app(scope, receive, send)
            return
        self._seen(operation, _key(scope))
        fault = self._faults.take(operation)
        if fault is None:
            await self._app(scope, receive, send)
            return
        raw = await body_of(receive)
        await self._faulty(fault, scope, raw, receive, send)

    def _operation(self, scope: Scope) -> str | None:
        """Return the operation that a request asks for: the name of its route. None for the stub's own endpoints."""
        if scope["type"] != "http" or scope["path"].startswith("/stub/"):
            return None
        for route in self._routes:
            if route.matches(scope)[0] is Match.FULL:
                return str(getattr(route, "name", ""))
        return None

    async def _faulty(self, fault: ShopFault, scope: Scope, raw: bytes, receive: Receive, send: Send) -> None:
        match fault.kind:
            case "status":
                await answer(send, fault.status, _SIMULATED)
            case "reset":
                abort(receive)
            case "late_work":
                await self._faults.delay(fault.seconds)
                await self._app(scope, again(raw, receive), send)
            case "late":
                held: list[Message] = []
                await self._app(scope, again(raw, receive), _into(held))
                await self._faults.delay(fault.seconds)
                for message in held:
                    await send(message)
            case "twice":
                await self._app(dict(scope), again(raw, receive), unheard)
                await self._app(scope, again(raw, receive), send)
            case "reset_after":
                await self._app(scope, again(raw, receive), unheard)
                abort(receive)
            case "status_after":
                await self._app(scope, again(raw, receive), unheard)
                await answer(send, fault.status, _SIMULATED)
            case _:
                assert_never(fault.kind)


_SIMULATED = json.dumps({"detail": "simulated fault"}).encode()


def _key(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            return bytes(value).decode("latin-1")
    return None


def _into(held: list[Message]) -> Send:
    async def keep(message: Message) -> None:
        held.append(message)

    return keep
