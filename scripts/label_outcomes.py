"""Build router cases from stored contacts: candidates for a person to review, and cases of what the person accepted."""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from evals.datasets import BadCases
from evals.outcomes import HOWS, Candidate, candidates
from evals.outcomes_review import cases_text, ranked, read_review, review_text
from ops.outcomes import NOBODYS, EndedCount, count_ended, ended_contacts
from ops.problems import ShopUnavailable
from ops.stores import open_database
from scripts.ending import NO_DATABASE, unusable
from scripts.privacy import write_private
from settings import ConfigurationError, Settings, load_environment, load_settings, roster_of, shop_of

EXAMPLES = """\
examples:
  python -m scripts.label_outcomes --out review.jsonl                  contacts that ended in the last 30 days
  python -m scripts.label_outcomes --since 2026-11-01 --out review.jsonl
  python -m scripts.label_outcomes --accept review.jsonl --out mine.jsonl
  python -m scripts.evaluate router --dataset mine.jsonl

In the review file a person writes into `accept`: yes takes the proposed label, no drops the line, and a label (a specialist,
out_of_scope, clarification, courtesy, person) is what would have been right. A line left empty makes no case.

A destination is proposed where the contact was resolved there, was passed on to nobody, and the customer's thanks or an act
that was carried out says so; the second destination where the first specialist passed the message on. What the system chose
is never the truth by itself: a contact that fell silent, was given up or went to a person proposes nothing.
Documents, phones, e-mails, cards and what is known as the customer's name or address are masked; read what you keep.
"""
_DAYS = 30
_SAID = {
    "passed_on": "passed on by the first specialist", "passed_on_next": "passed on at the next message",
    "solved": "resolved without a transfer",
}  # fmt: skip


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.label_outcomes", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--accept", type=Path, metavar="REVIEW", help="a reviewed file: write cases of what it accepts")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the review file, or the cases")
    parser.add_argument(
        "--since", type=date.fromisoformat, metavar="YYYY-MM-DD", help="first day (default: 30 days ago)"
    )
    parser.add_argument("--until", type=date.fromisoformat, metavar="YYYY-MM-DD", help="last day (default: today)")
    parser.add_argument(
        "--with-simulated",
        action="store_true",
        help=f"also the channels that no customer wrote in: {', '.join(NOBODYS)}",
    )
    return parser.parse_args(argv)


async def gather(
    given: argparse.Namespace, settings: Settings, environ: Mapping[str, str], *, now: datetime
) -> tuple[list[Candidate], EndedCount]:
    """Read the contacts of the days that were asked for. Raises `DatabaseUnavailable` and `ShopUnavailable`."""
    zone, specialists = ZoneInfo(settings.timezone), roster_of(settings).ids
    last: date = given.until or now.astimezone(zone).date()
    first: date = given.since or last - timedelta(days=_DAYS)
    since, until = (datetime.combine(day, time.min, tzinfo=zone) for day in (first, last + timedelta(days=1)))
    but: tuple[str, ...] = () if given.with_simulated else NOBODYS
    async with open_database(environ) as database:
        counted = await count_ended(database, since=since, until=until, but=but)
        stories = ended_contacts(database, shop_of(settings, database), since=since, until=until, but=but)
        return [found async for story in stories for found in candidates(story, specialists=specialists)], counted


def review(given: argparse.Namespace, settings: Settings, environ: Mapping[str, str], *, now: datetime) -> int:
    """Write the review file. One that is there may hold a person's answers: it is not written over."""
    if given.out.exists():
        raise FileExistsError(f"{given.out} is there already, and may hold a person's answers: name another --out")
    found, counted = asyncio.run(gather(given, settings, environ, now=now))
    shown = ranked(found)
    print(
        f"{counted.n} contacts ended in these days; {counted.others} are left out: no customer wrote in their channels."
    )
    by_how = Counter(each.how for each in shown)
    print(f"{len(shown)} candidates ({len(found) - len(shown)} more say the same): ", end="")
    print(", ".join(f"{by_how[how]} {_SAID[how]}" for how in HOWS) + ".")
    if not shown:
        print("Nothing to review: no file was written.")
        return 0
    write_private(given.out, review_text(shown).rstrip("\n"))
    print(f"Review them in {given.out}: write yes, no or a label into `accept`, then --accept {given.out} --out CASES.")
    return 0


def accept(given: argparse.Namespace, settings: Settings) -> int:
    """Write the cases of a reviewed file. Raises `BadCases`."""
    accepted, waiting = read_review(given.accept, specialists=roster_of(settings).ids)
    left = f"{waiting} lines have no answer yet"
    if not accepted:
        raise BadCases(f"{given.accept}: no line is accepted ({left})")
    write_private(given.out, cases_text(accepted).rstrip("\n"))
    corrected = sum(label != line.proposed for line, label in accepted)
    print(f"{len(accepted)} cases in {given.out}, {corrected} of them with the reviewer's own label; {left}.")
    return 0


def main(
    argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> int:
    """Exit 0, or 2 when the configuration, the database, the order system or the reviewed file is not usable."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    try:
        settings = load_settings(environ)
        if given.accept is not None:
            return accept(given, settings)
        return review(given, settings, environ, now=now or datetime.now(UTC))
    except ShopUnavailable:
        print(
            "label_outcomes: the order system does not answer: whose name is to be masked is not known", file=sys.stderr
        )
        return 2
    except (ConfigurationError, *NO_DATABASE, BadCases, OSError) as error:
        return unusable("label_outcomes", error)


if __name__ == "__main__":
    sys.exit(main())
