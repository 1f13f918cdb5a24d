"""The demo shop: routing.ports.Shop on PostgreSQL. A write and its receipt are one transaction, found again by key."""

import unicodedata
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final, Literal, LiteralString

from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from routing.model import Language
from routing.ports import ShopConflict, ShopUnavailable
from routing.shop import Address, Customer, Document, DocumentKind, Order, Receipt, Request, RequestKind
from storage.database import Database, DatabaseUnavailable
from storage.protocols import short_code
from storage.rows import Connection, columns, many, one
from storage.shop_orders import OrderRow, read_order, read_orders

_PREFIXES: Final[dict[RequestKind, str]] = {
    "return": "DV",
    "exchange": "TR",
    "cancellation": "CN",
    "address_change": "ED",
    "not_received": "EN",
    "wrong_item": "EN",
    "missing_item": "EN",
    "damaged": "EN",
    "delayed": "EN",
    "duplicate_charge": "CB",
    "refund_status": "CB",
    "invoice": "CB",
    "wrong_amount": "CB",
    "boleto": "CB",
}
_ONCE_PER_ITEM: Final = ("return", "exchange")
_NOT_SHIPPED: Final = ("awaiting_payment", "paid", "preparing")
_REQUEST: Final = columns(Request)
_ATTEMPTS = 5

_Write = Callable[[Connection, Receipt], Awaitable[Receipt]]


class PgShop:
    """`now` stamps what is written. Every method raises ShopUnavailable when the database does not answer."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def customer(self, customer_id: str) -> Customer | None:
        """Return who it is; how far the identity was proved is not the shop's to say."""
        async with self._connection() as conn:
            return await one(
                conn,
                Customer,
                "select id, name, tier, 'none' as level from shop.customers where id = %(id)s",
                {"id": customer_id},
            )

    async def order(self, order_id: str) -> Order | None:
        async with self._connection() as conn:
            return await read_order(conn, order_id)

    async def orders(self, customer_id: str) -> tuple[Order, ...]:
        async with self._connection() as conn:
            return await read_orders(conn, customer_id)

    async def requests(self, customer_id: str) -> tuple[Request, ...]:
        """Return the customer's requests, newest first."""
        async with self._connection() as conn:
            found = await many(
                conn,
                Request,
                f"select {columns(Request, 'r')} from shop.requests r join shop.orders o on o.id = r.order_id"
                " where o.customer_id = %(customer)s order by r.at desc, r.protocol",
                {"customer": customer_id},
            )
            return tuple(found)

    async def policy(self, topic: str, *, language: Language = "pt") -> str | None:
        async with self._connection() as conn:
            cursor = await conn.execute(
                "select text from shop.policies where topic = %(topic)s and language in (%(language)s, 'pt')"
                " order by (language = %(language)s) desc limit 1",
                {"topic": topic, "language": language},
            )
            row = await cursor.fetchone()
            return None if row is None else str(row["text"])

    async def topics(self) -> tuple[str, ...]:
        async with self._connection() as conn:
            cursor = await conn.execute("select distinct topic from shop.policies order by topic")
            return tuple(str(row["topic"]) for row in await cursor.fetchall())

    async def document(self, order_id: str, kind: DocumentKind) -> Document | None:
        async with self._connection() as conn:
            return await one(
                conn,
                Document,
                f"select {columns(Document)} from shop.documents where order_id = %(order)s and kind = %(kind)s",
                {"order": order_id, "kind": kind},
            )

    async def identify(self, order_id: str, given: dict[str, str]) -> int:
        async with self._connection() as conn:
            cursor = await conn.execute(
                "select c.name, c.email, c.phone, c.cpf, a.cep from shop.orders o"
                " join shop.customers c on c.id = o.customer_id join shop.addresses a on a.order_id = o.id"
                " where o.id = %(order)s",
                {"order": order_id},
            )
            row = await cursor.fetchone()
        known: dict[str, str] = {} if row is None else {name: str(value) for name, value in row.items()}
        return sum(1 for name, value in given.items() if name in known and _same(name, value, known[name]))

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
        """Open a return, an exchange or a ticket. An item is returned or exchanged once.

        Raises:
            ShopConflict: order_not_found, item_not_found, already_open.
        """

        async def write(conn: Connection, receipt: Receipt) -> Receipt:
            await _locked(conn, order_id)
            if item_id is not None and not await _exists(
                conn, "select 1 from shop.items where order_id = %(order)s and id = %(item)s", order_id, item_id
            ):
                raise ShopConflict("item_not_found")
            if kind in _ONCE_PER_ITEM and await _exists(
                conn,
                "select 1 from shop.requests where order_id = %(order)s and item_id is not distinct from %(item)s"
                " and kind in ('return', 'exchange') and status <> 'refused'",
                order_id,
                item_id,
            ):
                raise ShopConflict("already_open")
            request = _request(receipt, kind, order_id, item_id=item_id, status="open", detail=detail)
            await _insert_request(conn, request)
            return receipt.model_copy(update={"values": dict(values or {})})

        return await self._write(key, kind=kind, order_id=order_id, write=write)

    async def cancel_order(self, key: str, *, order_id: str, version: int) -> Receipt:
        """Cancel before shipping; what was paid becomes a pending refund.

        Raises:
            ShopConflict: order_not_found, already_cancelled, too_late, order_changed.
        """

        async def write(conn: Connection, receipt: Receipt) -> Receipt:
            await _unshipped(conn, order_id, version=version)
            await _set_changed(conn, order_id, "status = 'cancelled'")
            await conn.execute(
                "update shop.charges set status = 'refund_pending' where order_id = %(order)s and status = 'paid'",
                {"order": order_id},
            )
            await conn.execute(
                "update shop.deliveries set status = 'cancelado', estimate = null,"
                " last_event = 'Pedido cancelado antes do envio' where order_id = %(order)s",
                {"order": order_id},
            )
            await _insert_request(conn, _request(receipt, "cancellation", order_id, status="done"))
            return receipt

        return await self._write(key, kind="cancellation", order_id=order_id, write=write)

    async def update_address(self, key: str, *, order_id: str, address: Address, version: int) -> Receipt:
        """Replace the delivery address before shipping; the receipt states the one that is stored now.

        Raises:
            ShopConflict: order_not_found, already_cancelled, too_late, order_changed.
        """

        async def write(conn: Connection, receipt: Receipt) -> Receipt:
            await _unshipped(conn, order_id, version=version)
            await _set_changed(conn, order_id, "status = status")
            await conn.execute(
                "update shop.addresses set street = %(street)s, number = %(number)s, complement = %(complement)s,"
                " district = %(district)s, city = %(city)s, state = %(state)s, cep = %(cep)s"
                " where order_id = %(order)s",
                {**address.model_dump(), "order": order_id},
            )
            await _insert_request(conn, _request(receipt, "address_change", order_id, status="done"))
            stated = {name: str(value) for name, value in address.model_dump(exclude_none=True).items()}
            return receipt.model_copy(update={"values": stated})

        return await self._write(key, kind="address_change", order_id=order_id, write=write)

    async def find_effect(self, key: str) -> Receipt | None:
        async with self._connection() as conn:
            return await _receipt_of(conn, key)

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Connection]:
        try:
            async with self._database.connection() as conn:
                yield conn
        except DatabaseUnavailable as error:
            raise ShopUnavailable(str(error)) from error

    async def _write(self, key: str, *, kind: RequestKind, order_id: str, write: _Write) -> Receipt:
        """Run a write and store its receipt, or return the receipt of the first time."""
        async with self._connection() as conn:
            for attempt in range(_ATTEMPTS):
                protocol = short_code(_PREFIXES[kind], key, attempt=attempt)
                receipt = Receipt(protocol=protocol, kind=kind, at=self._now(), order_id=order_id)
                try:
                    async with conn.transaction():
                        return await _once(conn, key, receipt, write)
                except UniqueViolation as error:
                    if error.diag.constraint_name != "requests_pkey":
                        raise
        raise ShopUnavailable(f"no free protocol number for a request of kind {kind}")


