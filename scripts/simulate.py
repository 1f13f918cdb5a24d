"""Fill a database of its own with a simulated month, to see the numbers' page before there are customers."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ops.deciding import calibrations_of, gates_of
from ops.embedded_server import data_folder
from ops.simulation import Month, RealCustomersHere, simulate, world_of
from ops.stores import open_database
from scripts.ending import NO_DATABASE, unusable
from settings import ConfigurationError, Settings, load_environment, load_settings, reasons_of, roster_of

EXAMPLES = """\
examples:
  python -m scripts.simulate                                       30 days and 400 contacts that end yesterday
  python -m scripts.simulate --days 7 --contacts 60 --seed 3       a small week; the same seed is the same week
  python -m scripts.simulate --database ./numbers                  an embedded database in a folder of your choice
  python -m scripts.simulate --database postgresql://u:p@host/db   your own PostgreSQL

Nobody wrote any of it and no model was asked: the shares are invented, only the rules that route and end a contact are
the product's. Contacts are of the channel "simulated", and the page says so. Run again, it adds what is missing.
"""
OWN = "simulated"


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.simulate", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--days", type=_positive, default=30, metavar="N", help="how many days (default: 30)")
    parser.add_argument("--contacts", type=_positive, default=400, metavar="N", help="how many contacts (default: 400)")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="another seed is another month (default: 7)")
    parser.add_argument("--until", type=date.fromisoformat, metavar="YYYY-MM-DD", help="last day (default: yesterday)")
    parser.add_argument(
        "--database", metavar="URL|DIR", help='a PostgreSQL or a folder (default: "simulated" in the data folder)'
    )
    parser.add_argument("--mix", action="store_true", help="also into a database that holds real conversations")
    return parser.parse_args(argv)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def place(given: str | None, environ: Mapping[str, str]) -> dict[str, str]:
    """Return what names the database to fill. Never the one of the environment unasked: a month would stay among real ones."""
    if given is not None and ("://" in given or "=" in given):  # an address, or "host=… dbname=…"
        return {"DATABASE_URL": given}
    return {"BASTAO_DATA_DIR": str(Path(given).expanduser().resolve() if given else data_folder(environ) / OWN)}


async def run(given: argparse.Namespace, settings: Settings, environ: Mapping[str, str], *, last: date) -> int:
    """Write the month, and say where it lies and how to look at it."""
    roster = roster_of(settings)
    gate = gates_of(settings.decision, calibrations_of(settings.decision, settings.base))
    zone = ZoneInfo(settings.timezone)
    world = world_of(roster, reasons_of(settings, roster), gate=gate, zone=zone, brand=settings.shop.name)
    month = Month(days=given.days, contacts=given.contacts, seed=given.seed, last=last)
    named = place(given.database, environ)
    others = {key: value for key, value in environ.items() if key not in ("DATABASE_URL", "BASTAO_DATA_DIR")}
    console, added = Console(stderr=True), 0
    bar = Progress(
        TextColumn("contatos simulados"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    async with open_database({**others, **named}) as database:
        with bar:
            task = bar.add_task("", total=given.contacts)
            async for thread, new in simulate(database, world, month, mix=given.mix):
                added += new
                bar.advance(task, len(thread.contacts))
    (name, value), *_ = named.items()
    print(f"{added} simulated contacts added, {given.contacts - added} were there; they end on {last}.")
    shown = "your --database" if name == "DATABASE_URL" else value
    print(f"Look at them: {name}={shown} make web")
    print(f"then http://localhost:8501/numeros?de={month.calendar[0]}&ate={last}")
    return 0


def main(
    argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> int:
    """Exit 0, or 2 when the configuration or the database is not usable, or holds real conversations."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    try:
        settings = load_settings(environ)
        today = (now or datetime.now(ZoneInfo(settings.timezone))).astimezone(ZoneInfo(settings.timezone)).date()
        last = given.until or today - timedelta(days=1)
        return asyncio.run(run(given, settings, environ, last=last))
    except RealCustomersHere:
        print("simulate: this database holds real conversations; choose another one, or say --mix", file=sys.stderr)
        return 2
    except (ConfigurationError, *NO_DATABASE) as error:
        return unusable("simulate", error)


if __name__ == "__main__":
    sys.exit(main())
