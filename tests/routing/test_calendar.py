"""Working days, promises and opening hours in the shop's zone."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from routing.calendar import OpeningHours, add_business_days, due_of, is_business_day, is_open, next_opening, remind_at

ZONE = ZoneInfo("America/Sao_Paulo")
MONDAY = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)  # 11:05 in São Paulo
HOURS = OpeningHours()


@pytest.mark.parametrize(
    ("day", "working"),
    [
        (date(2026, 11, 30), True), (date(2026, 11, 28), False), (date(2026, 12, 25), False), (date(2026, 9, 7), False),
        (date(2026, 11, 20), False),
    ],
)  # fmt: skip
def test_weekends_and_holidays_are_not_worked(day: date, working: bool) -> None:
    assert is_business_day(day) is working


@pytest.mark.parametrize(
    ("start", "days", "expected"),
    [
        (date(2026, 11, 30), 2, date(2026, 12, 2)),
        (date(2026, 12, 24), 1, date(2026, 12, 28)),
        (date(2026, 11, 27), 1, date(2026, 11, 30)),
        (date(2026, 11, 30), -1, date(2026, 11, 27)),
        (date(2026, 11, 30), 0, date(2026, 11, 30)),
    ],
)
def test_adds_working_days(start: date, days: int, expected: date) -> None:
    assert add_business_days(start, days) == expected


def test_a_state_has_its_own_holidays() -> None:
    assert is_business_day(date(2026, 7, 9))
    assert not is_business_day(date(2026, 7, 9), subdivision="SP")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Te retornamos até sexta", datetime(2026, 12, 4, 21, tzinfo=UTC)),
        ("by Friday", datetime(2026, 12, 4, 21, tzinfo=UTC)),
        ("até segunda", datetime(2026, 12, 7, 21, tzinfo=UTC)),
        ("amanhã", datetime(2026, 12, 1, 21, tzinfo=UTC)),
        ("amanhã às 10h", datetime(2026, 12, 1, 13, tzinfo=UTC)),
        ("tomorrow at 3 pm", datetime(2026, 12, 1, 18, tzinfo=UTC)),
        ("depois de amanhã", datetime(2026, 12, 2, 21, tzinfo=UTC)),
        ("em 2 dias úteis", datetime(2026, 12, 2, 21, tzinfo=UTC)),
        ("within two business days", datetime(2026, 12, 2, 21, tzinfo=UTC)),
        ("em 3 dias", datetime(2026, 12, 3, 21, tzinfo=UTC)),
        ("em 3 horas", datetime(2026, 11, 30, 17, 5, tzinfo=UTC)),
        ("até 12/12", datetime(2026, 12, 12, 21, tzinfo=UTC)),
        ("on December 11th", datetime(2026, 12, 11, 21, tzinfo=UTC)),
        ("ainda hoje", datetime(2026, 11, 30, 21, tzinfo=UTC)),
        ("semana que vem", datetime(2026, 12, 11, 21, tzinfo=UTC)),
        ("hoje às 9h", None),
        ("12/03/2026", None),
        ("segunda via do boleto", None),
        ("em breve", None),
    ],
)
def test_reads_the_date_of_a_promise(text: str, expected: datetime | None) -> None:
    assert due_of(text, MONDAY, ZONE) == expected


@pytest.mark.parametrize(
    ("now", "open_now", "opens"),
    [
        (MONDAY, True, MONDAY),
        (datetime(2026, 11, 30, 11, 59, tzinfo=UTC), False, datetime(2026, 11, 30, 12, tzinfo=UTC)),
        (datetime(2026, 11, 30, 12, tzinfo=UTC), True, datetime(2026, 11, 30, 12, tzinfo=UTC)),
        (datetime(2026, 11, 30, 21, tzinfo=UTC), False, datetime(2026, 12, 1, 12, tzinfo=UTC)),
        (datetime(2026, 12, 5, 1, tzinfo=UTC), False, datetime(2026, 12, 7, 12, tzinfo=UTC)),
        (datetime(2026, 12, 25, 15, tzinfo=UTC), False, datetime(2026, 12, 28, 12, tzinfo=UTC)),
    ],
)
def test_opening_hours(now: datetime, open_now: bool, opens: datetime) -> None:
    assert is_open(now, HOURS) is open_now
    assert next_opening(now, HOURS) == opens


def test_holidays_may_be_worked() -> None:
    assert is_open(datetime(2026, 12, 25, 15, tzinfo=UTC), OpeningHours(closed_on_holidays=False))


def test_hours_that_never_open_say_so() -> None:
    with pytest.raises(ValueError, match="no day"):
        next_opening(MONDAY, OpeningHours(days={}))


@pytest.mark.parametrize("days", [{7: ("09:00", "18:00")}, {0: ("18:00", "09:00")}, {0: ("9h", "18h")}])
def test_impossible_hours_are_refused(days: dict[int, tuple[str, str]]) -> None:
    with pytest.raises(ValidationError):
        OpeningHours(days=days)


@pytest.mark.parametrize(
    ("due", "reminder"),
    [
        (datetime(2026, 12, 4, 21, tzinfo=UTC), datetime(2026, 12, 3, 12, tzinfo=UTC)),
        (datetime(2026, 12, 7, 21, tzinfo=UTC), datetime(2026, 12, 4, 12, tzinfo=UTC)),
        (datetime(2026, 12, 28, 21, tzinfo=UTC), datetime(2026, 12, 24, 12, tzinfo=UTC)),
    ],
)
def test_a_promise_is_queued_the_working_day_before(due: datetime, reminder: datetime) -> None:
    assert remind_at(due, HOURS) == reminder
