"""Calibrate a decision provider: temperature, threshold, a curve, and the file that settings load."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from ops.calibration import ProviderError, calibrate, load_cases, measure, only_provider, render, save
from ops.calibration_curve import draw
from routing.question import build_question
from settings import decider_of, load_environment, load_settings, roster_of

EXAMPLES = """\
examples:
  python -m scripts.calibrate --provider local --dataset evals/cases/router/dev_opening.jsonl
  python -m scripts.calibrate --provider msd1 --dataset evals/cases/router/dev_*.jsonl --target 0.97 --most-usd 1
"""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.calibrate",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--provider", required=True, metavar="P", help="one provider's flag, no chain")
    parser.add_argument("--dataset", required=True, nargs="+", type=Path, metavar="F", help="router cases (JSONL)")
    parser.add_argument("--target", type=float, default=0.95, help="share of accepted decisions to be right (0.95)")
    parser.add_argument("--delta", type=float, default=0.10, help="chance that the promise fails (0.10)")
    parser.add_argument(
        "--out", type=Path, default=Path("calibration"), metavar="DIR", help="where P.json and P.png go"
    )
    parser.add_argument("--most-usd", type=float, default=0.50, metavar="USD", help="spend no more than this (0.50)")
    given = parser.parse_args(argv)
    for name in ("target", "delta"):
        if not 0.0 < getattr(given, name) < 1.0:
            parser.error(f"--{name} must be between 0 and 1")
    return given


def main(
    argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> int:
    """Exit 0 with a threshold, 1 when none meets the target (a file is written all the same), 2 when nothing was measured."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    try:
        settings = load_settings(environ)
        roster = roster_of(settings)
        question = build_question([(spec.id, spec.role) for spec in roster.specs])
        cases = load_cases(given.dataset, question)
        provider = only_provider(decider_of(settings, roster, environ, provider=given.provider))
        measured, failed = asyncio.run(measure(provider, cases, question, most_usd=given.most_usd))
        outcome = calibrate(
            measured, question, target=given.target, delta=given.delta, at=now or datetime.now(UTC), failed=failed
        )
    except (ValueError, OSError, ProviderError) as error:
        print(f"calibrate: {error}", file=sys.stderr)
        return 2
    save(given.out / f"{given.provider}.json", outcome.file)
    draw(outcome, given.out / f"{given.provider}.png")
    print(render(outcome))
    print(f"written: {given.out / given.provider}.json and .png")
    return 0 if outcome.file.thresholds is not None else 1


if __name__ == "__main__":
    sys.exit(main())
