"""The numbers of a period, as typed reports over the views `bi_*` (docs/metrics.md). What is small is said to be small."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from routing.model import Frozen
from storage.database import Database
from storage.records import metrics as contact_rows
from storage.records import metrics_running as running_rows
from storage.records.metrics import MOST_TRANSFERS, ContactDay, ContactFigures, FollowedLine, MovedLine, TransfersLine
from storage.records.metrics_running import (
    LatencyDay,
    LatencyLine,
    ProbabilityBin,
    ProviderLine,
    QueueLine,
    SpendDay,
    SpendPart,
    TokenDay,
)

__all__ = [
    "FEW",
    "MOST_TRANSFERS",
    "SIMULATED",
    "ContactDay",
    "LatencyDay",
    "Metrics",
    "Period",
    "ProbabilityBin",
    "ProviderLine",
    "QueueLine",
    "Share",
    "SpendDay",
    "SpendPart",
    "TokenDay",
    "TransferPrice",
    "Transfers",
    "read_metrics",
]

SIMULATED = "simulated"
"""The channel of generated contacts (`scripts.simulate`)."""

FEW = 10
"""Under so many, a share or a mean says little, and the reader is told."""


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days of the shop's time zone, both included. Raises ValueError when they are the wrong way round."""

    first: date
    last: date
    zone: ZoneInfo

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"a period ends on {self.last}, before it begins on {self.first}")

    @property
    def since(self) -> datetime:
        return datetime.combine(self.first, time.min, tzinfo=self.zone).astimezone(UTC)

    @property
    def until(self) -> datetime:
        """The first moment after the period."""
        return datetime.combine(self.last + timedelta(days=1), time.min, tzinfo=self.zone).astimezone(UTC)

    @property
    def days(self) -> Iterator[date]:
        for number in range((self.last - self.first).days + 1):
            yield self.first + timedelta(days=number)


class Share(Frozen):
    """So many of so many."""

    part: int
    of: int

    @property
    def rate(self) -> float | None:
        return self.part / self.of if self.of else None

    @property
    def few(self) -> bool:
        return self.of < FEW


class Transfers(Frozen):
    """The ended contacts with so many transfers; `MOST_TRANSFERS` stands for so many or more.

    `cost_per_resolved_usd` spreads the cost of all of them over the resolved ones: what failed is paid for too.
    """

    transfers: int
    resolved: Share
    cost_usd: Decimal

    @property
    def cost_per_contact_usd(self) -> Decimal | None:
        return self.cost_usd / self.resolved.of if self.resolved.of else None

    @property
    def cost_per_resolved_usd(self) -> Decimal | None:
        return self.cost_usd / self.resolved.part if self.resolved.part else None


class TransferPrice(Frozen):
    """What a transfer costs and what it resolves, over the ended contacts that a specialist had.

    `extra_usd` is what a transferred contact cost more than one that stayed, per transfer; None without both kinds. It
    compares, it does not explain: what is transferred is harder.
    """

    moved: Share
    stayed: Share
    extra_usd: Decimal | None


