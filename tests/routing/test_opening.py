from datetime import UTC, datetime

import pytest

from routing.calendar import OpeningHours
from routing.model import Language
from routing.opening import opening_words

MONDAY_NOON = datetime(2026, 11, 30, 15, tzinfo=UTC)
MONDAY_LATE = datetime(2026, 12, 1, 1, tzinfo=UTC)  # 22:00 in São Paulo
SATURDAY = datetime(2026, 12, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "language", "said"),
    [
        (MONDAY_NOON, "pt", "em alguns minutos"),
        (MONDAY_LATE, "pt", "a partir de 01/12 às 09:00"),
        (MONDAY_LATE, "en", "from 01/12 at 09:00"),
        (SATURDAY, "pt", "a partir de 07/12 às 09:00"),
    ],
)
def test_when_somebody_answers(now: datetime, language: Language, said: str) -> None:
    assert opening_words(now, OpeningHours(), language) == said


def test_no_hour_is_made_up_where_nobody_ever_opens() -> None:
    assert opening_words(MONDAY_NOON, OpeningHours(days={}), "pt") == "assim que alguém da equipe estiver disponível"
