"""What tools and receipts state, one record at a time, and the topics that a text touches."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from routing.facts import Fact
from routing.pattern import Pattern
from routing.values import flat

NEGATED = Pattern(r"\b(?:nao|nunca|nenhum\w*|sem|not|never|without)\b")

TOPIC_STEMS: dict[str, str] = {
    "cancel": r"cancel|anula|desfeit|desfiz|encerr",
    "refund": r"reembols|estorn|refund|credit(?:ad|o\b|ed)|dinheiro|money|ressarc|restitu|reimburs",
    "return": r"devoluc|devolv|\breturn",
    "exchange": r"\btroc|exchange",
    "address": r"enderec|address",
    "ticket": r"chamado|ticket|reclamac|solicitac|ocorrenc|complaint|\bcaso\b|\bcase\b|request",
    "review": r"analis|review|revis",
    "callback": r"retorn|callback|call back|get back|lig[ao]|contat|contact",
}


class Said(NamedTuple):
    """A flat text that somebody other than the customer stated, and the order it is about, where it is about one."""

    text: str
    order: str | None = None


def topics_in(text: str) -> frozenset[str]:
    """Return the topics that a flat text touches."""
    return frozenset(topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, text))


def order_of(fact: Fact) -> str | None:
    kind, _, rest = (fact.entity or "").partition(":")
    return rest.partition("/")[0] if kind in ("order", "item") and rest else None


def records(value: JsonValue | Sequence[JsonValue], under: str, order: str | None) -> Iterable[Said]:
    """Yield each record of a JSON value as one text ("status approved kind return"): its fields belong together."""
    if isinstance(value, dict):
        named = value.get("order", value.get("order_id"))
        order = str(named) if isinstance(named, (str, int)) else order
        plain = [(key, item) for key, item in value.items() if isinstance(item, str) and not NEGATED.search(flat(item))]
        if plain:
            yield Said(flat(f"{under} {' '.join(f'{key} {item}' for key, item in plain)}".replace("_", " ")), order)
        for key, item in value.items():
            if isinstance(item, (dict, list)):
                yield from records(item, key, order)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from records(item, under, order)
    elif isinstance(value, str) and not NEGATED.search(flat(value)):
        yield Said(flat(f"{under} {value}".strip()), order)
