"""What the tortured shop sells: many customers with a few orders each, in either kind of shop."""

from datetime import UTC, date, datetime

from storage.rows import Connection
from storage.seed import data
from stubs.shop_store import ShopContents

ORDERS = 4


def charged_twice(n: int) -> list[str]:
    """Return customer n's orders that were charged twice."""
    return [str(30_000 + n * ORDERS + k) for k in range(ORDERS)]


def cancellable(n: int) -> list[str]:
    """Return customer n's orders that can still be cancelled."""
    return [str(40_000 + n * ORDERS + k) for k in range(ORDERS)]


def contents(customers: int, today: date) -> ShopContents:
    """Customers k0, k1 … with their orders."""
    template = data(today)
    twice = next(o for o in template.orders if o.id == "10405")
    fresh = next(o for o in template.orders if o.id == "10440")
    person = template.customers[0]
    people, orders = [], []
    for n in range(customers):
        people.append(person.model_copy(update={"id": f"k{n}"}))
        both = [(twice, number) for number in charged_twice(n)] + [(fresh, number) for number in cancellable(n)]
        for order, number in both:
            charges = tuple(c.model_copy(update={"id": f"{c.id}-{number}"}) for c in order.charges)
            orders.append(order.model_copy(update={"id": number, "customer_id": f"k{n}", "charges": charges}))
    given = {"customers": people, "orders": orders, "documents": [], "requests": [], "policies": template.policies}
    return ShopContents.model_validate({k: [v.model_dump() for v in vs] if k in ("customers", "orders") else vs for k, vs in given.items()})  # fmt: skip


async def stock(conn: Connection, customers: int) -> None:
    """Put the same customers and orders into the shop in PostgreSQL."""
    shop = contents(customers, datetime.now(UTC).date())
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "insert into shop.customers (id, name, tier, email, phone, cpf) values (%(id)s, %(name)s, %(tier)s, %(email)s,"
            " %(phone)s, %(cpf)s)",
            [c.model_dump() for c in shop.customers],
        )
        await cursor.executemany(
            "insert into shop.orders (id, customer_id, status, placed_at, total) values (%(id)s, %(customer_id)s,"
            " %(status)s, %(placed_at)s, %(total)s)",
            [o.model_dump(exclude={"items", "charges", "delivery", "address"}) for o in shop.orders],
        )
        await cursor.executemany(
            "insert into shop.items (order_id, id, name, price) values (%(order)s, %(id)s, %(name)s, %(price)s)",
            [{"order": o.id, **i.model_dump()} for o in shop.orders for i in o.items],
        )
        await cursor.executemany(
            "insert into shop.charges (id, order_id, amount, method, status, at) values (%(id)s, %(order)s, %(amount)s,"
            " %(method)s, %(status)s, %(at)s)",
            [{"order": o.id, **c.model_dump()} for o in shop.orders for c in o.charges],
        )
        await cursor.executemany(
            "insert into shop.deliveries (order_id, status) values (%(order)s, %(status)s)",
            [{"order": o.id, "status": o.delivery.status} for o in shop.orders],
        )
        await cursor.executemany(
            "insert into shop.addresses (order_id, street, number, city, state, cep) values (%(order)s, %(street)s,"
            " %(number)s, %(city)s, %(state)s, %(cep)s)",
            [{"order": o.id, **o.address.model_dump()} for o in shop.orders],
        )
