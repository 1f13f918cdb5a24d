"""Working days, holidays and opening hours, in the shop's zone. The calendar library is loaded when first asked."""

import re
from collections.abc import Container
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from routing.extraction_dates import find_dates
from routing.extraction_scan import Scan
from routing.model import Frozen
from routing.values import flat, unspelled

END_OF_DAY = time(18, 0)
_SEARCH_DAYS = 30
_WEEK: dict[int, tuple[str, str]] = dict.fromkeys(range(5), ("09:00", "18:00"))
_WEEKDAYS = (
    ("segunda", "monday"), ("terca", "tuesday"), ("quarta", "wednesday"), ("quinta", "thursday"), ("sexta", "friday"),
    ("sabado", "saturday"), ("domingo", "sunday"),
)  # fmt: skip
_NUMBERS = {
    "um": 1, "uma": 1, "one": 1, "a": 1, "dois": 2, "duas": 2, "two": 2, "tres": 3, "three": 3, "quatro": 4, "four": 4,
    "cinco": 5, "five": 5, "seis": 6, "six": 6, "sete": 7, "seven": 7, "dez": 10, "ten": 10,
}  # fmt: skip
_N = r"(\d{1,3}|" + "|".join(_NUMBERS) + r")"
_WORKING = re.compile(rf"\b{_N}\s+(?:dias?\s+ute(?:is|l)|(?:business|working)\s+days?)\b|\b{_N}\s+dia\s+util\b")
_DAYS = re.compile(rf"\b{_N}\s+(?:dias?|days?)\b")
_HOURS = re.compile(rf"\b{_N}\s*(?:horas?|hours?|h)\b")
_AT = re.compile(r"\b(?:as|at|ate as|by)\s+(\d{1,2})(?:[:h](\d{2}))?\s*(?:h|horas|(am|pm))?\b")
_NEXT_WEEK = re.compile(r"\b(?:semana que vem|proxima semana|next week)\b")


class OpeningHours(Frozen):
    """When people answer: per weekday (0 is Monday) from and until "HH:MM" in `zone`; a missing day is closed."""

    zone: str = "America/Sao_Paulo"
    days: dict[int, tuple[str, str]] = Field(default_factory=lambda: dict(_WEEK))
    country: str = "BR"
    subdivision: str | None = None
    closed_on_holidays: bool = True

    @field_validator("days")
    @classmethod
    def _in_order(cls, days: dict[int, tuple[str, str]]) -> dict[int, tuple[str, str]]:
        for day, (opens, closes) in days.items():
            if not 0 <= day <= 6 or time.fromisoformat(opens) >= time.fromisoformat(closes):
                raise ValueError(f"day {day}: {opens}-{closes} is no opening time")
        return days


@cache
def _holidays(country: str, subdivision: str | None, year: int) -> Container[date]:
    import holidays

    return frozenset(holidays.country_holidays(country, subdiv=subdivision, years=year))


def is_business_day(day: date, *, country: str = "BR", subdivision: str | None = None) -> bool:
    return day.weekday() < 5 and day not in _holidays(country, subdivision, day.year)


def add_business_days(start: date, days: int, *, country: str = "BR", subdivision: str | None = None) -> date:
    """Return the day that lies this many working days after (negative: before) `start`, which does not count."""
    day, step = start, timedelta(days=1 if days >= 0 else -1)
    for _ in range(abs(days)):
        day += step
        while not is_business_day(day, country=country, subdivision=subdivision):
            day += step
    return day


