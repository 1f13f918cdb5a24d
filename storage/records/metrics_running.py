"""Figures over decisions, turns, the queue and the ledger, from the views `bi_*`. Times and days as in storage/records/metrics.py."""

from datetime import date, datetime
from decimal import Decimal
from typing import Final

from storage.rows import Connection, Record, many, must

_OF_TURNS: Final = "started_at >= %(since)s and started_at < %(until)s and ended_at is not null"
# A turn that was replied to; an operator's is not one that a customer waited for.
_WAITED: Final = f"{_OF_TURNS} and status = 'replied' and not by_operator"


class ProviderLine(Record):
    """One decision provider; None where a rule decided. `unsure` are its answers of low confidence.

    `placed` went to a specialist, `passed_on` are those of them that this specialist declined. Latencies in ms.
    """

    provider: str | None
    decisions: int
    unsure: int
    placed: int
    passed_on: int
    after_failures: int
    top_mean: float | None
    p50_ms: float | None
    p95_ms: float | None
    cost_usd: float


class ProbabilityBin(Record):
    """How often a provider's top probability fell into a tenth: `bin` 0 is 0 to 0.1, 9 is 0.9 to 1."""

    provider: str
    bin: int
    decisions: int


class QueueLine(Record):
    """What was queued for a reason. Waits in seconds, of the items that a person took or closed (`attended`)."""

    reason: str
    items: int
    attended: int
    waiting: int
    withdrawn: int
    wait_p50_s: float | None
    wait_p90_s: float | None
    oldest_waiting: datetime | None


class LatencyLine(Record):
    """How long customers waited for a reply, in ms."""

    turns: int
    p50_ms: float | None
    p95_ms: float | None


class LatencyDay(LatencyLine):
    day: date


class TokenDay(Record):
    """Tokens of a day's turns; `cached` is a part of `input`."""

    day: date
    input: int
    cached: int
    output: int


class SpendDay(Record):
    day: date
    usd: Decimal
    calls: int


class SpendPart(Record):
    """Who was paid: a decision provider (`agent` None) or a chat model on behalf of a specialist."""

    provider: str
    model: str | None
    agent: str | None
    calls: int
    usd: Decimal


async def providers(conn: Connection, *, since: datetime, until: datetime) -> list[ProviderLine]:
    """Return the decisions by provider, the most frequent first, the rules' last."""
    return await many(
        conn,
        ProviderLine,
        "select provider, count(*) as decisions, count(*) filter (where reason = 'low_confidence') as unsure,"
        " count(*) filter (where outcome in ('answered', 'passed_on')"
        " and target not in ('clarification', 'out_of_scope', 'courtesy', 'person')) as placed,"
        " count(*) filter (where outcome = 'passed_on') as passed_on,"
        " count(*) filter (where providers_failed > 0) as after_failures, avg(top_probability) as top_mean,"
        " percentile_cont(0.5) within group (order by latency_ms) as p50_ms,"
        " percentile_cont(0.95) within group (order by latency_ms) as p95_ms, coalesce(sum(cost_usd), 0) as cost_usd"
        " from bi_decisions where at >= %(since)s and at < %(until)s"
        " group by provider order by (provider is null), count(*) desc, provider",
        {"since": since, "until": until},
    )


async def probabilities(conn: Connection, *, since: datetime, until: datetime) -> list[ProbabilityBin]:
    """Return the histogram of the top probabilities of each provider; empty bins have no row."""
    return await many(
        conn,
        ProbabilityBin,
        "select provider, least(floor(top_probability * 10 + 1e-9), 9)::int as bin, count(*) as decisions from bi_decisions"
        " where at >= %(since)s and at < %(until)s and provider is not null and top_probability is not null"
        " group by 1, 2 order by 1, 2",
        {"since": since, "until": until},
    )


async def queue(conn: Connection, *, since: datetime, until: datetime) -> list[QueueLine]:
    """Return the queue by reason, the most frequent first."""
    return await many(
        conn,
        QueueLine,
        "select reason, count(*) as items, count(wait_s) as attended, count(*) filter (where status = 'waiting') as waiting,"
        " count(*) filter (where status = 'withdrawn') as withdrawn,"
        " percentile_cont(0.5) within group (order by wait_s) as wait_p50_s,"
        " percentile_cont(0.9) within group (order by wait_s) as wait_p90_s,"
        " min(created_at) filter (where status = 'waiting') as oldest_waiting"
        " from bi_queue where created_at >= %(since)s and created_at < %(until)s group by 1 order by count(*) desc, 1",
        {"since": since, "until": until},
    )


async def latency(conn: Connection, *, since: datetime, until: datetime) -> LatencyLine:
    """Return how long customers waited for a reply."""
    return await must(
        conn,
        LatencyLine,
        "select count(*) as turns, percentile_cont(0.5) within group (order by latency_ms) as p50_ms,"
        f" percentile_cont(0.95) within group (order by latency_ms) as p95_ms from bi_turns where {_WAITED}",
        {"since": since, "until": until},
    )


async def latency_days(conn: Connection, *, since: datetime, until: datetime, zone: str) -> list[LatencyDay]:
    """Return the same by day; days without a reply have no row."""
    return await many(
        conn,
        LatencyDay,
        "select (started_at at time zone %(zone)s)::date as day, count(*) as turns,"
        " percentile_cont(0.5) within group (order by latency_ms) as p50_ms,"
        " percentile_cont(0.95) within group (order by latency_ms) as p95_ms"
        f" from bi_turns where {_WAITED} group by 1 order by 1",
        {"since": since, "until": until, "zone": zone},
    )


async def token_days(conn: Connection, *, since: datetime, until: datetime, zone: str) -> list[TokenDay]:
    """Return the tokens by day; days without a turn have no row."""
    return await many(
        conn,
        TokenDay,
        "select (started_at at time zone %(zone)s)::date as day, sum(input_tokens)::bigint as input,"
        " sum(cached_tokens)::bigint as cached, sum(output_tokens)::bigint as output"
        f" from bi_turns where {_OF_TURNS} group by 1 order by 1",
        {"since": since, "until": until, "zone": zone},
    )


async def spend_days(conn: Connection, *, first: date, last: date) -> list[SpendDay]:
    """Return the spend by day as the limit sees it; days without a paid call have no row."""
    return await many(
        conn,
        SpendDay,
        # As bi_spend_days, but with the days named inside it: through the view all of the ledger would be read.
        "select coalesce(t.day, l.day) as day, coalesce(t.usd, l.usd) as usd, coalesce(l.calls, 0) as calls from"
        " (select subject::date as day, usd from spend_totals where scope = 'day'"
        " and subject::date between %(first)s and %(last)s) t full join"
        " (select day, sum(calls)::bigint as calls, sum(usd) as usd from bi_spend"
        " where day between %(first)s and %(last)s group by day) l on l.day = t.day order by 1",
        {"first": first, "last": last},
    )


async def spend_parts(conn: Connection, *, first: date, last: date) -> list[SpendPart]:
    """Return who was paid, the dearest first."""
    return await many(
        conn,
        SpendPart,
        "select provider, model, agent, sum(calls)::bigint as calls, sum(usd) as usd from bi_spend"
        " where day between %(first)s and %(last)s group by 1, 2, 3 order by usd desc, 1, 2, 3",
        {"first": first, "last": last},
    )
