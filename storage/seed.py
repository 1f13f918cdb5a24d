"""The demo shop's data: invented people and orders, dated relative to today so that the demo does not age."""

import json
import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from typing import Any, Final, cast

from routing.model import Frozen, Language
from routing.shop import Document, Order, Request
from storage.rows import Connection

_FOLDER = Path(__file__).parent / "seed"
_ZONE: Final = timezone(timedelta(hours=-3))  # Brasília, which has no summer time
_MOMENT = re.compile(r"([+-]?\d+)(?: (\d\d):(\d\d))?")
_DATES: Final = ("estimate", "due")
_LOCK = 0x73686F70  # "shop"


class SeedCustomer(Frozen):
    id: str
    name: str
    tier: str | None
    email: str
    phone: str
    cpf: str


class ShopData(Frozen):
    """Everything in the demo shop. `policies` is topic -> language -> text."""

    customers: tuple[SeedCustomer, ...]
    orders: tuple[Order, ...]
    documents: tuple[Document, ...]
    requests: tuple[Request, ...]
    policies: dict[str, dict[Language, str]]


def data(today: date) -> ShopData:
    """Read the files, with "-6 14:20" as six days before today at 14:20 in Brasília and "+2" as the day after tomorrow."""
    orders: list[dict[str, Any]] = _dated(_read("orders"), today)
    documents = [{**document, "order_id": order["id"]} for order in orders for document in order.pop("documents")]
    return ShopData.model_validate(
        {
            "customers": _read("customers"),
            "orders": orders,
            "documents": documents,
            "requests": _dated(_read("requests"), today),
            "policies": _read("policies"),
        }
    )


async def seed(conn: Connection, *, today: date) -> bool:
    """Fill an empty shop, once, however many processes try; False when there are customers. One transaction."""
    shop = data(today)
    async with conn.transaction():
        await conn.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        if (await conn.execute("select 1 from shop.customers limit 1")).rowcount:
            return False
        async with conn.cursor() as cursor:
            await cursor.executemany(
                "insert into shop.customers (id, name, tier, email, phone, cpf) values (%(id)s, %(name)s, %(tier)s,"
                " %(email)s, %(phone)s, %(cpf)s)",
                [customer.model_dump() for customer in shop.customers],
            )
            await cursor.executemany(
                "insert into shop.policies (topic, language, text) values (%s, %s, %s)",
                [(topic, language, text) for topic, texts in shop.policies.items() for language, text in texts.items()],
            )
        await _insert_orders(conn, shop)
    return True


async def _insert_orders(conn: Connection, shop: ShopData) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "insert into shop.orders (id, customer_id, status, placed_at, total, note, version) values (%(id)s,"
            " %(customer_id)s, %(status)s, %(placed_at)s, %(total)s, %(note)s, %(version)s)",
            [order.model_dump() for order in shop.orders],
        )
        await cursor.executemany(
            "insert into shop.items (order_id, id, name, quantity, price) values (%(order)s, %(id)s, %(name)s,"
            " %(quantity)s, %(price)s)",
            [{**item.model_dump(), "order": order.id} for order in shop.orders for item in order.items],
        )
        await cursor.executemany(
            "insert into shop.charges (id, order_id, amount, method, status, at, instalments, due) values (%(id)s,"
            " %(order)s, %(amount)s, %(method)s, %(status)s, %(at)s, %(instalments)s, %(due)s)",
            [{**charge.model_dump(), "order": order.id} for order in shop.orders for charge in order.charges],
        )
        await cursor.executemany(
            "insert into shop.deliveries (order_id, carrier, tracking, status, estimate, shipped_at, delivered_at,"
            " last_event) values (%(order)s, %(carrier)s, %(tracking)s, %(status)s, %(estimate)s, %(shipped_at)s,"
            " %(delivered_at)s, %(last_event)s)",
            [{**order.delivery.model_dump(), "order": order.id} for order in shop.orders],
        )
        await cursor.executemany(
            "insert into shop.addresses (order_id, street, number, complement, district, city, state, cep) values"
            " (%(order)s, %(street)s, %(number)s, %(complement)s, %(district)s, %(city)s, %(state)s, %(cep)s)",
            [{**order.address.model_dump(), "order": order.id} for order in shop.orders],
        )
        await cursor.executemany(
            "insert into shop.documents (order_id, kind, number, content, due) values (%(order_id)s, %(kind)s,"
            " %(number)s, %(content)s, %(due)s)",
            [document.model_dump() for document in shop.documents],
        )
        await cursor.executemany(
            "insert into shop.requests (protocol, kind, order_id, item_id, status, at, detail) values (%(protocol)s,"
            " %(kind)s, %(order_id)s, %(item_id)s, %(status)s, %(at)s, %(detail)s)",
            [request.model_dump() for request in shop.requests],
        )


def _read(name: str) -> Any:
    return json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))


def _dated(value: Any, today: date, name: str = "") -> Any:
    """Resolve what is relative to today, in every field that holds a date or a time."""
    if isinstance(value, dict):
        return {key: _dated(inner, today, key) for key, inner in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_dated(inner, today, name) for inner in cast(list[Any], value)]
    if not isinstance(value, str) or not (name in _DATES or name == "at" or name.endswith("_at")):
        return value
    match = _MOMENT.fullmatch(value)
    if match is None:
        raise ValueError(f"{name}: {value!r} is not like -6 14:20 or +2")
    day = today + timedelta(days=int(match[1]))
    if name in _DATES:
        return day
    return datetime.combine(day, time(int(match[2]), int(match[3])), _ZONE).astimezone(UTC)
