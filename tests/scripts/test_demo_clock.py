"""A clock that scenarios move: by weekdays' opening and by spans, past closed days."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from pydantic import TypeAdapter, ValidationError

from routing.calendar import OpeningHours
from scripts.demo_clock import ClosedDay, Moment, MovedClock, whole_week

HOURS = OpeningHours()
MONDAY = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)  # 10:00 in São Paulo


def local(at: datetime) -> str:
    return f"{at.astimezone(ZoneInfo(HOURS.zone)):%a %d/%m %H:%M}"


@pytest.mark.parametrize(
    ("moves", "where"),
    [
        (["+5 minutes"], "Mon 30/11 10:05"),
        (["+3 days"], "Thu 03/12 10:00"),
        (["thursday opening"], "Thu 03/12 09:00"),
        (["thursday before opening"], "Thu 03/12 08:59"),
        (["thursday before opening", "thursday opening"], "Thu 03/12 09:00"),
        (["thursday opening", "thursday opening"], "Thu 10/12 09:00"),
        (["monday opening"], "Mon 07/12 09:00"),
        (["friday opening"] * 4, "Fri 08/01 09:00"),  # the 25th and the 1st are holidays
    ],
)
def test_it_moves(moves: list[str], where: str) -> None:
    clock = MovedClock(MONDAY)
    for move in moves:
        clock.move(move, HOURS)
    assert local(clock.now()) == where


def test_a_week_with_a_holiday_is_passed_over() -> None:
    assert local(whole_week("monday opening", MONDAY, HOURS)) == "Mon 07/12 09:00"
    before_christmas = datetime(2026, 12, 20, 13, tzinfo=UTC)
    assert local(whole_week("monday opening", before_christmas, HOURS)) == "Mon 04/01 09:00"


def test_hours_of_ones_own_count() -> None:
    late = HOURS.model_copy(update={"days": dict.fromkeys(range(5), ("11:30", "20:00"))})
    assert local(whole_week("monday opening", MONDAY, late)) == "Mon 30/11 11:30"


def test_a_day_on_which_nobody_is_there_is_said() -> None:
    closed = HOURS.model_copy(update={"days": {0: ("09:00", "18:00")}})
    with pytest.raises(ClosedDay, match="thursday opening"):
        MovedClock(MONDAY).move("thursday opening", closed)
    with pytest.raises(ClosedDay, match="five working days"):
        whole_week("monday opening", MONDAY, closed)


@pytest.mark.parametrize("wrong", ["thursday", "+5 minute", "quinta opening", "-3 days", "+3 days "])
def test_another_spelling_is_refused(wrong: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Moment).validate_python(wrong)
