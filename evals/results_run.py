"""One run of the suites as a document: what the report and the README's table are drawn from, figures alone."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from evals.results import Result, Share, Suite
from routing.model import Frozen

Sort = Literal["embedded", "remote", "simulated", "baseline"]
Metrics = Mapping[str, JsonValue]


class Scored(Frozen):
    """A provider's figures on the router's cases. `name` is what tables show; `model` are the builds that served."""

    flag: str
    name: str
    sort: Sort
    model: str
    metrics: dict[str, JsonValue]

    def share(self, path: str) -> Share:
        return share_at(self.metrics, path)


class RouterRun(Frozen):
    """The router suite: the first provider is the one that is judged, `pairs` hold every two against each other."""

    n: int
    dataset: str
    providers: tuple[Scored, ...]
    pairs: tuple[dict[str, JsonValue], ...] = ()

    @property
    def judged(self) -> Scored:
        return self.providers[0]


class SuiteRun(Frozen):
    """Another suite's figures. `failed` are the ids of cases that did not pass, with why."""

    suite: Suite
    n: int
    dataset: str
    metrics: dict[str, JsonValue]
    failed: dict[str, str] = Field(default_factory=dict[str, str])


class Run(Frozen):
    """What ran, when, and what it missed: a sentence per figure that is under its floor, by suite."""

    at: datetime
    versions: dict[str, str]
    router: RouterRun | None = None
    suites: tuple[SuiteRun, ...] = ()
    bounds: dict[str, dict[str, dict[str, float]]] = Field(default_factory=dict[str, dict[str, dict[str, float]]])
    missed: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])

    def write(self, path: Path) -> None:
        """Write the JSON file, its folder included."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.model_dump_json(indent=1) + "\n", "utf-8")


def read_run(path: Path) -> Run:
    """Read a run's file. Raises OSError, and ValueError for a file that is none."""
    try:
        return Run.model_validate_json(path.read_text("utf-8"))
    except ValidationError as error:
        raise ValueError(f"{path}: not a run of the suites ({error.error_count()} problems)") from error


def suite_run(result: Result, *, dataset: str, failed: Mapping[str, str] | None = None) -> SuiteRun:
    """Return a result's figures without its rows."""
    return SuiteRun(
        suite=result.suite, n=result.n, dataset=dataset, metrics=dict(result.metrics), failed=dict(failed or {})
    )


def without_small(metrics: Metrics, path: str, *, least: int) -> dict[str, JsonValue]:
    """Return the figures with only those shares of a group that are of at least so many cases."""
    found = metrics.get(path)
    if not isinstance(found, dict):
        return dict(metrics)
    return {**metrics, path: {name: value for name, value in found.items() if share_at(found, name).n >= least}}


def part_at(metrics: Metrics, path: str) -> JsonValue:
    """Return what lies at a dotted path; None where there is nothing."""
    found: JsonValue = dict(metrics)
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def share_at(metrics: Metrics, path: str) -> Share:
    """Return the share at a dotted path; an empty one where there is none."""
    found = part_at(metrics, path)
    if not isinstance(found, dict) or not isinstance(hits := found.get("hits"), int):
        return Share(0, 0)
    n = found.get("n")
    return Share(hits, n) if isinstance(n, int) else Share(0, 0)


def shares_in(metrics: Metrics, path: str) -> dict[str, Share]:
    """Return the shares of a group ("by_kind"), in its order; none where there is no such group."""
    found = part_at(metrics, path)
    return {name: share_at(found, name) for name in found} if isinstance(found, dict) else {}


def number_at(metrics: Metrics, path: str) -> float | None:
    """Return the number at a dotted path; None where there is none."""
    found = part_at(metrics, path)
    return None if isinstance(found, bool) or not isinstance(found, int | float) else float(found)


def points_in(metrics: Metrics, path: str) -> list[dict[str, float]]:
    """Return the points of a curve: each a group of numbers."""
    found = part_at(metrics, path)
    if not isinstance(found, list):
        return []
    return [
        {name: float(value) for name, value in point.items() if isinstance(value, int | float)}
        for point in found
        if isinstance(point, dict)
    ]