async def _once(conn: Connection, key: str, receipt: Receipt, write: _Write) -> Receipt:
    """Claim the key, then write. A second caller of the same key waits here until the first has committed or failed."""
    cursor = await conn.execute(
        "insert into shop.effects (key, receipt, at) values (%(key)s, '{}', %(at)s) on conflict (key) do nothing",
        {"key": key, "at": receipt.at},
    )
    if cursor.rowcount == 0:
        first = await _receipt_of(conn, key)
        if first is None:
            raise ShopUnavailable("the receipt of this key is gone")
        return first
    written = await write(conn, receipt)
    await conn.execute(
        "update shop.effects set receipt = %(receipt)s where key = %(key)s",
        {"receipt": Jsonb(written.model_dump(mode="json")), "key": key},
    )
    return written


async def _receipt_of(conn: Connection, key: str) -> Receipt | None:
    cursor = await conn.execute("select receipt from shop.effects where key = %(key)s", {"key": key})
    row = await cursor.fetchone()
    return None if row is None else Receipt.model_validate(row["receipt"])


async def _locked(conn: Connection, order_id: str) -> OrderRow:
    row = await one(
        conn,
        OrderRow,
        f"select {columns(OrderRow)} from shop.orders where id = %(order)s for update",
        {"order": order_id},
    )
    if row is None:
        raise ShopConflict("order_not_found")
    return row


async def _unshipped(conn: Connection, order_id: str, *, version: int) -> None:
    """Lock an order that may still be changed and is what the caller read."""
    row = await _locked(conn, order_id)
    if row.status == "cancelled":
        raise ShopConflict("already_cancelled")
    if row.status not in _NOT_SHIPPED:
        raise ShopConflict("too_late")
    if row.version != version:
        raise ShopConflict("order_changed")


async def _set_changed(conn: Connection, order_id: str, assignment: LiteralString) -> None:
    await conn.execute(
        f"update shop.orders set {assignment}, version = version + 1 where id = %(order)s", {"order": order_id}
    )


async def _exists(conn: Connection, query: LiteralString, order_id: str, item_id: str | None) -> bool:
    return (await conn.execute(query, {"order": order_id, "item": item_id})).rowcount > 0


def _request(
    receipt: Receipt,
    kind: RequestKind,
    order_id: str,
    *,
    status: Literal["open", "done"],
    item_id: str | None = None,
    detail: str | None = None,
) -> Request:
    return Request(
        protocol=receipt.protocol,
        kind=kind,
        order_id=order_id,
        item_id=item_id,
        status=status,
        at=receipt.at,
        detail=detail,
    )


async def _insert_request(conn: Connection, request: Request) -> None:
    await conn.execute(
        f"insert into shop.requests ({_REQUEST}) values (%(protocol)s, %(kind)s, %(order_id)s, %(item_id)s, %(status)s,"
        " %(at)s, %(detail)s)",
        request.model_dump(),
    )


def _same(name: str, given: str, known: str) -> bool:
    """Compare as people write: digits alone for numbers, no accents or case for names. An empty value matches nothing."""
    if name in ("cpf", "cep"):
        return _digits(given) == known
    if name == "phone":
        digits = _digits(given)
        return known in (digits, digits.removeprefix("55"))
    if name == "name":
        words = _plain(given).split()
        full = _plain(known).split()
        return len(words) > 1 and words[0] == full[0] and set(words) <= set(full)
    return given.strip().casefold() == known.casefold()


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
