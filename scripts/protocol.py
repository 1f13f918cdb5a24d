"""Find what went wrong behind the protocol number of an apology (ER-…) that a customer was given."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence

from ops.reading import failure
from ops.stores import open_database
from scripts.ending import NO_DATABASE, unusable
from settings import load_environment

EXAMPLES = """\
examples:
  python -m scripts.protocol ER-7K2M9P     the stored traceback, without secrets and personal data
"""


async def show(environ: Mapping[str, str], protocol: str) -> int:
    async with open_database(environ) as database:
        found = await failure(database, protocol)
    if found is None:
        told = (
            "nothing is stored under it"
            if protocol.startswith("ER-")
            else "only ER-… numbers have a failure behind them; others are of requests and of the queue"
        )
        print(f"protocol: {protocol}: {told}", file=sys.stderr)
        return 1
    print(f"{found.protocol}  {found.at:%Y-%m-%d %H:%M:%S} UTC  {found.kind}  turn {found.turn_id}\n\n{found.detail}")
    return 0


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Print a failure. Exit 1 when there is none, 2 when there is no database."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.protocol",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("protocol", type=str.upper)
    given = parser.parse_args(argv)
    try:
        return asyncio.run(show(load_environment() if environ is None else environ, given.protocol))
    except NO_DATABASE as error:
        return unusable("protocol", error)


if __name__ == "__main__":
    sys.exit(main())
