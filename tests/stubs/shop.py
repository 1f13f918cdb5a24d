"""The simulated shop for tests: served on a free port, with its store in reach."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import httpx

from ops.demo_shop import demo_shop
from stubs.serve import serving
from stubs.shop import create_shop_app
from stubs.shop_faults import Kind, Operation, ShopFault
from stubs.shop_store import ShopContents, ShopStore


@dataclass(frozen=True, slots=True)
class ServedShop:
    """A shop behind a socket: `store` is what it really holds, `control` puts faults on it."""

    url: str
    store: ShopStore
    control: httpx.Client

    def fault(self, kind: Kind, operation: Operation = "write", **more: Any) -> None:
        fault = ShopFault(kind=kind, operation=operation, **more)
        self.control.post("/stub/faults", json=fault.model_dump()).raise_for_status()

    def heal(self) -> None:
        self.control.delete("/stub/faults").raise_for_status()

    def asked(self, operation: str) -> list[str | None]:
        """Return the keys of an operation's requests, in order."""
        seen: list[dict[str, Any]] = self.control.get("/stub/requests").json()
        return [request["key"] for request in seen if request["operation"] == operation]


@contextmanager
def served_shop(*, today: date | None = None, keys: Sequence[str] | None = None) -> Iterator[ServedShop]:
    """Serve the demo shop's data."""
    contents = ShopContents.model_validate(demo_shop(today or datetime.now(UTC).date()))
    app = create_shop_app(contents, now=lambda: datetime.now(UTC), keys=keys)
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as control:
        yield ServedShop(url, app.state.store, control)
