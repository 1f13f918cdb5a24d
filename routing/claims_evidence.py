"""What a reply may lean on: receipts, done actions, facts read, policy texts, commitments, and this turn's tool data."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from pydantic import JsonValue

from routing.extraction_dates import find_dates
from routing.extraction_scan import Scan
from routing.facts import Commitment, ExecutedAction, Fact
from routing.shop import Receipt
from routing.values import cents, compact, flat, unspelled

_AMOUNT = re.compile(r"(?:r\$|us\$|\$)\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:reais|dollars|usd|brl)\b")
_DURATION = re.compile(
    r"\b(\d{1,3}|um|uma|dois|duas|tres|cinco|sete|dez|one|two|three|five|seven|ten)\s+(?:a\s+\d+\s+)?"
    r"(?:(?:working|business)\s+)?(dias?|days?|horas?|hours?|semanas?|weeks?|faturas?|statements?|mes(?:es)?|months?|minutos?|minutes?)\b"
)
_WORD_NUMBERS = {
    "um": "1", "uma": "1", "one": "1", "dois": "2", "duas": "2", "two": "2", "tres": "3", "three": "3", "cinco": "5",
    "five": "5", "sete": "7", "seven": "7", "dez": "10", "ten": "10",
}  # fmt: skip
_UNITS = {
    "di": "day",
    "da": "day",
    "ho": "hour",
    "se": "week",
    "we": "week",
    "fa": "bill",
    "st": "bill",
    "me": "month",
    "mo": "month",
    "mi": "minute",
}
_STATE = re.compile(r"em aberto|abert[oa]|open|aprovad[oa]|approved|concluid[oa]|done|em andamento")
_NEGATED = re.compile(r"\b(?:nao|nunca|nenhum\w*|sem|not|never|without)\b")

TOPIC_STEMS: dict[str, str] = {
    "cancel": r"cancel",
    "refund": r"reembols|estorn|refund|credit(?:ad|o\b|ed)|dinheiro|money",
    "return": r"devoluc|devolv|\breturn",
    "exchange": r"\btroc|exchange",
    "address": r"enderec|address",
    "ticket": r"chamado|ticket|reclamac|solicitac|ocorrenc|complaint|\bcaso\b|\bcase\b|request",
    "review": r"analis|review|revis",
    "callback": r"retorn|callback|call back|get back|lig[ao]|contat|contact",
}
_KIND_TOPICS: dict[str, tuple[str, ...]] = {
    "return": ("return",), "exchange": ("exchange",), "cancellation": ("cancel",), "address_change": ("address",),
    "review": ("review", "ticket"), "callback": ("callback",),
}  # fmt: skip


@dataclass(frozen=True)
class Evidence:
    """Everything that may back a claim. Texts are flat; what denies something backs nothing."""

    receipts: Sequence[Receipt] = ()
    actions: Sequence[ExecutedAction] = ()
    facts: Sequence[Fact] = ()
    policies: Sequence[str] = ()
    commitments: Sequence[Commitment] = ()
    tool_data: Sequence[JsonValue] = ()

    @cached_property
    def read(self) -> tuple[str, ...]:
        """What tools and the session said, in this turn and before, and what receipts state."""
        facts = [
            f"{fact.key} {fact.value}"
            for fact in self.facts
            if fact.source != "customer" and fact.status == "confirmed"
        ]
        receipts = [value for receipt in self.receipts for value in receipt.values.values()]
        texts = [flat(text) for text in (*facts, *receipts, *_leaves(self.tool_data))]
        return tuple(text for text in texts if not _NEGATED.search(text))

    @cached_property
    def promised(self) -> tuple[str, ...]:
        return tuple(flat(item.text) for item in self.commitments if item.status != "withdrawn")

    @cached_property
    def policy(self) -> tuple[str, ...]:
        return tuple(flat(text) for text in self.policies)

    @cached_property
    def everything(self) -> tuple[str, ...]:
        said = tuple(flat(f"{fact.key} {fact.value}") for fact in self.facts)
        return (*self.read, *self.promised, *self.policy, *said, *(flat(text) for text in _leaves(self.tool_data)))

    @cached_property
    def performed(self) -> frozenset[str]:
        """The topics of what was really done: by receipt, by the ledger, or as a state that a tool read."""
        topics: set[str] = set()
        for receipt in self.receipts:
            topics |= set(_KIND_TOPICS.get(receipt.kind, ("ticket",)))
        for action in self.actions:
            if action.status == "done":
                topics |= {
                    topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, flat(action.name.replace("_", " ")))
                }
        if any(re.search(r"cancelad|cancelled|canceled", text) for text in self.read):
            topics.add("cancel")
        if any(re.search(r"(?:devolvid|returned)", text) for text in self.read):
            topics.add("return")
        return frozenset(topics | self._on_record())

    def _on_record(self) -> set[str]:
        """Return the topics of requests that a tool read as being on record (a kind beside a state)."""
        if not any(_STATE.fullmatch(text) for text in self.read):
            return set()
        kinds = [text for text in self.read if len(text) <= 40]
        return {
            topic for topic in ("return", "exchange", "address", "ticket")
            if any(re.search(TOPIC_STEMS[topic], text) for text in kinds)
        }  # fmt: skip

    @cached_property
    def anything_done(self) -> bool:
        return bool(self.receipts) or any(action.status == "done" for action in self.actions)

    @cached_property
    def protocols(self) -> frozenset[str]:
        own = [receipt.protocol for receipt in self.receipts] + [action.receipt or "" for action in self.actions]
        return frozenset(compact(text) for text in own if text)

    def knows_code(self, code: str) -> bool:
        """Tell whether a protocol was issued, or read somewhere."""
        wanted = compact(code)
        return wanted in self.protocols or any(wanted in compact(text) for text in self.everything)

    def says(self, sentence: str) -> bool:
        """Tell whether a text that we have says this sentence in so many words."""
        wanted = compact(sentence)
        return len(wanted) > 12 and any(wanted in compact(text) for text in self.everything)

    @cached_property
    def amounts(self) -> frozenset[int]:
        found = {amount for text in self.everything for amount in amounts_in(text)}
        return frozenset(found | set(_numbers(self.tool_data)))

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


def amounts_in(text: str) -> set[int]:
    """Return the amounts with a currency, in hundredths."""
    found = {cents(match.group(1) or match.group(2)) for match in _AMOUNT.finditer(flat(text))}
    return {amount for amount in found if amount is not None}


def durations_in(text: str) -> set[tuple[str, str]]:
    """Return the spans of time: number and unit ("10", "day")."""
    return {
        (_WORD_NUMBERS.get(match.group(1), match.group(1)), _UNITS[match.group(2)[:2]])
        for match in _DURATION.finditer(flat(text))
    }


def days_in(text: str) -> set[str]:
    """Return month and day ("12-05") of the calendar dates in a text, read both ways round where that is possible."""
    days: set[str] = set()
    for country in ("BR", "US"):
        scan = Scan(text=text, country=country)
        find_dates(scan)
        for found in scan.found:
            day = unspelled(found.value)[-5:]
            if found.key == "date" and re.fullmatch(r"\d{2}-\d{2}", day):
                days.add(day)
    return days


def weekday_known(text: str, commitments: Sequence[Commitment]) -> bool:
    """Tell whether a promise names the same day in words ("sexta")."""
    plain = flat(text)
    words = re.findall(
        r"\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|amanha|hoje|\w+day|tomorrow|tonight)\b", plain
    )
    return bool(words) and all(any(word in flat(item.text) for item in commitments) for word in words)


def _leaves(value: JsonValue | Sequence[JsonValue]) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)


def _numbers(value: JsonValue | Sequence[JsonValue]) -> Iterable[int]:
    """Return every number as hundredths, read both as centavos and as whole units."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield from (round(value), round(value * 100))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _numbers(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
