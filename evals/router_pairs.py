"""Providers side by side on the same cases: where they agree, whether one is better, what it costs and how long it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from pydantic import JsonValue

from evals.paired import Paired, paired
from evals.results import Share
from evals.router import Row


@dataclass(frozen=True, slots=True)
class Pair:
    """The second provider against the first. Ratios are second to first; None where the first is 0."""

    first: str
    second: str
    agreement: Share
    right: Paired
    unambiguous: Paired
    latency_ratio: float | None
    cost_ratio: float | None

    @property
    def sentence(self) -> str:
        return self.right.sentence(self.first, self.second)

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "first": self.first,
            "second": self.second,
            "agreement": self.agreement.as_json(),
            "right": self.right.as_json(),
            "unambiguous": self.unambiguous.as_json(),
            "latency_ratio": _rounded(self.latency_ratio),
            "cost_ratio": _rounded(self.cost_ratio),
            "sentence": self.sentence,
        }


def pairs(played: Mapping[str, Sequence[Row]]) -> list[Pair]:
    """Hold every two providers against each other, in the order in which they are named.

    Raises ValueError for rows of different cases.
    """
    names = list(played)
    return [pair(a, played[a], b, played[b]) for place, a in enumerate(names) for b in names[place + 1 :]]


def pair(first: str, ours: Sequence[Row], second: str, theirs: Sequence[Row]) -> Pair:
    """Hold two against each other. Raises ValueError for rows of different cases."""
    if [row.case for row in ours] != [row.case for row in theirs]:
        raise ValueError(f"{first} and {second} did not decide the same cases")
    both = list(zip(ours, theirs, strict=True))
    clear = [(a, b) for a, b in both if not a.case.ambiguous]
    return Pair(
        first=first,
        second=second,
        agreement=Share(sum(a.decision.target == b.decision.target for a, b in both), len(both)),
        right=paired([a.right for a, _ in both], [b.right for _, b in both]),
        unambiguous=paired([a.right for a, _ in clear], [b.right for _, b in clear]),
        latency_ratio=_ratio(_median(ours), _median(theirs)),
        cost_ratio=_ratio(_cost(ours), _cost(theirs)),
    )


def _median(rows: Sequence[Row]) -> float:
    return median(row.latency_ms for row in rows) if rows else 0.0


def _cost(rows: Sequence[Row]) -> float:
    return sum(row.decision.cost_usd or 0.0 for row in rows)


def _ratio(first: float, second: float) -> float | None:
    return second / first if first else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
