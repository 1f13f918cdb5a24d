"""Each figure of a generated month, against the base tables: counted there by other roads than the views take."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, LiteralString

import psycopg
import pytest

from ops.metrics import Metrics, Period, Share, TransferPrice, read_metrics
from ops.metrics_words import of_words, price_words, rate_words, retention_words, simulated_words
from storage.database import Database
from tests.months import MONTH, PERIOD, ZONE, month_url

__all__ = ["month_url"]
LIMIT = Decimal("3.00")
C = "with c as (select * from contacts where opened_at >= %(since)s and opened_at < %(until)s)"
HANDED = "jsonb_array_elements(t.trail) e where e->>'type' = 'handoff' and e->>'to' <> 'person'"
ACTED = "exists (select from human_queue q where q.contact_id = c.id and q.claimed_at is not null)"
QUEUED = "exists (select from human_queue q where q.contact_id = c.id)"
T = "from turns t join c on c.id = t.contact_id"


@pytest.fixture(scope="module")
def metrics(month_url: str) -> Metrics:
    async def read() -> Metrics:
        database = await Database.open(environ={"DATABASE_URL": month_url})
        try:
            return await read_metrics(database, period=PERIOD, day_limit_usd=LIMIT)
        finally:
            await database.close()

    return asyncio.run(read())


@pytest.fixture(scope="module")
def base(month_url: str) -> Iterator[Callable[[LiteralString], list[tuple[Any, ...]]]]:
    """Ask the base tables."""
    with psycopg.connect(month_url) as conn:
        span = {"since": PERIOD.since, "until": PERIOD.until}
        yield lambda query: conn.execute(query, span).fetchall()


# A contact's figure, and what the base tables say: transfers from the trail of the turns, messages from the contact's hours.
COUNTS: dict[str, LiteralString] = {
    "contacts": f"{C} select count(*) from c",
    "open": f"{C} select count(*) from c where closed_at is null",
    "ended": f"{C} select count(*) from c where closed_at is not null",
    "resolved": f"{C} select count(*) from c where status = 'resolved'",
    "abandoned": f"{C} select count(*) from c where 'abandoned' in (status, outcome->>'ended_as')",
    "handed_over": f"{C} select count(*) from c where 'handed_over' in (status, outcome->>'ended_as')",
    "reopened": f"{C} select count(*) from c where reopened_by is not null",
    "acted": f"{C} select count(*) from c where {ACTED}",
    "called": f"{C} select count(*) from c where {QUEUED} and not {ACTED}",
    "alone": f"{C} select count(*) from c where status = 'resolved' and not {ACTED}",
    "placed": f"{C} select count(distinct t.contact_id) {T} where exists (select from {HANDED})",
    "at_once": f"{C} select count(distinct t.contact_id) {T} where (select count(*) from {HANDED}) > 1"
    f" and exists (select from {HANDED} and e->>'from' is null)",
    "clarified": f"{C} select count(distinct t.contact_id) {T} where t.decision->>'reason' = 'low_confidence'",
    "hops_mean": f"{C} select sum((select count(*) from {HANDED} and e->>'from' is not null and e->>'reason' not in"
    f" ('confident', 'continuity', 'chose_option')))::float8 / count(distinct c.id) {T} where c.status = 'resolved'",
    "transfers_mean": f"{C} select sum((select count(*) from {HANDED} and e->>'from' is not null))::float8"
    f" / count(distinct c.id) {T} where c.status = 'resolved'",
    "messages_mean": f"{C} select count(*)::float8 / count(distinct c.id) from c join messages m on m.thread_id = c.thread_id"
    " and m.at >= c.opened_at and m.at < coalesce(c.closed_at, 'infinity') where c.status = 'resolved' and m.role <> 'system'",
    "cost_usd": f"{C} select sum(s.settled_usd) from spend s join turns t on t.id = s.turn_id join c on c.id = t.contact_id"
    " where c.closed_at is not null",
    "simulated": f"{C} select count(*) from c join conversations v using (thread_id) where v.channel = 'simulated'",
    "erased": "select 0::bigint",
}


def test_every_figure_of_the_contacts_is_checked(metrics: Metrics) -> None:
    assert set(COUNTS) == set(type(metrics.contacts).model_fields)


@pytest.mark.parametrize("figure", COUNTS)
def test_a_figure_equals_the_base_tables(figure: str, metrics: Metrics, base: Any) -> None:
    assert getattr(metrics.contacts, figure) == pytest.approx(base(COUNTS[figure])[0][0])


def test_the_month_has_something_of_everything(metrics: Metrics) -> None:
    figures = metrics.contacts.model_dump(exclude={"erased"})
    assert all(figures.values()), figures
    assert metrics.contacts.contacts == MONTH.contacts
    assert {line.transfers for line in metrics.transfers} >= {0, 1, 2}
    assert len(metrics.providers) == 4
    assert metrics.tokens
    assert not metrics.empty


MOVED: LiteralString = (
    f"{C}, k as (select c.id, c.status, (select count(*) from turns t, {HANDED} and e->>'from' is not null"
    " and t.contact_id = c.id) as n, (select count(*) from turns t, "
    f"{HANDED} and t.contact_id = c.id) as placed, (select coalesce(sum(s.settled_usd), 0) from spend s"
    " join turns t on t.id = s.turn_id where t.contact_id = c.id) as usd from c where closed_at is not null)"
)


def test_cost_and_resolution_by_transfers(metrics: Metrics, base: Any) -> None:
    rows = base(f"{MOVED} select least(n, 3), count(*), count(*) filter (where status = 'resolved'), sum(usd) from k group by 1 order by 1")  # fmt: skip
    assert [(t.transfers, t.resolved.of, t.resolved.part, t.cost_usd) for t in metrics.transfers] == rows
    for (_, of, part, usd), line in zip(rows, metrics.transfers, strict=True):
        assert line.cost_per_contact_usd == usd / of
        assert line.cost_per_resolved_usd == (usd / part if part else None)


def test_what_a_transfer_costs_and_resolves(metrics: Metrics, base: Any) -> None:
    (of, part, n, usd) = base(f"{MOVED} select count(*), count(*) filter (where status = 'resolved'), sum(n), sum(usd) from k where n > 0")[0]  # fmt: skip
    (stay_of, stay_part, stay_usd) = base(f"{MOVED} select count(*), count(*) filter (where status = 'resolved'), sum(usd) from k where n = 0 and placed > 0")[0]  # fmt: skip
    assert metrics.price.moved == Share(part=part, of=of)
    assert metrics.price.stayed == Share(part=stay_part, of=stay_of)
    assert metrics.price.extra_usd is not None
    assert float(metrics.price.extra_usd) == pytest.approx(float((usd / of - stay_usd / stay_of) * of / n))


def test_contacts_by_day(metrics: Metrics, base: Any) -> None:
    rows = base(
        f"{C} select to_char(opened_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD'), count(*) from c group by 1 order by 1"
    )
    shown = [(f"{d.day}", d.resolved + d.handed_over + d.abandoned + d.open) for d in metrics.days]
    assert [day for day in shown if day[1]] == rows
    assert len(metrics.days) == 31


def test_what_followed_the_clarifications(metrics: Metrics, base: Any) -> None:
    rows = base(
        f"{C}, n as (select t.contact_id, t.decision, lead(t.decision) over w as after, lead(t.status) over w as ended {T}"
        " window w as (partition by t.contact_id order by t.started_at))"
        " select after->>'reason', after->>'target', ended, (select closed_at from c where id = contact_id) is null from n"
        " where decision->>'target' = 'clarification'"
    )

    def word(reason: str | None, target: str | None, ended: str | None, is_open: bool) -> str:
        if reason is None:
            return "waiting" if is_open else "no_answer"
        named = {
            "clarification": "asked_again",
            "person": "person",
            "courtesy": "courtesy",
            "out_of_scope": "out_of_scope",
        }
        if ended == "failed":
            return "failed"
        return named.get(str(target), "chose_option" if reason == "chose_option" else "routed")

    counted: dict[str, int] = {}
    for row in rows:
        counted[word(*row)] = counted.get(word(*row), 0) + 1
    assert {f.followed_by: f.clarifications for f in metrics.followed} == counted
    assert len(counted) > 3


def test_the_queue_by_reason(metrics: Metrics, base: Any) -> None:
    rows = base(
        "select reason, count(*), count(claimed_at), percentile_cont(0.5) within group (order by extract(epoch from claimed_at - created_at)),"
        " count(*) filter (where resolved_at is null), count(*) filter (where status = 'withdrawn')"
        " from human_queue where created_at >= %(since)s and created_at < %(until)s group by 1"
    )
    shown = {q.reason: (q.items, q.attended, q.wait_p50_s, q.waiting, q.withdrawn) for q in metrics.queue}
    assert {r[0]: (r[1], r[2], pytest.approx(r[3]) if r[3] is not None else None, r[4], r[5]) for r in rows} == shown


def test_decisions_by_provider(metrics: Metrics, base: Any) -> None:
    rows = base(
        "select decision->>'provider', count(*), count(*) filter (where decision->>'target' = 'clarification'),"
        " avg((select max(p.value::float8) from jsonb_each_text(nullif(decision->'probabilities', 'null')) p)),"
        " percentile_cont(0.95) within group (order by (decision->>'latency_ms')::float8),"
        " count(*) filter (where jsonb_array_length(decision->'hops') > 1)"
        " from turns where started_at >= %(since)s and started_at < %(until)s group by 1"
    )
    shown = {p.provider: (p.decisions, p.unsure, p.top_mean, p.p95_ms, p.after_failures) for p in metrics.providers}
    assert {r[0] for r in rows} == set(shown)
    for provider, *figures in rows:
        assert shown[provider] == pytest.approx(tuple(figures)), provider


def test_what_a_specialist_declined_counts_against_the_decision(metrics: Metrics, base: Any) -> None:
    rows = base(
        "select decision->>'provider', count(*) from turns t where started_at >= %(since)s and started_at < %(until)s"
        " and exists (select from jsonb_array_elements(trail) e where e->>'type' = 'handoff' and e->>'from' = t.decision->>'target'"
        " and e->>'to' <> 'person') and not exists (select from jsonb_array_elements(trail) e where e->>'to' = 'person')"
        " and status = 'replied' group by 1"
    )
    assert {p.provider: p.passed_on for p in metrics.providers if p.passed_on} == dict(rows)


def test_the_histogram_of_probabilities(metrics: Metrics, base: Any) -> None:
    rows = base(
        "select decision->>'provider', width_bucket((decision->>'confidence')::numeric, 0, 1, 10) - 1, count(*) from turns"
        " where started_at >= %(since)s and started_at < %(until)s and decision->>'provider' is not null group by 1, 2 order by 1, 2"
    )
    assert [(b.provider, b.bin, b.decisions) for b in metrics.probabilities] == rows


def test_latency(metrics: Metrics, base: Any) -> None:
    took = "extract(epoch from (ended_at - started_at)) * 1000"
    wanted = base(
        f"select count(*), percentile_cont(0.5) within group (order by {took}), percentile_cont(0.95) within group (order by {took})"
        " from turns where status = 'replied' and started_at >= %(since)s and started_at < %(until)s"
    )[0]
    assert (metrics.latency.turns, metrics.latency.p50_ms, metrics.latency.p95_ms) == pytest.approx(wanted)
    assert sum(day.turns for day in metrics.latency_days) == wanted[0]


def test_tokens(metrics: Metrics, base: Any) -> None:
    wanted = base(
        "select sum((tokens->>'input')::int), sum((tokens->>'cached')::int), sum((tokens->>'output')::int) from turns"
        " where started_at >= %(since)s and started_at < %(until)s"
    )[0]
    days = metrics.tokens
    assert (sum(d.input for d in days), sum(d.cached for d in days), sum(d.output for d in days)) == wanted
    assert metrics.cached == Share(part=wanted[1], of=wanted[0])


def test_spend_by_day_and_by_who_was_paid(metrics: Metrics, base: Any) -> None:
    rows = base("select day, sum(settled_usd), count(*) from spend where day between '2026-10-01' and '2026-10-31' group by 1 order by 1")  # fmt: skip
    assert [(s.day, s.usd, s.calls) for s in metrics.spend if s.calls] == rows
    assert len(metrics.spend) == 31
    assert sum(part.usd for part in metrics.spend_parts) == sum(row[1] for row in rows)
    assert metrics.day_limit_usd == LIMIT


async def test_a_period_in_which_nothing_happened_is_empty(month_url: str) -> None:
    database = await Database.open(environ={"DATABASE_URL": month_url})
    try:
        period = Period(date(2025, 1, 1), date(2025, 1, 2), ZONE)
        nothing = await read_metrics(database, period=period, day_limit_usd=None)
    finally:
        await database.close()
    assert nothing.empty
    assert nothing.alone.rate is None
    assert nothing.cost_per_resolved_usd is None
    assert simulated_words(nothing) is None


def test_a_period_counts_whole_days_of_the_shop() -> None:
    assert f"{PERIOD.since:%Y-%m-%d %H:%M}" == "2026-10-01 03:00"
    assert f"{PERIOD.until:%Y-%m-%d %H:%M}" == "2026-11-01 03:00"
    with pytest.raises(ValueError, match="before it begins"):
        Period(date(2026, 10, 2), date(2026, 10, 1), ZONE)


def price(moved: tuple[int, int], stayed: tuple[int, int], extra: str | None) -> TransferPrice:
    return TransferPrice(
        moved=Share(part=moved[0], of=moved[1]), stayed=Share(part=stayed[0], of=stayed[1]),
        extra_usd=None if extra is None else Decimal(extra),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            price((30, 40), (90, 100), "0.0042"),
            "Cada transferência custa US$ 0,0042 a mais por contato e resolve 75% dos contatos transferidos (30 de 40). "
            "Sem transferência, resolvem-se 90% (90 de 100).",
        ),
        (
            price((2, 3), (8, 9), "0.0042"),
            "Cada transferência custa US$ 0,0042 a mais por contato e resolve 67% dos contatos transferidos (2 de 3, poucos contatos). "
            "Sem transferência, resolvem-se 89% (8 de 9, poucos contatos).",
        ),
        (
            price((30, 40), (90, 100), "0"),
            "Cada transferência não custa a mais e resolve 75% dos contatos transferidos (30 de 40). "
            "Sem transferência, resolvem-se 90% (90 de 100).",
        ),
        (
            price((1, 2), (0, 0), None),
            "Cada transferência resolve 50% dos contatos transferidos (1 de 2, poucos contatos). "
            "Sem contatos que ficaram com o primeiro especialista, não há custo a comparar.",
        ),
        (price((0, 0), (9, 10), None), "Nenhum contato encerrado foi transferido neste período."),
    ],
)
def test_the_sentence_about_transfers(given: TransferPrice, words: str) -> None:
    assert price_words(given) == words


def test_a_share_of_nothing_has_no_rate() -> None:
    assert rate_words(Share(part=0, of=0)) == "—"
    assert of_words(Share(part=0, of=0)) == "0 de 0, poucos contatos"
    assert of_words(Share(part=1234, of=5678)) == "1.234 de 5.678"


def test_a_period_that_reaches_back_too_far_is_said_to_be_incomplete() -> None:
    assert retention_words(PERIOD, today=date(2026, 10, 31), kept_days=30) is None
    assert "(29 dias)" in (retention_words(PERIOD, today=date(2026, 10, 31), kept_days=29) or "")


def test_simulated_contacts_are_called_simulated(metrics: Metrics) -> None:
    assert (simulated_words(metrics) or "").startswith("Dados simulados. Todos os 70 contatos")
    mixed = metrics.model_copy(update={"contacts": metrics.contacts.model_copy(update={"simulated": 4})})
    assert (simulated_words(mixed) or "").startswith("Dados simulados. 4 dos 70 contatos")
