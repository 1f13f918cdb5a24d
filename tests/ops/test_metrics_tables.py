"""Tables: what is read on the page and what a spreadsheet opens are the same rows."""

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from ops.metrics import (
    ContactDay,
    LatencyDay,
    Metrics,
    ProviderLine,
    QueueLine,
    Share,
    SpendDay,
    SpendPart,
    TokenDay,
    TransferPrice,
    Transfers,
)
from ops.metrics_tables import (
    Column,
    Table,
    days_table,
    followed_table,
    latency_table,
    paid_table,
    providers_table,
    queue_table,
    spend_table,
    summary_table,
    tokens_table,
    transfers_table,
)
from storage.records.metrics import ContactFigures, FollowedLine
from storage.records.metrics_running import LatencyLine

DAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
METRICS = Metrics(
    contacts=ContactFigures(
        contacts=1250, open=50, ended=1200, resolved=900, alone=870, abandoned=200, handed_over=100, reopened=12, called=5, acted=110,
        placed=1100, at_once=77, clarified=125, hops_mean=0.25, transfers_mean=0.5, messages_mean=5.5, cost_usd=Decimal("4.5"),
        simulated=0, erased=0,
    ),
    days=(ContactDay(day=DAY, resolved=900, abandoned=200, handed_over=100, open=50),),
    transfers=(
        Transfers(transfers=0, resolved=Share(part=800, of=1000), cost_usd=Decimal("4")),
        Transfers(transfers=3, resolved=Share(part=0, of=4), cost_usd=Decimal("0.5")),
    ),
    price=TransferPrice(moved=Share(part=0, of=4), stayed=Share(part=800, of=1000), extra_usd=Decimal("0.1")),
    followed=(FollowedLine(followed_by="chose_option", clarifications=9, resolved=7),),
    queue=(
        QueueLine(
            reason="asked_for_human", items=6, attended=4, waiting=1, withdrawn=1, wait_p50_s=600.0, wait_p90_s=5400.5,
            oldest_waiting=datetime(2026, 11, 30, 14, 30, tzinfo=UTC),
        ),
    ),
    providers=(
        ProviderLine(
            provider="jev", decisions=40, unsure=4, placed=30, passed_on=3, after_failures=2, top_mean=0.875, p50_ms=320.0, p95_ms=1500.0,
            cost_usd=0.0004,
        ),
        ProviderLine(
            provider=None, decisions=10, unsure=0, placed=2, passed_on=0, after_failures=0, top_mean=None, p50_ms=None, p95_ms=None,
            cost_usd=0.0,
        ),
    ),
    probabilities=(), latency=LatencyLine(turns=1, p50_ms=900.0, p95_ms=900.0),
    latency_days=(LatencyDay(day=DAY, turns=1, p50_ms=900.0, p95_ms=900.0),),
    tokens=(TokenDay(day=DAY, input=123456, cached=65432, output=789),),
    spend=(SpendDay(day=DAY, usd=Decimal("1.50000000"), calls=12),),
    spend_parts=(SpendPart(provider="openai", model="gpt-6-mini", agent="billing", calls=12, usd=Decimal("1.50000000")),),
    day_limit_usd=Decimal("3.00"),
)  # fmt: skip


def names(agent: str) -> str:
    return {"billing": "Financeiro"}[agent]


TABLES = {
    "summary": (summary_table(METRICS), ["Contatos", "1250", "", ""], ["Contatos", "1250", "—", "—"]),
    "days": (days_table(METRICS), ["2026-11-30", "1250", "900", "100", "200", "50"], ["30/11", "1.250", "900", "100", "200", "50"]),
    "transfers": (
        transfers_table(METRICS), ["nenhuma", "1000", "800", "0,8", "0,005", "0,004", ""],
        ["nenhuma", "1.000", "800", "80%", "US$ 0,0050", "US$ 0,0040", "—"],
    ),
    "followed": (followed_table(METRICS), ["o cliente escolheu uma opção", "9", "7"], ["o cliente escolheu uma opção", "9", "7"]),
    "queue": (
        queue_table(METRICS, now=NOW), ["pediu uma pessoa", "6", "4", "600", "5400,5", "1", "1", "1800"],
        ["pediu uma pessoa", "6", "4", "10 min", "1 h 30", "1", "1", "30 min"],
    ),
    "providers": (
        providers_table(METRICS), ["jev", "40", "0,875", "4", "30", "3", "2", "320", "1500", "0,0004"],
        ["jev", "40", "0,88", "4", "30", "3", "2", "320 ms", "1,5 s", "US$ 0,0004"],
    ),
    "latency": (latency_table(METRICS), ["2026-11-30", "1", "900", "900"], ["30/11", "1", "900 ms", "900 ms"]),
    "tokens": (tokens_table(METRICS), ["2026-11-30", "123456", "65432", "789"], ["30/11", "123.456", "65.432", "789"]),
    "spend": (spend_table(METRICS), ["2026-11-30", "12", "1,5", "3", "0,5"], ["30/11", "12", "US$ 1,50", "US$ 3,00", "50%"]),
    "paid": (
        paid_table(METRICS, name=names), ["openai", "gpt-6-mini", "Financeiro", "12", "1,5"],
        ["openai", "gpt-6-mini", "Financeiro", "12", "US$ 1,50"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_and_opened_alike(name: str) -> None:
    table, plain, shown = TABLES[name]
    assert next(table.shown()) == shown
    assert parsed(table)[:2] == [[column.head for column in table.columns], plain]
    assert len(parsed(table)) == len(table.rows) + 1


def parsed(table: Table) -> list[list[str]]:
    assert table.csv().startswith("\ufeff".encode())
    return list(csv.reader(io.StringIO(table.csv().decode("utf-8-sig"), newline=""), delimiter=";"))


def test_few_contacts_are_said_to_be_few() -> None:
    rows = list(transfers_table(METRICS).shown())
    assert rows[1] == ["3 ou mais", "4", "0", "0%", "—", "US$ 0,1250", "poucos contatos"]


def test_a_rule_has_no_probability() -> None:
    assert list(providers_table(METRICS).shown())[1][:4] == ["regra, sem modelo", "10", "—", "—"]


def test_nothing_that_a_spreadsheet_would_run_leaves_the_page() -> None:
    table = Table(
        "x", (Column("Motivo"), Column("Nota")), (("=HYPERLINK(1)", "@x"), ("+1", "-1"), ("ok; e mais", 'aspas "'))
    )
    assert parsed(table)[1:] == [["'=HYPERLINK(1)", "'@x"], ["'+1", "'-1"], ["ok; e mais", 'aspas "']]
