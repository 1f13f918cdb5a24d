"""Read facts out of the customer's own words: deterministic, linear, the surest form first."""

import re
from collections.abc import Sequence
from datetime import date

from routing.extraction_dates import find_dates
from routing.extraction_documents import find_documents, find_orders, hide_secrets
from routing.extraction_scan import Found, Scan
from routing.extraction_spans import find_answer, find_identifiers, find_names, find_proper_nouns, find_quotes
from routing.extraction_values import (
    find_addresses,
    find_money,
    find_payment,
    find_products,
    find_reasons,
    find_status,
)
from routing.facts import FactDraft
from routing.values import compact, flat

SOFT_KEYS = frozenset(
    {
        "mention",
        "quote",
        "answer",
        "reason",
        "time",
        "number",
        "product",
        "order_status",
        "date",
        "name",
        "city",
        "company",
    }
)
"""Kept and recalled, but too easily said to count as progress of a loop."""

_ABOUT_AN_ORDER = frozenset(
    {"payment_method", "order_status", "amount", "address", "address_number", "tracking", "reason", "product"}
)
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, re.compile(pattern))
    for key, pattern in (
        ("password", r"\b(?:senha|password|cvv|codigo de seguranca|security code)\b"),
        ("order", r"\b(?:(?:numero|n[o.]) d[eo] (?:seu |teu )?pedido|qual (?:e )?(?:o |d[oe]s? )?(?:seu |seus )?pedidos?|order (?:number|id)|which order|numero da compra)"),
        ("cpf", r"\bcpf\b"),
        ("cnpj", r"\bcnpj\b"),
        ("cep", r"\b(?:cep|zip|postal code)\b"),
        ("email", r"\be-?mail\b"),
        ("phone", r"\b(?:telefone|celular|whatsapp|phone|contact number)\b"),
        ("tracking", r"\b(?:rastreio|rastreamento|tracking)\b"),
        ("payment_method", r"\b(?:forma de pagamento|como (?:voce )?pagou|how did you pay|payment method|meio de pagamento)\b"),
        ("card", r"\b(?:(?:ultimos|last) (?:4|quatro|four)|final do cartao)\b"),
        ("amount", r"\b(?:valor|quanto (?:foi|custou|pagou)|amount|how much)\b"),
        ("address", r"\b(?:endereco|address)\b"),
        ("date", r"\b(?:data|que dia|qual dia|quando|date|which day|what day|when)\b"),
        ("time", r"\b(?:que horas|horario|what time|which time)\b"),
        ("product", r"\b(?:qual (?:o |e o )?(?:produto|item)|which (?:item|product)|what (?:item|product))\b"),
        ("reason", r"\b(?:motivo|por que|por qual|razao|reason|why)\b"),
        ("name", r"\b(?:seu nome|nome completo|como (?:voce )?se chama|com quem (?:eu )?falo|your (?:full |first |last )?name)\b"),
        ("company", r"\b(?:empresa|company)\b"),
        ("city", r"\b(?:cidade|onde (?:voce )?mora|city|where do you live)\b"),
    )
)  # fmt: skip
_KEYS = frozenset(key for key, _ in _ASKED) | {"identifier", "address_number", "order_status"}
_STRONG = re.compile(
    r"\b(?:errei|corrigindo|correcao|quis dizer|digitei errado|me confundi|i meant|my mistake|typo|correction|nao e .{1,30}, e)\b"
)
_WEAK = re.compile(
    r"\b(?:na verdade|alias|digo|ou melhor|quer dizer|actually|rather|i mean)\b|(?:^|[.,;!?]\s*)\W*(?:nao|no),\s+(?:e|eh|foi|it's|it is)\b"
)
_NEW_THOUGHT = re.compile(r"[.!?;\n—]|\b(?:but|mas|because|porque|and|or)\b")
_LEAD_CHARS, _NEAR_CHARS = 60, 30
_MANY_VALUED = frozenset(
    {"identifier", "number", "mention", "quote", "answer", "reason", "amount", "date", "time", "product", "attachment"}
)
_NEVER_CORRECT = frozenset({"number", "mention", "quote", "answer", "attachment"})


def asked_key(question: str) -> str | None:
    """Return the key that a question of ours asks for, or None."""
    plain = flat(question[-600:])
    return next((key for key, pattern in _ASKED if pattern.search(plain)), None)


def attachment_draft(kind: str, ref: str) -> FactDraft:
    """Return the fact that a photo, an audio or a document was sent; it travels by reference."""
    return FactDraft(key="attachment", value=f"{kind} {ref}", entity=None)


def extract(
    text: str,
    *,
    turn: int,
    asked: str | None = None,
    known_products: Sequence[str] = (),
    today: date | None = None,
    country: str = "BR",
    entity: str | None = None,
) -> tuple[FactDraft, ...]:
    """Return what the customer's message states, in the order of the text; `turn` 0 is refused.

    `asked` is one of our keys or the text of the question that this message answers. `entity` is what the conversation
    is about: what belongs to an order attaches to the only order that the message names, else to `entity`.
    Values are the normal form, with the customer's spelling in parentheses behind it where the two differ.
    """
    if turn < 1:
        raise ValueError("turns count from 1")
    key = asked if asked is None or asked in _KEYS else asked_key(asked)
    if key == "password":
        return ()
    scan = Scan(
        text=text, asked=key, question=asked is not None, country=country, today=today, products=tuple(known_products)
    )
    for find in (
        hide_secrets, find_documents, find_dates, find_money, find_addresses, find_orders, find_payment, find_status,
        find_reasons, find_products, find_names, find_quotes, find_proper_nouns, find_identifiers, find_answer,
    ):  # fmt: skip
        find(scan)
    return _drafts(scan, entity)


def _drafts(scan: Scan, entity: str | None) -> tuple[FactDraft, ...]:
    orders = {found.value for found in scan.found if found.key == "order"}
    about = f"order:{next(iter(orders))}" if len(orders) == 1 else entity if not orders else None
    drafts: dict[tuple[str, str | None, str], FactDraft] = {}
    for found in sorted(scan.found, key=lambda item: item.start):
        owner = f"order:{found.value}" if found.key == "order" else about if found.key in _ABOUT_AN_ORDER else None
        identity = (found.key, owner, compact(found.value))
        if identity not in drafts:
            drafts[identity] = FactDraft(
                key=found.key, value=found.value, entity=owner, corrects=_corrects(found, scan.flat)
            )
    return tuple(drafts.values())


def _corrects(found: Found, flat_text: str) -> bool:
    """Tell whether a value stands behind the customer's own correction ("errei, é 254", "actually it's …")."""
    if found.key in _NEVER_CORRECT:
        return False
    lead = flat_text[max(0, found.start - _LEAD_CHARS) : found.start]
    if _STRONG.search(lead):
        return True
    weak = None if found.key in _MANY_VALUED else _WEAK.search(lead)
    return weak is not None and len(lead) - weak.end() <= _NEAR_CHARS and not _NEW_THOUGHT.search(lead, weak.end())
