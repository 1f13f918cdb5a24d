"""What the simulated order system knows and does: in memory, every write once per key, under a real shop's rules."""

import itertools
import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import Final

from routing.model import Frozen, Language
from routing.shop import Address, Document, DocumentKind, Order, Receipt, Request, RequestKind

_NOT_SHIPPED: Final = ("awaiting_payment", "paid", "preparing")
_ONCE_PER_ITEM: Final = ("return", "exchange")
_PREFIXES: Final[dict[str, str]] = {"return": "DV", "exchange": "TR", "cancellation": "CN", "address_change": "ED"}


class StubCustomer(Frozen):
    """A customer with the data that identify one."""

    id: str
    name: str
    tier: str | None
    email: str
    phone: str
    cpf: str


class ShopContents(Frozen):
    """Everything that a simulated shop begins with. `policies` is topic -> language -> text."""

    customers: tuple[StubCustomer, ...]
    orders: tuple[Order, ...]
    documents: tuple[Document, ...]
    requests: tuple[Request, ...]
    policies: dict[str, dict[Language, str]]


class Conflict(Exception):
    """A write that the shop's rules refuse."""

    def __init__(self, because: str) -> None:
        super().__init__(because)
        self.because = because


class ShopStore:
    """The order system behind the protocol. No method awaits: on one event loop each is one step.

    `effects` holds the receipt of every write by its key; `writes` counts what was really written.
    """

    def __init__(self, contents: ShopContents, *, now: Callable[[], datetime]) -> None:
        self.customers = {customer.id: customer for customer in contents.customers}
        self.orders = {order.id: order for order in contents.orders}
        self.documents = {(document.order_id, document.kind): document for document in contents.documents}
        self.requests = list(contents.requests)
        self.policies = contents.policies
        self.effects: dict[str, Receipt] = {}
        self.writes = 0
        self._now = now
        self._numbers = itertools.count(1)

    def orders_of(self, customer_id: str) -> list[Order]:
        """Return the customer's orders, newest first."""
        own = [order for order in self.orders.values() if order.customer_id == customer_id]
        return sorted(own, key=lambda order: order.placed_at, reverse=True)

    def requests_of(self, customer_id: str) -> list[Request]:
        """Return the customer's requests, newest first."""
        own = [r for r in self.requests if self.orders[r.order_id].customer_id == customer_id]
        return sorted(own, key=lambda request: request.at, reverse=True)

    def policy(self, topic: str, language: Language) -> str | None:
        """Return a text, in Portuguese where there is none in that language."""
        texts = self.policies.get(topic, {})
        return texts.get(language) or texts.get("pt")

    def document(self, order_id: str, kind: DocumentKind) -> Document | None:
        return self.documents.get((order_id, kind))

    def identify(self, order_id: str, given: dict[str, str]) -> int:
        """Count how many of the given data are those of the order's owner."""
        order = self.orders.get(order_id)
        if order is None:
            return 0
        owner = self.customers[order.customer_id]
        known = {**owner.model_dump(include={"name", "email", "phone", "cpf"}), "cep": order.address.cep}
        return sum(1 for name, value in given.items() if name in known and _same(name, value, known[name]))

    def open_request(
        self, key: str, *, order_id: str, kind: RequestKind, item_id: str | None, detail: str | None, values: dict[str, str]
    ) -> Receipt:  # fmt: skip
        """Open a request. Raises `Conflict`: order_not_found, item_not_found, already_open."""
        if (first := self.effects.get(key)) is not None:
            return first
        order = self._order(order_id)
        if item_id is not None and item_id not in {item.id for item in order.items}:
            raise Conflict("item_not_found")
        if kind in _ONCE_PER_ITEM and any(self._given_back(r, order_id, item_id) for r in self.requests):
            raise Conflict("already_open")
        return self._done(key, kind, order, item_id=item_id, detail=detail, values=values)

    def cancel(self, key: str, *, order_id: str, version: int) -> Receipt:
        """Cancel before shipping. Raises `Conflict`: order_not_found, already_cancelled, too_late, order_changed."""
        if (first := self.effects.get(key)) is not None:
            return first
        order = self._unshipped(order_id, version)
        charges = tuple(
            c.model_copy(update={"status": "refund_pending"}) if c.status == "paid" else c for c in order.charges
        )
        delivery = order.delivery.model_copy(update={"status": "cancelado", "estimate": None})
        self._change(order, status="cancelled", charges=charges, delivery=delivery)
        return self._done(key, "cancellation", order)

    def change_address(self, key: str, *, order_id: str, address: Address, version: int) -> Receipt:
        """Replace the address before shipping. Raises `Conflict` as `cancel`."""
        if (first := self.effects.get(key)) is not None:
            return first
        order = self._unshipped(order_id, version)
        self._change(order, address=address)
        stated = {name: str(value) for name, value in address.model_dump(exclude_none=True).items()}
        return self._done(key, "address_change", order, values=stated)

    def _order(self, order_id: str) -> Order:
        order = self.orders.get(order_id)
        if order is None:
            raise Conflict("order_not_found")
        return order

    def _unshipped(self, order_id: str, version: int) -> Order:
        order = self._order(order_id)
        if order.status == "cancelled":
            raise Conflict("already_cancelled")
        if order.status not in _NOT_SHIPPED:
            raise Conflict("too_late")
        if order.version != version:
            raise Conflict("order_changed")
        return order

    def _given_back(self, request: Request, order_id: str, item_id: str | None) -> bool:
        same = (request.order_id, request.item_id) == (order_id, item_id)
        return same and request.kind in _ONCE_PER_ITEM and request.status != "refused"

    def _change(self, order: Order, **update: object) -> None:
        self.orders[order.id] = order.model_copy(update={**update, "version": order.version + 1})

    def _done(
        self, key: str, kind: RequestKind, order: Order, *, item_id: str | None = None, detail: str | None = None,
        values: dict[str, str] | None = None,
    ) -> Receipt:  # fmt: skip
        """Put the request on record and keep its receipt under the key."""
        self.writes += 1
        protocol = f"{_PREFIXES.get(kind, 'CH')}-S{next(self._numbers):05d}"
        receipt = Receipt(protocol=protocol, kind=kind, at=self._now(), order_id=order.id, values=values or {})
        status = "done" if kind in ("cancellation", "address_change") else "open"
        self.requests.append(
            Request(
                protocol=protocol,
                kind=kind,
                order_id=order.id,
                item_id=item_id,
                status=status,
                at=receipt.at,
                detail=detail,
            )
        )
        self.effects[key] = receipt
        return receipt


def _same(name: str, given: str, known: str) -> bool:
    """Compare as people write. An empty value matches nothing."""
    if name in ("cpf", "cep", "phone"):
        digits = _digits(given)
        return known in (digits, digits.removeprefix("55") if name == "phone" else digits)
    if name == "name":
        words, full = _plain(given).split(), _plain(known).split()
        return len(words) > 1 and words[0] == full[0] and set(words) <= set(full)
    return given.strip().casefold() == known.casefold()


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
