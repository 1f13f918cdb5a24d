"""What a suite answers: figures that come with their n and an interval, in one JSON shape."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

Suite = Literal["router", "handoff", "specialist"]
_Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole with its 95 % Wilson interval. An empty whole has no value and the interval (0, 1)."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.hits, self.n)

    def as_json(self) -> dict[str, JsonValue]:
        low, high = self.interval
        value = None if self.value is None else round(self.value, 4)
        return {"value": value, "hits": self.hits, "n": self.n, "low": round(low, 4), "high": round(high, 4)}

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({self.hits}/{self.n}; {100 * low:.1f} to {100 * high:.1f})"


def wilson(hits: int, n: int, *, z: float = _Z_95) -> tuple[float, float]:
    """Return the score interval of a proportion (Wilson, JASA 22, 1927); (0, 1) without observations.

    Raises ValueError for a count that cannot be.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n}")
    if n == 0:
        return 0.0, 1.0
    rate, square = hits / n, z * z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == n else middle + half)


def quantile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that at least this share of the values does not exceed; None of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


@dataclass(frozen=True, slots=True)
class Result:
    """One run of a suite. `cases` are its rows."""

    suite: Suite
    n: int
    metrics: Mapping[str, JsonValue]
    cases: Sequence[Mapping[str, JsonValue]]

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "suite": self.suite,
            "n": self.n,
            "metrics": dict(self.metrics),
            "cases": [dict(row) for row in self.cases],
        }

    def write(self, path: Path) -> None:
        """Write the JSON file, its folder included."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")


def figure(metrics: Mapping[str, JsonValue], path: str) -> float | None:
    """Return a figure by its dotted path ("accuracy", "by_kind.opening"); a share's is its value. None: it is null.

    Raises KeyError, naming what there is, where there is no such figure.
    """
    found: JsonValue = dict(metrics)
    for part in path.split("."):
        if not isinstance(found, dict) or part not in found:
            raise KeyError(f"no figure {path!r}; there are: {', '.join(sorted(metrics))}")
        found = found[part]
    if isinstance(found, dict):
        found = found.get("value")
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise KeyError(f"{path!r} is no figure")
    return float(found)


def misses(
    metrics: Mapping[str, JsonValue], *, floors: Mapping[str, float], ceilings: Mapping[str, float]
) -> list[str]:
    """Return a sentence for each figure that is under its floor or over its ceiling. Raises KeyError as `figure` does.

    A figure that is null misses nothing: there were no observations.
    """
    found: list[str] = []
    for path, floor in floors.items():
        value = figure(metrics, path)
        if value is not None and value < floor:
            found.append(f"{path} is {value:.4g}, the floor is {floor:.4g}")
    for path, ceiling in ceilings.items():
        value = figure(metrics, path)
        if value is not None and value > ceiling:
            found.append(f"{path} is {value:.4g}, the ceiling is {ceiling:.4g}")
    return found
