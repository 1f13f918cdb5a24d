"""The running day in Prometheus's format, read from the database: every worker and every machine gives the same answer.

Gauges, not counters: nothing here only grows (a failed turn that is run again is no failed one any more, a reservation is
settled for less), and each begins anew at midnight in the shop's zone. No label has values without bounds, or names anybody.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from typing import get_args
from zoneinfo import ZoneInfo

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from graph.events import TurnStatus
from ops.alarms import AlarmKind
from storage.database import Database, DatabaseUnavailable
from storage.records import alarms, scraped

CONTENT_TYPE = CONTENT_TYPE_LATEST
EDGES_S = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 30.0, 60.0)
_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was counted since the day began, and what is open now."""

    now: datetime
    turns: list[scraped.TurnCount]
    tokens: scraped.TokenSum
    waits: list[scraped.WaitBin]
    decisions: list[scraped.DecisionCount]
    transfers: list[scraped.TransferCount]
    queue: list[scraped.QueueCount]
    effects: list[scraped.EffectCount]
    spend: list[scraped.SpendSum]
    alarms: list[alarms.Alarm]


async def read_day(database: Database, *, now: datetime, zone: ZoneInfo, timeout_s: float = _TIMEOUT_S) -> Day | None:
    """Read the shop's day so far; None where the database does not answer, which is a figure too."""
    local = now.astimezone(zone)
    since = datetime.combine(local.date(), time.min, tzinfo=zone)
    try:
        async with asyncio.timeout(timeout_s), database.connection() as conn:
            return Day(
                now=now, turns=await scraped.turns(conn, since=since), tokens=await scraped.tokens(conn, since=since),
                waits=await scraped.waits(conn, since=since, edges_ms=[edge * 1000 for edge in EDGES_S]),
                decisions=await scraped.decisions(conn, since=since), transfers=await scraped.transfers(conn, since=since),
                queue=await scraped.queue(conn, since=since), effects=await scraped.effects(conn, since=since),
                spend=await scraped.spend(conn, day=local.date()), alarms=await alarms.open_(conn),
            )  # fmt: skip
    except (DatabaseUnavailable, TimeoutError):
        return None


def exposition(day: Day | None, *, version: str, release: str | None) -> bytes:
    """Write the day as Prometheus reads it."""
    registry = CollectorRegistry()
    registry.register(_Written(_metrics(day, version=version, release=release)))
    return generate_latest(registry)


class _Written(Collector):
    """Metrics that were read before: the client asks for them while it writes, and reading waits for the database."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = tuple(metrics)

    def collect(self) -> Iterator[Metric]:
        yield from self._metrics


def _metrics(day: Day | None, *, version: str, release: str | None) -> Iterator[Metric]:
    yield InfoMetricFamily("bastao", "What runs.", {"version": version, "release": release or ""})
    yield GaugeMetricFamily("bastao_database_up", "Whether the database answers.", value=0 if day is None else 1)
    if day is not None:
        yield from _of_turns(day)
        yield from _of_people(day)
        yield from _of_money(day)


def _of_turns(day: Day) -> Iterator[Metric]:
    by_status = dict.fromkeys(("running", *get_args(TurnStatus)), 0) | {row.status: row.turns for row in day.turns}
    yield _gauge("turns_today", "Turns that began today, by status.", ("status",), by_status.items())
    yield _waits(day.waits)
    yield _gauge(
        "decisions_today", "Decisions about who speaks, by provider (or rule) and reason.", ("provider", "reason"),
        (((row.provider or "rule", row.reason), row.decisions) for row in day.decisions),
    )  # fmt: skip
    failed: dict[str, int] = {}
    for row in day.decisions:
        failed[row.provider or "rule"] = failed.get(row.provider or "rule", 0) + row.after_failures
    yield _gauge(
        "decisions_after_failures_today", "Those that another provider had failed at before.", ("provider",), failed.items()
    )  # fmt: skip
    yield _gauge(
        "transfers_today", "Passings of the baton, by kind, ends and reason.", ("kind", "from", "to", "reason"),
        (((row.kind, row.from_agent or "", row.to_agent, row.reason), row.transfers) for row in day.transfers),
    )  # fmt: skip
    yield _gauge(
        "effects", "Actions in the ledger: today's, and those not settled however old.", ("tool", "state"),
        (((row.tool, row.state), row.effects) for row in day.effects),
    )  # fmt: skip


def _waits(bins: list[scraped.WaitBin]) -> Metric:
    """Cumulate the bins. PostgreSQL's bins begin at an edge and Prometheus's end there: apart for an exact hit alone."""
    counted = {row.bin: row.turns for row in bins}
    running, buckets = 0, list[tuple[str, float]]()
    for number, edge in enumerate((*EDGES_S, float("inf"))):
        running += counted.get(number, 0)
        buckets.append(("+Inf" if edge == float("inf") else str(edge), running))
    return HistogramMetricFamily(
        "bastao_reply_seconds", "How long today's replies took, from a turn's beginning to its commit.",
        buckets=buckets, sum_value=sum(row.ms for row in bins) / 1000,
    )  # fmt: skip


def _of_people(day: Day) -> Iterator[Metric]:
    yield _gauge(
        "queue_items_today", "Items put before people today, by reason.", ("reason",),
        ((row.reason, row.queued) for row in day.queue),
    )  # fmt: skip
    yield _gauge(
        "queue_open", "Items that are open now, by reason and status.", ("reason", "status"),
        (pair for row in day.queue for pair in (((row.reason, "waiting"), row.waiting), ((row.reason, "claimed"), row.claimed))),
    )  # fmt: skip
    oldest = [row.oldest for row in day.queue if row.oldest is not None]
    waited = (day.now - min(oldest)).total_seconds() if oldest else 0.0
    yield GaugeMetricFamily("bastao_queue_oldest_seconds", "How long the oldest item has been waiting.", value=waited)
    open_ = dict.fromkeys(get_args(AlarmKind), 0)
    for alarm in day.alarms:
        kind = alarm.kind.partition(":")[0]
        open_[kind] = open_.get(kind, 0) + 1
    yield _gauge("alarms_open", "Alarms that nobody has closed, by kind.", ("kind",), open_.items())


def _of_money(day: Day) -> Iterator[Metric]:
    used = (("input", day.tokens.input), ("cached", day.tokens.cached), ("output", day.tokens.output))
    yield _gauge(
        "tokens_today", "Tokens of today's turns; cached ones are a part of the input.", ("kind",), used
    )  # fmt: skip
    paid = [((row.provider, row.model or "", row.agent or ""), row) for row in day.spend]
    labels = ("provider", "model", "agent")
    yield _gauge(
        "spend_usd_today", "The ledger's day in US$: settled, or reserved where the end is not known.", labels,
        ((who, float(row.usd)) for who, row in paid),
    )  # fmt: skip
    yield _gauge("paid_calls_today", "Paid calls of the day.", labels, ((who, row.calls) for who, row in paid))


def _gauge(name: str, what: str, labels: tuple[str, ...], values: Iterable[tuple[str | tuple[str, ...], float]]) -> Metric:  # fmt: skip
    family = GaugeMetricFamily(f"bastao_{name}", what, labels=labels)
    for given, value in values:
        family.add_metric([given] if isinstance(given, str) else list(given), value)
    return family
