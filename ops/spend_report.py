"""The ledger as a person reads it, and its comparison with what the provider's own account says."""

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import httpx
from pydantic import Field, SecretStr

from routing.model import Frozen
from storage.database import Database
from storage.records import scraped, spend
from storage.records.scraped import TokenSum
from storage.records.spend import SpendLine

ACCOUNT_PATH = "/api/v1/key"
# What both sides may differ by and still agree: the account rounds, and it lags by seconds.
_SHARE, _SMALLEST = Decimal("0.01"), Decimal("0.000001")


class AccountUnavailable(Exception):
    """The provider's account did not say what was used. The message never holds the key."""


class Snapshot(Frozen):
    """Both sides at one moment. `ledger_usd` sums `providers` from `since` on."""

    at: datetime
    since: date
    providers: tuple[str, ...]
    account_usd: Decimal = Field(ge=0)
    ledger_usd: Decimal = Field(ge=0)


class Reconciled(Frozen):
    """What both sides grew by between two snapshots."""

    account_usd: Decimal
    ledger_usd: Decimal

    @property
    def difference_usd(self) -> Decimal:
        return self.ledger_usd - self.account_usd

    @property
    def agrees(self) -> bool:
        return abs(self.difference_usd) <= max(_SMALLEST, _SHARE * abs(self.account_usd))


async def lines(database: Database, *, since: date) -> list[SpendLine]:
    """Return the ledger by provider, specialist and number of transfers. Raises `DatabaseUnavailable`."""
    async with database.connection() as conn:
        return await spend.report(conn, since=since)


def render(ledger: Sequence[SpendLine], *, since: date) -> str:
    """Return the ledger as a table in text. A call without a specialist is a decision."""
    if not ledger:
        return f"Nothing was spent since {since}."
    rows = [("provider", "specialist", "transfers", "calls", "US$")]
    rows += [(r.provider, r.agent or "(decision)", str(r.transfers), str(r.calls), f"{r.usd:.6f}") for r in ledger]
    rows.append(("total", "", "", str(sum(r.calls for r in ledger)), f"{sum((r.usd for r in ledger), Decimal(0)):.6f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) if column < 2 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    )  # fmt: skip


async def tokens(database: Database, *, since: date) -> TokenSum:
    """Return what chat models read and wrote from that day on (UTC). Raises `DatabaseUnavailable`."""
    async with database.connection() as conn:
        return await scraped.tokens(conn, since=datetime.combine(since, time.min, tzinfo=UTC))


def render_tokens(used: TokenSum) -> str:
    """Say how much of the prompts came from the providers' caches."""
    share = f"{used.cached / used.input:.0%}" if used.input else "0%"
    return f"Chat models read {used.input:,} tokens, {share} of them cached, and wrote {used.output:,}."


async def account_usage(
    *, base_url: str, key: SecretStr, timeout_s: float = 10.0, transport: httpx.AsyncBaseTransport | None = None
) -> Decimal:
    """Return what OpenRouter's account has billed this key for, in US$. Raises `AccountUnavailable`."""
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"}
    try:
        async with httpx.AsyncClient(timeout=timeout_s, transport=transport) as client:
            response = await client.get(f"{base_url.rstrip('/')}{ACCOUNT_PATH}", headers=headers)
            response.raise_for_status()
            used = cast(dict[str, Any], response.json())["data"]["usage"]
            return Decimal(str(used))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, ArithmeticError, KeyError, TypeError) as error:
        raise AccountUnavailable(f"{ACCOUNT_PATH} did not say what was used ({type(error).__name__})") from None


async def snapshot(
    database: Database, *, account_usd: Decimal, providers: Collection[str], since: date, at: datetime
) -> Snapshot:
    """Read the ledger beside what the account said. Raises `DatabaseUnavailable`."""
    ledger = await lines(database, since=since)
    total = sum((line.usd for line in ledger if line.provider in providers), Decimal(0))
    return Snapshot(at=at, since=since, providers=tuple(sorted(providers)), account_usd=account_usd, ledger_usd=total)


def reconcile(before: Snapshot, after: Snapshot) -> Reconciled:
    """Compare two snapshots of the same providers and first day. Raises ValueError for others."""
    if (before.since, before.providers) != (after.since, after.providers):
        raise ValueError("the two snapshots do not cover the same providers and days")
    return Reconciled(
        account_usd=after.account_usd - before.account_usd, ledger_usd=after.ledger_usd - before.ledger_usd
    )


def load_snapshot(path: Path) -> Snapshot | None:
    """Read a stored snapshot, None if there is none. Raises pydantic's ValidationError for another file."""
    return Snapshot.model_validate_json(path.read_text("utf-8")) if path.exists() else None


def save_snapshot(path: Path, taken: Snapshot) -> None:
    path.write_text(taken.model_dump_json(indent=2) + "\n", encoding="utf-8")
