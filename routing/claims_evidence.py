"""What a reply may lean on: receipts, done actions, facts read, policy texts, commitments, and this turn's tool data."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from pydantic import JsonValue

from routing.claims_records import NEGATED, Said, order_of, records, topics_in
from routing.claims_values import amounts_in, days_in, durations_in, leaves, numbers, percents_in, weekdays_of
from routing.facts import Commitment, ExecutedAction, Fact
from routing.pattern import Pattern
from routing.shop import Receipt
from routing.values import compact, flat

_STATE = Pattern(r"em aberto|abert[oa]|open|aprovad[oa]|approved|concluid[oa]|done|em andamento")
_ORDERS = Pattern(
    r"(?:\b(?:pedidos?|orders?|compras?)\b|#)\s*(?:(?:n|no|numero|number)\b[.:]?\s*)?#?\d{4,8}(?:(?:,| e| and| ou| or)\s+(?:o\s+)?#?\d{4,8})*\b"
)
_NUMBER = re.compile(r"\d{4,8}")
QUOTED_AT_LEAST = 13  # letters and digits of a quotation; shorter ones say too little to be one

_KIND_TOPICS: dict[str, tuple[str, ...]] = {
    "return": ("return",), "exchange": ("exchange",), "cancellation": ("cancel",), "address_change": ("address",),
    "review": ("review", "ticket"), "callback": ("callback",),
}  # fmt: skip


@dataclass(frozen=True)
class Evidence:
    """Everything that may back a claim. Texts are flat; what denies something backs nothing.

    `heard` are the customer's own words: values in them may be repeated, and they back nothing that we do.
    """

    receipts: Sequence[Receipt] = ()
    actions: Sequence[ExecutedAction] = ()
    facts: Sequence[Fact] = ()
    policies: Sequence[str] = ()
    commitments: Sequence[Commitment] = ()
    tool_data: Sequence[JsonValue] = ()
    heard: Sequence[str] = ()
    today: date | None = None

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """What tools and the session said, in this turn and before, and what receipts state; each record as one text."""
        found = [
            Said(flat(f"{fact.key.replace('_', ' ')} {fact.value}"), order_of(fact))
            for fact in self.facts
            if fact.source != "customer" and fact.status == "confirmed" and not NEGATED.search(flat(fact.value))
        ]
        for receipt in self.receipts:
            found += [
                Said(flat(text), receipt.order_id) for text in receipt.values.values() if not NEGATED.search(flat(text))
            ]
        found += [said for value in self.tool_data for said in records(value, "", None)]
        return tuple(found)

    def read(self, named: frozenset[str] = frozenset()) -> list[str]:
        """Return the texts of `said` that are about these orders, or about none in particular."""
        return [said.text for said in self.said if not named or said.order is None or said.order in named]

    def orders_named(self, plain: str) -> frozenset[str]:
        """Return the orders that a sentence names; none where the evidence does not say which ones it is about."""
        if not any(said.order for said in self.said) and not any(receipt.order_id for receipt in self.receipts):
            return frozenset()
        return frozenset(number for found in _ORDERS.finditer(plain) for number in _NUMBER.findall(found.group()))

    @cached_property
    def promised(self) -> tuple[str, ...]:
        return tuple(flat(item.text) for item in self.commitments if item.status != "withdrawn")

    @cached_property
    def policy(self) -> tuple[str, ...]:
        return tuple(flat(text) for text in self.policies)

    @cached_property
    def ours(self) -> tuple[str, ...]:
        """Every text that is not the customer's, also those that deny something."""
        facts = (fact.value for fact in self.facts if fact.source != "customer")
        receipts = (value for receipt in self.receipts for value in receipt.values.values())
        return (*self.promised, *self.policy, *(flat(text) for text in (*facts, *receipts, *leaves(self.tool_data))))

    @cached_property
    def everything(self) -> tuple[str, ...]:
        said = tuple(flat(f"{fact.key} {fact.value}") for fact in self.facts)
        return (*self.ours, *said, *(flat(text) for text in self.heard))

    def performed(self, named: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the topics of what was really done to these orders: by receipt, by the ledger, or as a tool read it."""
        topics: set[str] = set()
        for receipt in self.receipts:
            if not named or receipt.order_id is None or receipt.order_id in named:
                topics |= set(_KIND_TOPICS.get(receipt.kind, ("ticket",)))
        for action in self.actions:
            if action.status == "done":
                topics |= topics_in(flat(action.name.replace("_", " ")))
        for text in self.read(named):
            if re.search(r"cancelad|cancelled|canceled", text):
                topics.add("cancel")
            if re.search(r"\bdevolvid|\breturned", text):
                topics.add("return")
            if _STATE.search(text):
                topics |= {"ticket"} if "protocol" in text else set()
                topics |= topics_in(text) & {"return", "exchange", "address", "ticket", "review"}
        return frozenset(topics)

    @cached_property
    def anything_done(self) -> bool:
        return bool(self.receipts) or any(action.status == "done" for action in self.actions)

    @cached_property
    def _compact(self) -> tuple[str, ...]:
        own = [receipt.protocol for receipt in self.receipts] + [action.receipt or "" for action in self.actions]
        return tuple(compact(text) for text in (*own, *self.everything) if text)

    def knows(self, text: str) -> bool:
        """Tell whether a code, a link or a number was issued, read or given by somebody."""
        wanted = compact(text)
        return bool(wanted) and any(wanted in known for known in self._compact)

    @cached_property
    def _quotable(self) -> tuple[str, ...]:
        pieces = {
            " ".join(piece.split()).strip(" .!?;:,\"'“”")
            for text in self.ours
            for piece in (text, *re.split(r"[.!?\n](?=\s|$)", text))
        }
        return tuple(sorted((p for p in pieces if len(compact(p)) >= QUOTED_AT_LEAST), key=len, reverse=True))

    def without_quotations(self, text: str) -> str:
        """Return what a sentence says beyond what a text that we have says in so many words."""
        if not self._quotable:
            return text
        text = " ".join(text.split())
        plain = flat(text)
        for piece in self._quotable:
            if (at := plain.find(piece)) >= 0:
                text = f"{text[:at]} {text[at + len(piece) :]}".strip()
                plain = flat(text)
        return text

    @cached_property
    def _policy_words(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(re.findall(r"[a-z]{2,}", text)) for text in self.policy)

    def paraphrases(self, plain: str) -> bool:
        """Tell whether a sentence of some length says in a policy's own words what the rule is."""
        words = re.findall(r"[a-z]{2,}", plain)
        return len(words) >= 8 and any(
            sum(word in known for word in words) >= 0.8 * len(words) for known in self._policy_words
        )

    @cached_property
    def amounts(self) -> frozenset[int]:
        found = {amount for text in self.everything for amount in amounts_in(text, bare=True)}
        return frozenset(found | set(numbers(self.tool_data)))

    @cached_property
    def percents(self) -> frozenset[str]:
        return frozenset(percent for text in self.everything for percent in percents_in(text))

    @cached_property
    def durations(self) -> frozenset[tuple[str, str]]:
        return frozenset(duration for text in self.everything for duration in durations_in(text))

    @cached_property
    def dates(self) -> frozenset[str]:
        """Month and day of every date that somebody read, promised or wrote down."""
        due = {
            f"{moment:%m-%d}"
            for item in self.commitments
            if item.due
            for moment in (item.due, item.due - timedelta(hours=3))
        }
        return frozenset({day for text in self.everything for day in days_in(text)} | due)

    def knows_day(self, name: str) -> bool:
        """Tell whether a day named in words is a known date's, or is named so in what was promised or read."""
        if self.today is not None and name in ("hoje", "today", "tonight", "amanha", "tomorrow"):
            day = self.today + timedelta(days=name in ("amanha", "tomorrow"))
            if f"{day:%m-%d}" in self.dates:
                return True
        return any(re.search(rf"\b{name}\b", text) or name in weekdays_of(text) for text in self.ours)