def due_of(text: str, now: datetime, zone: ZoneInfo, *, hours: OpeningHours | None = None) -> datetime | None:
    """Read a date out of a promise: "até sexta", "amanhã", "em 2 dias úteis", "12/03", "by Friday", "em 3 horas".

    Returns the end of that working day (or the hour that is named), in UTC; None when no date is named or it has passed.
    """
    hours = hours or OpeningHours()
    plain, local = flat(text), now.astimezone(zone)
    if (match := _HOURS.search(plain)) and not _AT.search(plain):
        return (now + timedelta(hours=_number(match.group(1)))).astimezone(UTC)
    day = _day(plain, text, local.date(), hours)
    if day is None:
        return None
    due = datetime.combine(day, _hour(plain) or _closing(day, hours), tzinfo=zone)
    return due.astimezone(UTC) if due > local else None


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _day(plain: str, text: str, today: date, hours: OpeningHours) -> date | None:
    if match := _WORKING.search(plain):
        number = _number(match.group(1) or match.group(2))
        return add_business_days(today, number, country=hours.country, subdivision=hours.subdivision)
    if match := _DAYS.search(plain):
        return today + timedelta(days=_number(match.group(1)))
    scan = Scan(text=text, today=today, country=hours.country)
    find_dates(scan)
    for found in scan.found:
        if found.key == "date" and re.fullmatch(r"\d{4}-\d{2}-\d{2}", unspelled(found.value)):
            return date.fromisoformat(unspelled(found.value))
    return _named_day(plain, today)


def _named_day(plain: str, today: date) -> date | None:
    if re.search(r"\b(?:depois de amanha|day after tomorrow)\b", plain):
        return today + timedelta(days=2)
    if re.search(r"\b(?:amanha|tomorrow)\b", plain):
        return today + timedelta(days=1)
    if re.search(r"\b(?:hoje|today|tonight)\b", plain):
        return today
    for number, names in enumerate(_WEEKDAYS):
        if re.search(rf"\b(?:{'|'.join(names)})\b(?! (?:via|vez|opcao))", plain):
            ahead = (number - today.weekday()) % 7 or 7
            return today + timedelta(days=ahead)
    if _NEXT_WEEK.search(plain):
        return today + timedelta(days=11 - today.weekday())
    return None


def _hour(plain: str) -> time | None:
    match = _AT.search(plain)
    if match is None:
        return None
    hour = int(match.group(1)) + (12 if match.group(3) == "pm" and int(match.group(1)) < 12 else 0)
    return time(hour, int(match.group(2) or 0)) if hour < 24 and int(match.group(2) or 0) < 60 else None


def _closing(day: date, hours: OpeningHours) -> time:
    span = hours.days.get(day.weekday())
    return time.fromisoformat(span[1]) if span else END_OF_DAY


def is_open(now: datetime, hours: OpeningHours) -> bool:
    """Tell whether somebody is there at this moment."""
    local = now.astimezone(ZoneInfo(hours.zone))
    span = _span(local.date(), hours)
    return span is not None and span[0] <= local < span[1]


def next_opening(now: datetime, hours: OpeningHours) -> datetime:
    """Return when somebody is there next, in UTC: now itself while it is open. Raises ValueError if that is never."""
    local = now.astimezone(ZoneInfo(hours.zone))
    for ahead in range(_SEARCH_DAYS):
        span = _span(local.date() + timedelta(days=ahead), hours)
        if span is not None and local < span[1]:
            return max(local, span[0]).astimezone(UTC)
    raise ValueError("the opening hours name no day within a month")


def _span(day: date, hours: OpeningHours) -> tuple[datetime, datetime] | None:
    span = hours.days.get(day.weekday())
    if span is None or (hours.closed_on_holidays and day in _holidays(hours.country, hours.subdivision, day.year)):
        return None
    zone = ZoneInfo(hours.zone)
    return (
        datetime.combine(day, time.fromisoformat(span[0]), tzinfo=zone),
        datetime.combine(day, time.fromisoformat(span[1]), tzinfo=zone),
    )


def remind_at(due: datetime, hours: OpeningHours) -> datetime:
    """Return when a dated promise must be in the queue: at opening of the working day before it is due, in UTC."""
    zone = ZoneInfo(hours.zone)
    day = due.astimezone(zone).date()
    for _ in range(_SEARCH_DAYS):
        day -= timedelta(days=1)
        if (span := _span(day, hours)) is not None:
            return span[0].astimezone(UTC)
    return due
