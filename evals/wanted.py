"""What counts as having kept a value: its kind, and when a fact is that value."""

import re
from typing import Literal

from routing.facts import Fact
from routing.sanitize import luhn_valid
from routing.values import cents, compact, flat, unspelled

Kind = Literal["secret", "card", "identifier", "words"]

_SECRET_KEYS = frozenset({"password", "senha", "cvv", "cvc", "security_code", "pin"})
_CARD_KEYS = frozenset({"card_number", "card", "cartao"})
_MONTHS = (
    r"(?:jan|feb|fev|mar|apr|abr|may|mai|june?|july?|jun|jul|aug|ago|sept?|set|oct|out|nov|dec|dez"
    r"|january|february|march|april|august|september|october|november|december"
    r"|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
)
_WITH_MONTH = re.compile(
    rf"^(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th|o)?(?: de| of)?[ /]?{_MONTHS}\b.*|{_MONTHS}\.? ?(?:the )?\d.*"
    r"|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{4}-\d{1,2}-\d{1,2})$"
)
_RELATIVE = re.compile(
    r"\b(?:ago|before|back|atras|next|last|this|proxim[ao]|passad[ao]|deste mes|que vem|days?|weeks?|months?|dias?|semanas?|mes|meses)\b"
    r"|^(?:on )?the \d{1,2}(?:st|nd|rd|th)$|^\d{1,2}(?:st|nd|rd|th)$|^dia \d{1,2}$"
)
_TIME = re.compile(
    r"^(?:(?:at|as|a|around|morning|afternoon|evening|night|half past|quarter (?:to|past))\s+)*"
    r"(?:\d{1,2}:\d{2}(?::\d{2})?|\d{1,4}(?= ?[ap]\.?m)|\d{1,2}(?= ?h(?:\d{2})?\b| ?horas?| ?o'?clock| (?:in the|da|at night))|(?<=past )\d{1,2}|(?<=to )\d{1,2})"
    r"(?:\s*(?:[ap]\.?m\.?|h(?:\d{2})?|horas?|o'?clock|in the (?:morning|afternoon|evening)|at night|da (?:manha|tarde|noite)))*$"
)
_SPELLING = re.compile(r" \(([^()]*)\)$")
_PHONE_DIGITS = 8


def kind_of(key: str, value: str) -> Kind:
    """Return how a value is looked for.

    Typed identifiers hold a digit, are e-mails or calendar dates with a month. Relative dates, times of day and spelled
    numbers are words. A card number is one only when its check digit says so.
    """
    if key in _SECRET_KEYS:
        return "secret"
    digits = re.sub(r"\D", "", value)
    if key in _CARD_KEYS and 13 <= len(digits) <= 19 and luhn_valid(digits):
        return "card"
    plain = flat(value).strip()
    if "@" in plain or _WITH_MONTH.match(plain):
        return "identifier"
    if not digits or _TIME.match(plain) or _RELATIVE.search(plain):
        return "words"
    return "identifier"


def is_value(fact: Fact, wanted: str) -> bool:
    """Tell whether a fact is this value: its normal form or the customer's spelling, separators and accents apart."""
    spelling = _SPELLING.search(fact.value)
    forms = {compact(unspelled(fact.value)), compact(fact.value), compact(spelling.group(1)) if spelling else ""}
    want = compact(wanted)
    if want in forms:
        return bool(want)
    if fact.key == "amount":
        return any(char.isdigit() for char in wanted) and cents(wanted) == cents(unspelled(fact.value))
    if fact.key == "phone":
        digits = re.sub(r"\D", "", wanted)
        return len(digits) >= _PHONE_DIGITS and fact.value.endswith(digits)
    return False


def typed_tokens(value: str) -> tuple[str, ...]:
    """Return the words of a value that hold a digit: of "44 new nandhi circle in" the 44."""
    return tuple(word for word in value.split() if any(char.isdigit() for char in word))


def is_card(fact: Fact, wanted: str) -> bool:
    """Tell whether a fact is this card, by its last four digits."""
    return fact.key == "card" and fact.value == re.sub(r"\D", "", wanted)[-4:]
