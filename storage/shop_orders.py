"""How the demo shop's tables become the values of routing/shop.py."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from routing.shop import Address, Charge, Delivery, Item, Order, OrderStatus
from storage.rows import Connection, Record, columns, many

_ITEM: Final = columns(Item)
_CHARGE: Final = columns(Charge)
_DELIVERY: Final = columns(Delivery)
_ADDRESS: Final = columns(Address)


class OrderRow(Record):
    """An order without its parts."""

    id: str
    customer_id: str
    status: OrderStatus
    placed_at: datetime
    total: int
    note: str | None
    version: int


class _ItemOf(Item):
    order_id: str


class _ChargeOf(Charge):
    order_id: str


class _DeliveryOf(Delivery):
    order_id: str


class _AddressOf(Address):
    order_id: str


async def read_order(conn: Connection, order_id: str) -> Order | None:
    rows = await many(
        conn, OrderRow, f"select {columns(OrderRow)} from shop.orders where id = %(order)s", {"order": order_id}
    )
    return next(iter(await _complete(conn, rows)), None)


async def read_orders(conn: Connection, customer_id: str) -> tuple[Order, ...]:
    """Return a customer's orders, newest first."""
    rows = await many(
        conn,
        OrderRow,
        f"select {columns(OrderRow)} from shop.orders where customer_id = %(customer)s order by placed_at desc, id",
        {"customer": customer_id},
    )
    return await _complete(conn, rows)


async def _complete(conn: Connection, rows: Sequence[OrderRow]) -> tuple[Order, ...]:
    """Add the parts, one query for each kind however many orders there are.

    The order's row, and so its version, was read first: a write that comes in between makes the version old, and whoever acts
    on what was read is refused.
    """
    of = {"orders": [row.id for row in rows]}
    which = "where order_id = any(%(orders)s) order by order_id, "
    items: defaultdict[str, list[Item]] = defaultdict(list)
    for item in await many(conn, _ItemOf, f"select order_id, {_ITEM} from shop.items {which} id", of):
        items[item.order_id].append(Item(**item.model_dump(exclude={"order_id"})))
    charges: defaultdict[str, list[Charge]] = defaultdict(list)
    for charge in await many(conn, _ChargeOf, f"select order_id, {_CHARGE} from shop.charges {which} at, id", of):
        charges[charge.order_id].append(Charge(**charge.model_dump(exclude={"order_id"})))
    deliveries = {
        delivery.order_id: Delivery(**delivery.model_dump(exclude={"order_id"}))
        for delivery in await many(
            conn, _DeliveryOf, f"select order_id, {_DELIVERY} from shop.deliveries {which} 1", of
        )
    }
    addresses = {
        address.order_id: Address(**address.model_dump(exclude={"order_id"}))
        for address in await many(conn, _AddressOf, f"select order_id, {_ADDRESS} from shop.addresses {which} 1", of)
    }
    return tuple(
        Order(
            **row.model_dump(),
            items=tuple(items[row.id]),
            charges=tuple(charges[row.id]),
            delivery=deliveries.get(row.id, Delivery()),
            address=addresses[row.id],
        )
        for row in rows
    )
