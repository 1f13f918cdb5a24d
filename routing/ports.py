"""The seams: what the rest of Bastão needs from the outside, as protocols."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from routing.decision import Answer, Exchange, Question
from routing.facts import Fact
from routing.model import Language
from routing.shop import Address, Customer, Document, DocumentKind, Order, Receipt, Request, RequestKind


class ShopUnavailable(Exception):
    """The order system did not answer. What it was asked to write may or may not have happened: ask `find_effect`."""


class ShopConflict(Exception):
    """The order system refused a write because its data are no longer what was read. `because` is a short code."""

    def __init__(self, because: str) -> None:
        super().__init__(because)
        self.because = because


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the time in UTC, with zone."""
        ...


class Shop(Protocol):
    """A shop's order system. Reads return None for what does not exist; every method may raise `ShopUnavailable`.

    Every write takes `key`, an idempotency key: the same key again returns the first receipt and writes nothing.
    Ownership is the caller's to check (an `Order` says whose it is): a shop does not hide orders from the tools.
    """

    async def customer(self, customer_id: str) -> Customer | None: ...

    async def order(self, order_id: str) -> Order | None: ...

    async def orders(self, customer_id: str) -> tuple[Order, ...]:
        """Return the customer's orders, newest first."""
        ...

    async def requests(self, customer_id: str) -> tuple[Request, ...]: ...

    async def policy(self, topic: str, *, language: Language = "pt") -> str | None:
        """Return the shop's text on a topic; in Portuguese where it has none in that language."""
        ...

    async def topics(self) -> tuple[str, ...]: ...

    async def document(self, order_id: str, kind: DocumentKind) -> Document | None: ...

    async def identify(self, order_id: str, given: dict[str, str]) -> int:
        """Return how many of the given data (email, cpf, cep, phone, name) match the order's owner."""
        ...

    async def open_request(
        self,
        key: str,
        *,
        order_id: str,
        kind: RequestKind,
        item_id: str | None = None,
        detail: str | None = None,
        values: dict[str, str] | None = None,
    ) -> Receipt:
        """Open a return, an exchange or a ticket. Raises `ShopConflict`."""
        ...  # fmt: skip

    async def cancel_order(self, key: str, *, order_id: str, version: int) -> Receipt:
        """Cancel if the order still has that version. Raises `ShopConflict`."""
        ...

    async def update_address(self, key: str, *, order_id: str, address: Address, version: int) -> Receipt:
        """Replace the delivery address if the order still has that version. Raises `ShopConflict`."""
        ...

    async def find_effect(self, key: str) -> Receipt | None:
        """Return the receipt of a write that happened under this key, or None if none did."""
        ...


class Desk(Protocol):
    """The people behind the bot, as the tools see them. Both writes are idempotent by key."""

    async def open_review(self, key: str, *, about: str, order_id: str | None) -> Receipt: ...

    async def promise_callback(self, key: str, *, about: str, due: datetime | None) -> Receipt: ...


class Memory(Protocol):
    """What the conversation learned and the prompt no longer shows."""

    async def recall(self, key: str, entity: str | None) -> tuple[Fact, ...]:
        """Return at most 20 facts of a key, newest first."""
        ...


class NoProvider(Exception):
    """No decision provider could answer. `hops` of the attempt are in `tried`."""

    def __init__(self, tried: tuple[object, ...] = ()) -> None:
        super().__init__("no decision provider answered")
        self.tried = tried


class SpendingStopped(Exception):
    """A limit forbids a paid call. "day" stops every paid call, the others only their own conversation's or customer's."""

    def __init__(self, scope: Literal["day", "conversation", "customer"], why: str) -> None:
        super().__init__(why)
        self.scope: Literal["day", "conversation", "customer"] = scope


class Decider(Protocol):
    """The decision layer as the graph sees it: one question in, a probability per option out."""

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        """Return a validated answer. Raises `NoProvider` when every provider of the chain failed."""
        ...


class ExampleReader(Protocol):
    """Finds by examples what a person must see: what no pattern spells. It adds to the rules and vetoes none."""

    async def read(self, texts: Sequence[str]) -> frozenset[str]:
        """Return the signs that a text gives: ids of sensitive topics, and `routing.sensing.ASKED`. Raises nothing of its own."""
        ...