class Metrics(Frozen):
    """Everything that the page shows of a period. `day_limit_usd` is today's limit: earlier ones are not kept."""

    contacts: ContactFigures
    days: tuple[ContactDay, ...]
    transfers: tuple[Transfers, ...]
    price: TransferPrice
    followed: tuple[FollowedLine, ...]
    queue: tuple[QueueLine, ...]
    providers: tuple[ProviderLine, ...]
    probabilities: tuple[ProbabilityBin, ...]
    latency: LatencyLine
    latency_days: tuple[LatencyDay, ...]
    tokens: tuple[TokenDay, ...]
    spend: tuple[SpendDay, ...]
    spend_parts: tuple[SpendPart, ...]
    day_limit_usd: Decimal | None

    @property
    def empty(self) -> bool:
        """Nothing happened: no contact, no item of the queue, no turn, no paid call."""
        quiet = not (self.contacts.contacts or self.queue or self.providers or self.latency_days)
        return quiet and not any(day.calls for day in self.spend)

    @property
    def alone(self) -> Share:
        """Ended contacts that were resolved without a person."""
        return Share(part=self.contacts.alone, of=self.contacts.ended)

    @property
    def at_once(self) -> Share:
        """Contacts that their first specialist passed on in the turn in which it got them."""
        return Share(part=self.contacts.at_once, of=self.contacts.placed)

    @property
    def clarified(self) -> Share:
        """Contacts in which we had to ask what a message was about."""
        return Share(part=self.contacts.clarified, of=self.contacts.contacts)

    @property
    def cost_per_resolved_usd(self) -> Decimal | None:
        return self.contacts.cost_usd / self.contacts.resolved if self.contacts.resolved else None

    @property
    def cached(self) -> Share:
        """Tokens that were read from a provider's cache, of all that were read."""
        return Share(part=sum(t.cached for t in self.tokens), of=sum(t.input for t in self.tokens))


async def read_metrics(database: Database, *, period: Period, day_limit_usd: Decimal | None) -> Metrics:
    """Read the figures of a period, all of one moment. Raises `DatabaseUnavailable`."""
    span = {"since": period.since, "until": period.until}
    local, dates = {**span, "zone": period.zone.key}, {"first": period.first, "last": period.last}
    async with database.transaction() as conn:
        await contact_rows.freeze(conn)
        found = await contact_rows.report(conn, **local, simulated=SIMULATED)
        return Metrics(
            contacts=found.figures,
            days=_filled(found.days, period, _no_contacts),
            transfers=tuple(_transfers(line) for line in found.by_transfers),
            price=_price(found.moved),
            followed=found.followed,
            queue=tuple(await running_rows.queue(conn, **span)),
            providers=tuple(await running_rows.providers(conn, **span)),
            probabilities=tuple(await running_rows.probabilities(conn, **span)),
            latency=await running_rows.latency(conn, **span),
            latency_days=tuple(await running_rows.latency_days(conn, **local)),
            tokens=_filled(await running_rows.token_days(conn, **local), period, _no_tokens),
            spend=_filled(await running_rows.spend_days(conn, **dates), period, _no_spend),
            spend_parts=tuple(await running_rows.spend_parts(conn, **dates)),
            day_limit_usd=day_limit_usd,
        )


class _Dated(Protocol):
    @property
    def day(self) -> date: ...


D = TypeVar("D", bound=_Dated)


def _filled(rows: Sequence[D], period: Period, nothing: Callable[[date], D]) -> tuple[D, ...]:
    """Give every day of the period its row."""
    known = {row.day: row for row in rows}
    return tuple(known.get(day) or nothing(day) for day in period.days)


def _no_contacts(day: date) -> ContactDay:
    return ContactDay(day=day, resolved=0, abandoned=0, handed_over=0, open=0)


def _no_tokens(day: date) -> TokenDay:
    return TokenDay(day=day, input=0, cached=0, output=0)


def _no_spend(day: date) -> SpendDay:
    return SpendDay(day=day, usd=Decimal(0), calls=0)


def _transfers(line: TransfersLine) -> Transfers:
    return Transfers(
        transfers=line.transfers, resolved=Share(part=line.resolved, of=line.contacts), cost_usd=line.cost_usd
    )


def _price(lines: Sequence[MovedLine]) -> TransferPrice:
    by_kind = {line.moved: line for line in lines}
    moved, stayed = by_kind.get(True), by_kind.get(False)
    extra: Decimal | None = None
    if moved is not None and stayed is not None:
        more = moved.cost_usd / moved.contacts - stayed.cost_usd / stayed.contacts
        extra = more * moved.contacts / moved.transfers
    return TransferPrice(moved=_resolved(moved), stayed=_resolved(stayed), extra_usd=extra)


def _resolved(line: MovedLine | None) -> Share:
    return Share(part=line.resolved, of=line.contacts) if line is not None else Share(part=0, of=0)
