"""What went wrong with providers in the last turns, counted by the database: for operators, not for customers."""

from datetime import datetime

from storage.rows import Connection, Record, many, must


class ProviderTrouble(Record):
    """`provider` failed in `turns` turns; `why` is the phrase of the newest one."""

    provider: str
    turns: int
    why: str | None


class TurnTrouble(Record):
    """Of `turns` turns that ended, how many failed, were decided by nobody, or met a spent budget."""

    turns: int
    failed: int
    undecided: int
    unpaid: int


async def of_providers(conn: Connection, *, since: datetime) -> list[ProviderTrouble]:
    """Return the decision and chat providers that failed in a turn begun after `since`, the most frequent first."""
    return await many(
        conn,
        ProviderTrouble,
        "with asked as ("
        " select t.id, t.started_at, hop->>'provider' as provider, hop->>'why' as why"
        "  from turns t cross join lateral jsonb_array_elements(coalesce(t.decision->'hops', '[]')) hop"
        "  where t.started_at >= %(since)s and hop->>'outcome' in ('error', 'skipped')"
        " union all"
        " select t.id, t.started_at, entry->>'model', entry->>'why'"
        "  from turns t cross join lateral jsonb_array_elements(t.trail) entry"
        "  where t.started_at >= %(since)s and entry->>'type' = 'chat_model' and entry->>'outcome' <> 'answered'"
        ") select provider, count(distinct id) as turns, (array_agg(why order by started_at desc))[1] as why"
        " from asked group by provider order by count(distinct id) desc, provider",
        {"since": since},
    )


async def of_turns(conn: Connection, *, since: datetime) -> TurnTrouble:
    """Count what befell the turns begun after `since`."""
    return await must(
        conn,
        TurnTrouble,
        "select count(*) filter (where status <> 'running') as turns, count(*) filter (where status = 'failed') as failed,"
        " count(*) filter (where decision->>'reason' = 'fallback_unavailable') as undecided,"
        " (select count(*) from human_queue where created_at >= %(since)s and reason = 'budget') as unpaid"
        " from turns where started_at >= %(since)s",
        {"since": since},
    )
