"""A run on a terminal: the judged suite's figures as lines, the providers side by side as a table."""

from collections.abc import Mapping

from pydantic import JsonValue
from rich.console import Console
from rich.table import Table

from evals.floors import Bounds
from evals.results import Result
from evals.results_run import RouterRun, Scored, SuiteRun, number_at, share_at
from evals.router_figures import WORST_FROM

_CURVES = ("reliability", "risk_coverage")
_MANY = 20


def show(result: Result, console: Console, *, failed: Mapping[str, str]) -> None:
    """Print a suite's figures: a share with its count and interval, a group of figures indented."""
    lines = [f"{result.suite}: {result.n} cases", *_lines(result.metrics, "  ")]
    lines += [f"  {name}: {why}" for name, why in failed.items()]
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


def show_providers(run: RouterRun, console: Console, *, bounds: Bounds) -> None:
    """Print the providers side by side, and what the differences are worth."""
    table = Table("provider", "right", "unambiguous", "asks back", "log-loss", "calibration", "p50 ms", "US$")
    for each in run.providers:
        table.add_row(
            each.name, str(each.share("accuracy")), str(each.share("unambiguous")), str(each.share("clarification")),
            _number(each, "log_loss", 3), _calibration(each, bounds), _number(each, "latency_ms.p50", 1), _number(each, "cost_usd", 4),
        )  # fmt: skip
    console.print(table)
    for pair in run.pairs:
        console.print(str(pair["sentence"]), markup=False, soft_wrap=True)


def failures(suites: list[SuiteRun], suite: str) -> Mapping[str, str]:
    return next((each.failed for each in suites if each.suite == suite), {})


def _calibration(scored: Scored, bounds: Bounds) -> str:
    verdict = {True: "", False: " FAILS", None: ""}[bounds.believable(scored.metrics)]
    return f"{_number(scored, 'calibration_error', 3)}{verdict}"


def _number(scored: Scored, path: str, digits: int) -> str:
    value = number_at(scored.metrics, path)
    return "-" if value is None else f"{value:.{digits}f}"


def _lines(figures: Mapping[str, JsonValue], indent: str) -> list[str]:
    lines: list[str] = []
    for name, value in figures.items():
        if name in _CURVES:
            continue
        if isinstance(value, dict) and "hits" in value:
            lines.append(f"{indent}{name:<28} {_share(value)}")
        elif isinstance(value, dict) and all(not isinstance(each, dict) for each in value.values()):
            lines.append(f"{indent}{name:<28} " + "  ".join(f"{key} {each}" for key, each in value.items()))
        elif isinstance(value, dict):
            shown = _large(value)
            lines += [f"{indent}{name}", *_lines(shown, indent + "  ")]
            lines += [f"{indent}  and {len(value) - len(shown)} with fewer cases"] if len(shown) < len(value) else []
        else:
            lines.append(f"{indent}{name:<28} {'-' if value is None else value}")
    return lines


def _large(group: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Leave the small shares out of a long group: their intervals say little, and the JSON has them."""
    if len(group) <= _MANY or not all(isinstance(value, dict) and "hits" in value for value in group.values()):
        return group
    return {name: value for name, value in group.items() if share_at(group, name).n >= WORST_FROM}


def _share(value: Mapping[str, JsonValue]) -> str:
    name = f" {value['intent']}" if "intent" in value else ""
    if value["value"] is None:
        return f"-  (0){name}"
    low, high, share = (float(str(value[key])) * 100 for key in ("low", "high", "value"))
    return f"{share:5.1f} %  ({value['hits']}/{value['n']}, {low:.1f} to {high:.1f}){name}"
