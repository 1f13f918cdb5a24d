"""The values that a text states: amounts of money, spans of time, days, percentages."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from pydantic import JsonValue

from routing.extraction_dates import find_dates
from routing.extraction_scan import Scan
from routing.pattern import Pattern
from routing.values import cents, flat, unspelled

_COIN = r"(?:reais|real|conto|contos|pila|dollars?|bucks|usd|brl|euros?)"
_AMOUNT = Pattern(rf"(?:r\$|us\$|\$|€|£|\bbrl|\busd)\s?(\d[\d.,]*)|(?<![\d.,])(\d[\d.,]*)\s?{_COIN}\b")
_BARE = Pattern(r"(?<![\w.,/$-])(\d{1,3}(?:\.\d{3})*,\d{2})(?![\w%-]|[.,/]\d)")
_NUMBERS = {
    "um": 1, "uma": 1, "one": 1, "dois": 2, "duas": 2, "two": 2, "tres": 3, "three": 3, "quatro": 4, "four": 4, "cinco": 5,
    "five": 5, "seis": 6, "six": 6, "sete": 7, "seven": 7, "oito": 8, "eight": 8, "nove": 9, "nine": 9, "dez": 10, "ten": 10,
    "onze": 11, "eleven": 11, "doze": 12, "twelve": 12, "treze": 13, "quatorze": 14, "quinze": 15, "fifteen": 15, "dezesseis": 16,
    "dezessete": 17, "dezoito": 18, "dezenove": 19, "vinte": 20, "twenty": 20, "trinta": 30, "thirty": 30, "quarenta": 40, "forty": 40,
    "cinquenta": 50, "fifty": 50, "sessenta": 60, "sixty": 60, "setenta": 70, "seventy": 70, "oitenta": 80, "eighty": 80,
    "noventa": 90, "ninety": 90, "cem": 100, "cento": 100, "duzentos": 200, "trezentos": 300, "quatrocentos": 400, "quinhentos": 500,
    "seiscentos": 600, "setecentos": 700, "oitocentos": 800, "novecentos": 900,
}  # fmt: skip
_NUMBER_WORD = "(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_SPOKEN = Pattern(rf"\b((?:{_NUMBER_WORD}\s+(?:e\s+)?){{1,4}}){_COIN}\b")
_DURATION = Pattern(
    rf"\b(\d{{1,3}}|{_NUMBER_WORD})\s?(?:a\s+\d+\s+|to\s+\d+\s+|-\s?\d+\s)?(?:(?:working|business)\s+)?"
    r"(dias?|days?|horas?|hours?|hs?|hrs?|semanas?|weeks?|faturas?|statements?|mes(?:es)?|months?|minutos?|minutes?|mins?)\b"
)
_UNITS = (
    ("di", "day"), ("da", "day"), ("h", "hour"), ("se", "week"), ("we", "week"), ("fa", "bill"), ("st", "bill"),
    ("me", "month"), ("mo", "month"), ("mi", "minute"),
)  # fmt: skip
_PERCENT = Pattern(r"\b(\d{1,3})\s?(?:%|por cento\b|percent\b)")
_WEEKDAYS = (
    ("segunda", "monday"), ("terca", "tuesday"), ("quarta", "wednesday"), ("quinta", "thursday"), ("sexta", "friday"),
    ("sabado", "saturday"), ("domingo", "sunday"),
)  # fmt: skip


@lru_cache(maxsize=2048)  # the evidence is a hundred short texts, nearly all of them those of the turn before
def amounts_in(text: str, *, bare: bool = False) -> frozenset[int]:
    """Return the amounts with a currency, in hundredths, in figures or spoken; `bare`: also "45,90" without one."""
    plain = flat(text)
    found = {cents(match.group(1) or match.group(2)) for match in _AMOUNT.finditer(plain)}
    found |= {sum(_NUMBERS.get(word, 0) for word in match.group(1).split()) * 100 for match in _SPOKEN.finditer(plain)}
    if bare:
        found |= {cents(match.group(1)) for match in _BARE.finditer(plain)}
    return frozenset(amount for amount in found if amount is not None)


def durations_in(text: str) -> set[tuple[str, str]]:
    """Return the spans of time: number and unit ("10", "day")."""
    return {
        (str(_NUMBERS.get(match.group(1), match.group(1))), next(unit for start, unit in _UNITS if match.group(2).startswith(start)))
        for match in _DURATION.finditer(flat(text))
    }  # fmt: skip


@lru_cache(maxsize=2048)
def percents_in(text: str) -> frozenset[str]:
    """Return the percentages, as digits."""
    return frozenset(match.group(1) for match in _PERCENT.finditer(flat(text)))


def days_in(text: str) -> set[str]:
    """Return month and day ("12-05") of the calendar dates in a text, read both ways round where that is possible."""
    days: set[str] = set()
    if not any(char.isdigit() for char in text):
        return days
    for country in ("BR", "US"):
        scan = Scan(text=text, country=country)
        find_dates(scan)
        for found in scan.found:
            day = unspelled(found.value)[-5:]
            if found.key == "date" and re.fullmatch(r"\d{2}-\d{2}", day):
                days.add(day)
    return days


def weekdays_of(text: str) -> set[str]:
    """Return the names of the weekdays on which the full dates of a text fall, in both languages."""
    names: set[str] = set()
    for year, month, day in re.findall(r"\b(\d{4})-(\d{2})-(\d{2})\b", text):
        names |= _names(int(year), int(month), int(day))
    for day, month, year in re.findall(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", text):
        names |= _names(int(year), int(month), int(day))
    return names


def _names(year: int, month: int, day: int) -> set[str]:
    try:
        return set(_WEEKDAYS[date(year, month, day).weekday()])
    except ValueError:
        return set()


def named_days(text: str) -> list[str]:
    """Return the days that a flat text names in words ("sexta", "amanha", "tomorrow")."""
    return re.findall(
        r"\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|amanha|hoje|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|today)\b",
        text,
    )


def leaves(value: JsonValue | Sequence[JsonValue]) -> Iterable[str]:
    """Yield every text of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)


def numbers(value: JsonValue | Sequence[JsonValue]) -> Iterable[int]:
    """Yield every number as hundredths, read both as centavos and as whole units."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield from (round(value), round(value * 100))
    elif isinstance(value, dict):
        for item in value.values():
            yield from numbers(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from numbers(item)
