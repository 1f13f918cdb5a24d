"""Do what has to happen by the clock: promises that are due, claims that timed out, quiet contacts, unfinished turns, announcements."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence

from ops.logs import configure_logs
from ops.maintenance import Maintenance
from scripts.ending import NO_DATABASE, unusable
from settings import ConfigurationError, load_environment, load_settings, maintenance_of, open_bastao

EXAMPLES = """\
examples:
  python -m scripts.maintain                  every 10 seconds, until it is stopped
  python -m scripts.maintain --once           one round, for cron
  python -m scripts.maintain --every 60

Run it beside the traffic, as often as you like: a database lock lets one process at a time do a round.
"""


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.maintain", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="one round, then end")
    parser.add_argument(
        "--every", type=float, default=10.0, metavar="SECONDS", help="pause between rounds (default: 10)"
    )
    return parser.parse_args(argv)


async def run(given: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Run one round or many, and finish the turns that were taken over before ending."""
    settings = load_settings(environ)
    configure_logs(settings.logs, environ)
    async with open_bastao(settings, environ) as bastao:
        maintenance: Maintenance = maintenance_of(settings, environ, bastao)
        if given.once:
            done = await maintenance.once()
            print("another process is at it" if done is None else done.model_dump_json())
            return 0
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        await maintenance.forever(every_s=given.every, stop=stop)
    return 0


def main(argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None) -> int:
    """Exit 0, or 2 when the configuration or the database is not usable."""
    given = arguments(argv)
    try:
        return asyncio.run(run(given, load_environment() if environ is None else environ))
    except (ConfigurationError, *NO_DATABASE) as error:
        return unusable("maintain", error)


if __name__ == "__main__":
    sys.exit(main())
