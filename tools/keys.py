"""Fact keys: what a tool's result may state as a fact, about what, and for how long it holds."""

from collections.abc import Mapping
from typing import NamedTuple

from routing.facts import FactDraft

TEN_MINUTES = 600
HOUR = 3_600
DAY = 86_400


class FactKey(NamedTuple):
    """What a key is about ("order", "item", "request") and its maximum age in seconds; None never ages."""

    entity_kind: str
    max_age_s: int | None


Keys = Mapping[str, FactKey]


def draft(keys: Keys, key: str, *, entity: str, value: str) -> FactDraft:
    """Build a confirmed fact of a declared key; a part of an order is "<order>/<part>". Raises KeyError for an undeclared one."""
    declared = keys[key]
    return FactDraft(
        key=key,
        entity=f"{declared.entity_kind}:{entity}",
        value=value,
        status="confirmed",
        max_age_s=declared.max_age_s,
    )
