"""Facts and their neighbours with the parts that a test does not care about filled in."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

from routing.facts import Commitment, CommitmentOrigin, Fact, FactStatus

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)


def numbers(prefix: str = "f") -> Callable[[], str]:
    counter = count(1)
    return lambda: f"{prefix}{next(counter)}"


def fact(
    key: str,
    value: str,
    *,
    entity: str | None = None,
    source: str = "customer",
    status: FactStatus | None = None,
    id: str | None = None,
    minutes: int = 0,
    max_age_s: int | None = None,
) -> Fact:
    return Fact(
        id=id or f"{key}-{value}-{source}",
        key=key,
        entity=entity,
        value=value,
        source=source,
        status=status or ("reported" if source == "customer" else "confirmed"),
        at=NOW + timedelta(minutes=minutes),
        turn=1,
        max_age_s=max_age_s,
    )


def commitment(
    text: str, *, id: str = "c-1", due: datetime | None = None, origin: CommitmentOrigin = "promise_callback"
) -> Commitment:
    return Commitment(id=id, text=text, by="desk", at=NOW, due=due, origin=origin)
