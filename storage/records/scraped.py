"""What a monitoring system scrapes: counts of the running day and of what is open now, from the views `bi_*` and the effects.

Generated contacts (channel "simulated") are left out. Every query goes by an index: it runs every few seconds.
"""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from storage.rows import Connection, Record, many, must

_REAL: Final = "channel is distinct from 'simulated'"
_OF_TURNS: Final = f"started_at >= %(since)s and {_REAL}"


class TurnCount(Record):
    status: str
    turns: int


class TokenSum(Record):
    """`cached` is a part of `input`."""

    input: int
    cached: int
    output: int


class WaitBin(Record):
    """How many replies took so long. Bin 0 is under the first edge, bin n from edge n on."""

    bin: int
    turns: int
    ms: float


class DecisionCount(Record):
    """`provider` is None where a rule decided."""

    provider: str | None
    reason: str
    decisions: int
    after_failures: int


class TransferCount(Record):
    kind: str
    from_agent: str | None
    to_agent: str
    reason: str
    transfers: int


class QueueCount(Record):
    """Items by reason: put into the queue since, and open now. `oldest` is the longest waiting one's beginning."""

    reason: str
    queued: int
    waiting: int
    claimed: int
    oldest: datetime | None


class EffectCount(Record):
    tool: str
    state: str
    effects: int


class SpendSum(Record):
    """`agent` is None for a decision."""

    provider: str
    model: str | None
    agent: str | None
    calls: int
    usd: Decimal
    open_usd: Decimal


async def turns(conn: Connection, *, since: datetime) -> list[TurnCount]:
    return await many(
        conn,
        TurnCount,
        f"select status, count(*) as turns from bi_turns where {_OF_TURNS} group by 1 order by 1",
        {"since": since},
    )


async def tokens(conn: Connection, *, since: datetime) -> TokenSum:
    return await must(
        conn,
        TokenSum,
        "select coalesce(sum(input_tokens), 0)::bigint as input, coalesce(sum(cached_tokens), 0)::bigint as cached,"
        f" coalesce(sum(output_tokens), 0)::bigint as output from bi_turns where {_OF_TURNS}",
        {"since": since},
    )


async def waits(conn: Connection, *, since: datetime, edges_ms: Sequence[float]) -> list[WaitBin]:
    """Return how long customers waited for replies, by bins between the edges; empty bins have no row."""
    return await many(
        conn,
        WaitBin,
        "select width_bucket(latency_ms, %(edges)s::double precision[]) as bin, count(*) as turns, sum(latency_ms) as ms"
        f" from bi_turns where {_OF_TURNS} and status = 'replied' and not by_operator group by 1 order by 1",
        {"since": since, "edges": list(edges_ms)},
    )


async def decisions(conn: Connection, *, since: datetime) -> list[DecisionCount]:
    return await many(
        conn,
        DecisionCount,
        "select provider, reason, count(*) as decisions, count(*) filter (where providers_failed > 0) as after_failures"
        f" from bi_decisions where at >= %(since)s and {_REAL} group by 1, 2 order by 1 nulls last, 2",
        {"since": since},
    )


async def transfers(conn: Connection, *, since: datetime) -> list[TransferCount]:
    return await many(
        conn,
        TransferCount,
        "select kind, from_agent, to_agent, reason, count(*) as transfers"
        f" from bi_transfers where at >= %(since)s and {_REAL} group by 1, 2, 3, 4 order by 1, 2 nulls first, 3, 4",
        {"since": since},
    )


async def queue(conn: Connection, *, since: datetime) -> list[QueueCount]:
    return await many(
        conn,
        QueueCount,
        "select reason, count(*) filter (where created_at >= %(since)s) as queued,"
        " count(*) filter (where status = 'waiting') as waiting, count(*) filter (where status = 'claimed') as claimed,"
        " min(created_at) filter (where status = 'waiting') as oldest from bi_queue"
        f" where (created_at >= %(since)s or status in ('waiting', 'claimed')) and {_REAL} group by 1 order by 1",
        {"since": since},
    )


async def effects(conn: Connection, *, since: datetime) -> list[EffectCount]:
    """Return the effects of conversations that had a turn since, and whatever is not settled, however old."""
    return await many(
        conn,
        EffectCount,
        "select tool, state, count(*) as effects from effects where state in ('claimed', 'sent', 'unknown')"
        " or (claimed_at >= %(since)s and thread_id in (select thread_id from turns where started_at >= %(since)s))"
        " group by 1, 2 order by 1, 2",
        {"since": since},
    )


async def spend(conn: Connection, *, day: date) -> list[SpendSum]:
    return await many(
        conn,
        SpendSum,
        "select provider, model, agent, sum(calls)::bigint as calls, sum(usd) as usd, sum(open_usd) as open_usd"
        f" from bi_spend where day = %(day)s and {_REAL} group by 1, 2, 3 order by 1, 2, 3",
        {"day": day},
    )
