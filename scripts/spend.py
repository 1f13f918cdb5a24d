"""Print the spend ledger by provider, specialist and number of transfers; compare it with the provider's account."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import SecretStr

from ops.spend_report import (
    AccountUnavailable,
    account_usage,
    lines,
    load_snapshot,
    reconcile,
    render,
    render_tokens,
    save_snapshot,
    snapshot,
    tokens,
)
from ops.stores import Database, open_database
from scripts.ending import NO_DATABASE, unusable
from settings import load_environment

EXAMPLES = """\
examples:
  python -m scripts.spend                                  what was spent today (UTC)
  python -m scripts.spend --since 2026-11-01               from a day on
  python -m scripts.spend --reconcile before.json          first: keep what ledger and account say now;
                                                           again with the same file: compare what both grew by
"""
# Billed by OpenRouter's account; `openai`, `systemone` and a chat model elsewhere have accounts of their own.
OPENROUTER = ("msd1", "jev", "llm", "openrouter")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.spend",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--since", type=date.fromisoformat, metavar="YYYY-MM-DD", help="first day (default: today)")
    parser.add_argument("--reconcile", type=Path, metavar="FILE", help="snapshot to take, or to compare with")
    parser.add_argument(
        "--providers",
        default=",".join(OPENROUTER),
        metavar="A,B",
        help=f"whose calls that account bills ({','.join(OPENROUTER)})",
    )
    return parser.parse_args(argv)


async def run(given: argparse.Namespace, environ: Mapping[str, str], now: datetime) -> int:
    """Print the ledger, and the comparison where it was asked for. 1: the two sides differ."""
    since = given.since or now.date()
    async with open_database(environ) as database:
        print(render(await lines(database, since=since), since=since))
        if (used := await tokens(database, since=since)).input:
            print(f"\n{render_tokens(used)}")
        if given.reconcile is None:
            return 0
        return await _reconcile(database, given, environ, since=since, now=now)


async def _reconcile(
    database: Database, given: argparse.Namespace, environ: Mapping[str, str], *, since: date, now: datetime
) -> int:
    key = environ.get("OPENROUTER_API_KEY", "").strip()
    if not key:
        raise AccountUnavailable("OPENROUTER_API_KEY is not set")
    base_url = environ.get("OPENROUTER_BASE_URL") or "https://openrouter.ai"
    used = await account_usage(base_url=base_url, key=SecretStr(key))
    before = load_snapshot(given.reconcile)
    providers = before.providers if before else given.providers.split(",")
    taken = await snapshot(
        database, account_usd=used, providers=providers, since=before.since if before else since, at=now
    )
    if before is None:
        save_snapshot(given.reconcile, taken)
        print(f"\nBefore: account {taken.account_usd} US$, ledger {taken.ledger_usd} US$. Kept in {given.reconcile}.")
        return 0
    grown = reconcile(before, taken)
    print(
        f"\nSince {before.at:%Y-%m-%d %H:%M} UTC: account {grown.account_usd} US$, ledger {grown.ledger_usd} US$, ",
        end="",
    )
    print("they agree." if grown.agrees else f"they differ by {grown.difference_usd} US$.")
    return 0 if grown.agrees else 1


def main(
    argv: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, now: datetime | None = None
) -> int:
    """Exit 0, 1 when ledger and account differ, 2 when one of them cannot be read."""
    given = arguments(argv)
    try:
        return asyncio.run(run(given, load_environment() if environ is None else environ, now or datetime.now(UTC)))
    except (*NO_DATABASE, AccountUnavailable, ValueError) as error:
        return unusable("spend", error)


if __name__ == "__main__":
    sys.exit(main())
