"""Compare decision providers on your own log of customers' messages (JSONL or CSV): agreement, latency, cost, and where to ask."""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evals.compare import Comparison, compare
from evals.datasets import BadCases
from evals.logs import Columns, Log, read_log
from scripts.argument_types import some_names, whole
from scripts.ending import unusable
from scripts.evaluate import desk_of
from settings import ConfigurationError, load_environment, load_settings

EXAMPLES = """\
examples:
  python -m scripts.compare --log conversas.csv --providers local,msd1+fallback --column message=Mensagem
  python -m scripts.compare --log log.jsonl --providers local --column expected=setor --unsure 50 --json out.json

columns: message (needed), previous (what the customer said before), reply (what was answered), current (who answered),
thread, expected (who should have spoken, for a judgement). Documents, cards, phones and e-mails are masked on reading.
"""
_FIELDS = ("message", "previous", "reply", "current", "thread", "expected")
_MOST = 20
_WIDTH = 90


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.compare", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--log", type=Path, required=True, metavar="F", help="a .csv, .tsv or .jsonl file")
    parser.add_argument(
        "--providers", type=some_names, required=True, metavar="A,B", help="flags of config.json's decision.provider"
    )
    parser.add_argument(
        "--column", type=_mapping, action="append", default=[], metavar="FIELD=NAME", help="where a field is"
    )
    parser.add_argument(
        "--unsure", type=whole(least=0), default=_MOST, metavar="N", help="messages to list (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there")
    return parser.parse_args(argv)


def _mapping(text: str) -> tuple[str, str]:
    field, _, name = text.partition("=")
    if field not in _FIELDS or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not FIELD=NAME with a field of {', '.join(_FIELDS)}")
    return field, name


def main(argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None) -> int:
    """Exit 0, or 2 when there is nothing to compare."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    try:
        log = read_log(given.log, Columns(**dict(given.column)))
        settings = load_settings(environ)
        desks = {flag: desk_of(settings, environ, provider=flag) for flag in given.providers}
    except (BadCases, ConfigurationError) as error:
        return unusable("compare", error)
    found = asyncio.run(compare(log.lines, desks))
    _print(found, log, most=given.unsure)
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(_as_json(found, log), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


def _print(found: Comparison, log: Log, *, most: int) -> None:
    console = Console(width=120 if not sys.stdout.isatty() else None, highlight=False)
    console.print(f"{len(log.lines)} messages read ({log.encoding})", markup=False)
    for why, lines in log.skipped.items():
        shown = ", ".join(map(str, lines[:10])) + (" …" if len(lines) > 10 else "")
        console.print(f"skipped {len(lines)}: {why} (line {shown})", markup=False)
    console.print(f"all choose the same: {found.concordance()}", markup=False)
    console.print(_table(found))
    for sentence in found.sentences():
        console.print(sentence, markup=False)
    unsure = found.unsure(most=most)
    console.print(
        f"\nbelow the threshold, most instructive first ({len(unsure)}): here the bot should be asking", markup=False
    )
    for each in unsure:
        said = "  ".join(f"{name}: {target} {_sure(p)}" for name, (target, p) in each.says.items())
        console.print(f"  {each.line:>5}  {each.message[:_WIDTH]!r}  {said}", markup=False, soft_wrap=True)


def _table(found: Comparison) -> Table:
    table = Table("provider", "right", "asks back", "mean p", "p50 ms", "p95 ms", "US$")
    figures: Any = found.figures()["providers"]
    for name, of in figures.items():
        right = of.get("accuracy")
        table.add_row(
            name, "-" if right is None else f"{100 * right['value']:.1f} %", f"{100 * of['clarification']['value']:.1f} %",
            _sure(of["mean_confidence"]), f"{of['latency_ms']['p50']:.1f}", f"{of['latency_ms']['p95']:.1f}", f"{of['cost_usd']:.4f}",
        )  # fmt: skip
    return table


def _sure(p: float | None) -> str:
    return "-" if p is None else f"{p:.2f}"


def _as_json(found: Comparison, log: Log) -> dict[str, Any]:
    return {
        **found.figures(), "encoding": log.encoding, "skipped": log.skipped, "sentences": found.sentences(),
        "unsure": [{"line": u.line, "message": u.message, "says": {k: list(v) for k, v in u.says.items()}} for u in found.unsure(most=len(found.lines))],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
