"""Export everything that is held about a customer, or erase it, with a receipt per store."""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ops.privacy import Privacy, lines_of
from ops.problems import BadId, ShopUnavailable
from ops.stores import open_database
from scripts.ending import NO_DATABASE, unusable
from settings import ConfigurationError, load_environment, load_settings, privacy_of

EXAMPLES = """\
examples:
  python -m scripts.privacy export --customer c1 --out c1.json    everything that is held, as one JSON object
  python -m scripts.privacy erase --customer c1                   forget the customer; the receipt goes to the screen
  python -m scripts.privacy erase --customer c1 --out c1.json     the receipt as JSON too

Safe beside the traffic. What is open (a turn, an item of the queue, an effect) delays an erasure; scripts.maintain carries it
out as soon as nothing is. The shop's order system holds its own records; they are exported and erased there.
"""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.privacy", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("action", choices=("export", "erase"))
    parser.add_argument(
        "--customer", required=True, metavar="ID", help="the customer's id, as tokens and the shop have it"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the JSON goes (export: the screen without it)")
    return parser.parse_args(argv)


async def run(given: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Exit 0, also for somebody of whom nothing is held; 3 when an erasure has to wait."""
    settings = load_settings(environ)
    async with open_database(environ) as database:
        privacy: Privacy = privacy_of(settings, environ, database)
        if given.action == "export":
            exported = await privacy.export(given.customer)
            text = exported.as_json()
            if given.out is None:
                print(text)
            else:
                write_private(given.out, text)
                held = sum(len(rows) for rows in exported.stores.values())
                print(f"{given.customer}: {held} rows from {len(exported.stores)} stores, in {given.out}")
            return 0
        erasure = await privacy.erase(given.customer)
        if given.out is not None:
            write_private(given.out, erasure.model_dump_json(indent=2))
        print("\n".join(lines_of(erasure)))
        return 3 if erasure.status == "delayed" else 0


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    path.chmod(0o600)


def main(argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None) -> int:
    """Exit 0, 2 when the configuration, the database or the order system is not usable, 3 when an erasure has to wait."""
    given = arguments(argv)
    try:
        return asyncio.run(run(given, load_environment() if environ is None else environ))
    except ShopUnavailable:
        print("privacy: the order system does not answer; an erasure is noted and will be carried out", file=sys.stderr)
        return 2
    except (ConfigurationError, *NO_DATABASE, OSError, BadId) as error:
        return unusable("privacy", error)


if __name__ == "__main__":
    sys.exit(main())
