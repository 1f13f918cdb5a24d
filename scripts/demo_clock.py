"""A clock that a scenario moves: to a weekday's opening, or ahead by minutes, hours or days."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, get_args
from zoneinfo import ZoneInfo

from pydantic import StringConstraints

from routing.calendar import OpeningHours, is_open, next_opening
from scripts.scenario_expect import Weekday

WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
_AHEAD = r"\+\d{1,3} (?:minutes|hours|days)"
_OPENING = rf"(?:{'|'.join(WEEKDAYS)}) (?:opening|before opening)"
Opening = Annotated[str, StringConstraints(pattern=rf"^{_OPENING}$")]
"""A moment like "thursday opening", or "thursday before opening": one minute earlier."""
Moment = Annotated[str, StringConstraints(pattern=rf"^(?:{_AHEAD}|{_OPENING})$")]
"""An `Opening`, or how far ahead: "+5 minutes", "+2 hours", "+3 days"."""
_WEEKS = 30


class ClosedDay(ValueError):
    """Nobody is there on the day that a scenario needs."""


class MovedClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move(self, to: Moment, hours: OpeningHours) -> None:
        """Move ahead. Raises ClosedDay."""
        if match := re.fullmatch(r"\+(\d+) (minutes|hours|days)", to):
            self._at += timedelta(**{match[2]: int(match[1])})
        else:
            self._at = _next(to, self._at, hours)


def whole_week(start: Opening, now: datetime, hours: OpeningHours) -> datetime:
    """Return the next such moment in a week of five working days, so that no holiday bends what a scenario shows.

    Raises ClosedDay where there is none for months: the opening hours know no such week.
    """
    for week in range(_WEEKS):
        at = _next(start, now + timedelta(weeks=week), hours)
        local = at.astimezone(ZoneInfo(hours.zone))
        noons = [local.replace(hour=12) + timedelta(days=n - local.weekday()) for n in range(5)]
        if all(is_open(noon, hours) for noon in noons):
            return at
    raise ClosedDay(f"{start!r}: the opening hours know no week of five working days")


def _next(opening: Opening, now: datetime, hours: OpeningHours) -> datetime:
    """Return the next such moment after `now`, in UTC; in a week in which that day is closed, its ordinary one."""
    name, _, place = opening.partition(" ")
    local = now.astimezone(ZoneInfo(hours.zone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    for week in range(_WEEKS):
        day = midnight + timedelta(days=(WEEKDAYS.index(name) - local.weekday()) % 7 + 7 * week)
        opens = next_opening(day, hours)
        at = opens - timedelta(minutes=1) if place == "before opening" else opens
        if opens.astimezone(local.tzinfo).date() == day.date() and at > now:
            return at.astimezone(UTC)
    raise ClosedDay(f"{opening!r}: nobody is there on that day")
