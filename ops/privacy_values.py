"""The personal values of a customer that are known by their kind: what placeholders replace in what has to be kept."""

from collections.abc import Iterable, Mapping
from typing import Any

from routing.extraction import extract
from routing.masking import Kind, Known
from routing.ports import Shop
from storage.records import holdings
from storage.records.holdings import Subject
from storage.rows import Connection

# The keys of facts and of tools' arguments whose values are somebody's.
_KINDS: Mapping[str, Kind] = {
    "name": "name", "full_name": "name", "recipient": "name", "email": "email", "phone": "phone", "cpf": "cpf", "cnpj": "cnpj",
    "cep": "cep", "address": "address", "delivery_address": "address", "street": "address", "complement": "address",
    "district": "address", "city": "city", "card": "card",
}  # fmt: skip


async def known_of(conn: Connection, shop: Shop, subject: Subject) -> Known:
    """Gather them from the facts, the effects, the customer's own words and the shop, which knows no visitor (no id).

    Raises `ShopUnavailable`.
    """
    found = [*_typed((str(v["key"]), str(v["value"])) for v in await holdings.values(conn, subject))]
    for text in await holdings.words(conn, subject):
        found += _typed((draft.key, draft.value) for draft in extract(text, turn=1))
    return Known([*found, *(await _of_shop(shop, subject.customer_id) if subject.customer_id else [])])


async def _of_shop(shop: Shop, customer_id: str) -> list[tuple[Kind, str]]:
    customer = await shop.customer(customer_id)
    found = _typed([("name", customer.name or "")] if customer else [])
    for order in await shop.orders(customer_id):
        address: dict[str, Any] = order.address.model_dump()
        found += _typed((key, str(value)) for key, value in address.items() if value)
    return found


def _typed(values: Iterable[tuple[str, str]]) -> list[tuple[Kind, str]]:
    """Keep what has a kind; a fact's value may hold the customer's own spelling behind it, in parentheses."""
    found: list[tuple[Kind, str]] = []
    for key, value in values:
        if (kind := _KINDS.get(key)) is not None:
            plain, _, spelling = value.removesuffix(")").partition(" (")
            found.extend((kind, said) for said in (plain, spelling) if said)
    return found
