"""What a shop's order system is to us: customers, orders, requests, documents and receipts. Money is in centavos (int)."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from routing.model import Frozen, IdentityLevel

OrderStatus = Literal[
    "awaiting_payment", "paid", "preparing", "in_transit", "delayed", "delivered", "returned", "cancelled"
]
PaymentMethod = Literal["pix", "card", "boleto"]
RequestKind = Literal[
    "return", "exchange", "cancellation", "address_change",
    "not_received", "wrong_item", "missing_item", "damaged", "delayed",
    "duplicate_charge", "refund_status", "invoice", "wrong_amount", "boleto",
]  # fmt: skip
DocumentKind = Literal["invoice", "boleto", "pix_code"]


class Customer(Frozen):
    """Who is served. `id` is None for an anonymous visitor; `level` says how far the identity was proved.

    `visitor` tells anonymous visitors apart: an opaque id of the embedding site's session, which proves nobody.
    """

    id: str | None
    name: str | None = None
    tier: str | None = None
    level: IdentityLevel = "none"
    visitor: str | None = None


class Address(Frozen):
    street: str
    number: str
    complement: str | None = None
    district: str | None = None
    city: str
    state: str
    cep: str


class Item(Frozen):
    id: str
    name: str
    quantity: int = 1
    price: int


class Charge(Frozen):
    """Money taken or asked for: `at` is when, `due` is a boleto's date."""

    id: str
    amount: int
    method: PaymentMethod
    status: Literal["paid", "pending", "overdue", "refunded", "refund_pending"]
    at: datetime
    instalments: int = 1
    due: date | None = None


class Delivery(Frozen):
    carrier: str | None = None
    tracking: str | None = None
    status: str | None = None
    estimate: date | None = None
    shipped_at: datetime | None = None
    delivered_at: datetime | None = None
    last_event: str | None = None


class Order(Frozen):
    """An order with everything that specialists read. `version` changes with every write to it."""

    id: str
    customer_id: str
    status: OrderStatus
    placed_at: datetime
    items: tuple[Item, ...]
    charges: tuple[Charge, ...]
    delivery: Delivery
    address: Address
    total: int
    note: str | None = None
    version: int = 1


class Request(Frozen):
    """A return, exchange, ticket, cancellation or address change that the shop has on record."""

    protocol: str
    kind: RequestKind
    order_id: str
    item_id: str | None = None
    status: Literal["open", "approved", "done", "refused"]
    at: datetime
    detail: str | None = None


class Receipt(Frozen):
    """Proof of a write: its protocol, and the plain values that a reply may state because of it."""

    protocol: str
    kind: RequestKind | Literal["review", "callback"]
    at: datetime
    order_id: str | None = None
    values: dict[str, str] = Field(default_factory=dict[str, str])


class Document(Frozen):
    kind: DocumentKind
    order_id: str
    number: str
    content: str
    due: date | None = None
