"""Score one suite on cases of one or more files; exit 1 when a figure is under its floor."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol, runtime_checkable

from pydantic import JsonValue

from evals.datasets import BadCases, read_cases
from evals.integrity import TOKENS_AT_MOST, run
from evals.integrity_cases import IntegrityCase
from evals.results import Result, misses
from evals.router import Desk, play
from evals.router_cases import RouterCase
from evals.router_figures import result_of
from ops.deciding import calibrations_of, gates_of, providers_behind
from routing.addressing import Member
from settings import (
    ConfigurationError,
    Settings,
    decider_of,
    load_environment,
    load_settings,
    roster_of,
    sensitive_of,
)

EXAMPLES = """\
examples:
  python -m scripts.evaluate handoff --dataset evals/cases/handoff/*.jsonl
  python -m scripts.evaluate handoff --dataset F --pad 200 --json out.json
  python -m scripts.evaluate router --dataset evals/cases/router/dev_*.jsonl --provider local
  python -m scripts.evaluate router --dataset F --floor unambiguous=0.9 --ceiling false_dispatch=0.05
"""
# What the suite must reach where no flag says otherwise; a padded conversation tells its words by the summary alone.
HANDOFF_FLOORS = {"identifiers": 1.0, "cards": 1.0, "words": 0.97}
PADDED_FLOORS = {"identifiers": 1.0, "cards": 1.0, "words": 0.98}
HANDOFF_CEILINGS = {"broken": 0.0, "package_tokens.max": float(TOKENS_AT_MOST)}


@runtime_checkable
class Trained(Protocol):
    """A provider that is loaded or trained before it can answer."""

    def warm_up(self) -> str: ...


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.evaluate",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    suites = parser.add_subparsers(dest="suite", required=True, metavar="SUITE")
    handoff = suites.add_parser("handoff", help="does the package keep what the customer gave? (no model)")
    handoff.add_argument("--pad", type=int, default=0, metavar="N", help="neutral turns before the boundary, up to N")
    router = suites.add_parser("router", help="does the right one speak?")
    router.add_argument("--provider", metavar="FLAG", help="a provider or a chain (default: config.json's)")
    for each in (handoff, router):
        each.add_argument("--dataset", type=Path, nargs="+", required=True, metavar="F", help="JSONL files")
        each.add_argument("--json", type=Path, metavar="OUT", help="write figures and rows there")
        each.add_argument("--floor", type=_figure, action="append", default=[], metavar="FIGURE=VALUE")
        each.add_argument("--ceiling", type=_figure, action="append", default=[], metavar="FIGURE=VALUE")
    return parser.parse_args(argv)


def _figure(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not FIGURE=VALUE") from error


def main(argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None) -> int:
    """Exit 0, 1 when a figure misses its floor or ceiling, 2 when there is nothing to score."""
    given = arguments(argv)
    try:
        result = _handoff(given) if given.suite == "handoff" else _router(given, environ)
        floors, ceilings = _limits(given)
        missed = misses(result.metrics, floors=floors, ceilings=ceilings)
    except (BadCases, ConfigurationError, KeyError) as error:
        print(f"evaluate: {error.args[0] if error.args else error}", file=sys.stderr)
        return 2
    print("\n".join(report(result)))
    if given.json is not None:
        result.write(given.json)
    for sentence in missed:
        print(f"MISSED: {sentence}")
    return 1 if missed else 0


def _limits(given: argparse.Namespace) -> tuple[dict[str, float], dict[str, float]]:
    floors: dict[str, float] = {}
    ceilings: dict[str, float] = {}
    if given.suite == "handoff":
        floors, ceilings = dict(PADDED_FLOORS if given.pad else HANDOFF_FLOORS), dict(HANDOFF_CEILINGS)
    return floors | dict(given.floor), ceilings | dict(given.ceiling)


def _handoff(given: argparse.Namespace) -> Result:
    return run(read_cases(IntegrityCase, given.dataset), pad=given.pad)


def _router(given: argparse.Namespace, environ: Mapping[str, str] | None) -> Result:
    cases = read_cases(RouterCase, given.dataset)
    environ = load_environment() if environ is None else environ
    desk = desk_of(load_settings(environ), environ, provider=given.provider)
    return result_of(asyncio.run(play(cases, desk)))


def desk_of(settings: Settings, environ: Mapping[str, str], *, provider: str | None = None) -> Desk:
    """Compose who decides, by which numbers. Raises `ConfigurationError`."""
    roster = roster_of(settings)
    decider = decider_of(settings, roster, environ, provider=provider)
    for behind in providers_behind(decider):
        if isinstance(behind, Trained):
            behind.warm_up()
    return Desk(
        decider=decider, roles=tuple((spec.id, spec.role) for spec in roster.specs), clock=monotonic,
        members=tuple(
            Member(spec.id, names=(spec.display_name, spec.display_name_en), aliases=spec.aliases) for spec in roster.specs
        ),
        thresholds=gates_of(settings.decision, calibrations_of(settings.decision, settings.base)), sensitive=sensitive_of(settings),
    )  # fmt: skip


def report(result: Result) -> list[str]:
    """Return the figures as lines: a share with its count and interval, a group of figures indented."""
    return [f"{result.suite}: {result.n} cases", *_lines(dict(result.metrics), "  "), *_lost(result)]


def _lines(figures: Mapping[str, JsonValue], indent: str) -> list[str]:
    lines: list[str] = []
    for name, value in figures.items():
        if isinstance(value, dict) and "hits" in value:
            lines.append(f"{indent}{name:<28} {_share(value)}")
        elif isinstance(value, dict) and all(not isinstance(each, dict) for each in value.values()):
            lines.append(f"{indent}{name:<28} " + "  ".join(f"{key} {each}" for key, each in value.items()))
        elif isinstance(value, dict):
            lines += [f"{indent}{name}", *_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name:<28} {'-' if value is None else value}")
    return lines


def _share(value: Mapping[str, JsonValue]) -> str:
    name = f" {value['intent']}" if "intent" in value else ""
    if value["value"] is None:
        return f"-  (0){name}"
    low, high, share = (float(str(value[key])) * 100 for key in ("low", "high", "value"))
    return f"{share:5.1f} %  ({value['hits']}/{value['n']}, {low:.1f} to {high:.1f}){name}"


def _lost(result: Result) -> list[str]:
    if result.suite != "handoff":
        return []
    return [
        f"  {row['id']}: lost {row['lost']} {row['broken']}" for row in result.cases if row["lost"] or row["broken"]
    ]


if __name__ == "__main__":
    sys.exit(main())
