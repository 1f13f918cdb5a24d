"""The numbers as tables: the same rows on the page, in words, and in a file that a spreadsheet opens."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ops.metrics import Metrics
from ops.metrics_words import (
    NOTHING,
    RULE,
    day_words,
    few_words,
    followed_words,
    money,
    took,
    transfers_words,
    two_decimals,
    whole,
)
from ops.queue_words import code_words, waited_words

Cell = str | int | float | Decimal | date | None
# What a spreadsheet would run as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Column:
    """A head, how a value reads, and whether it is a number (which is set to the right)."""

    head: str
    show: Callable[[Any], str] = str
    number: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """`name` names its file. `nothing` is said in place of rows."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    nothing: str = "Nada neste período."

    def shown(self) -> Iterator[list[str]]:
        """Yield the rows as they are read."""
        for row in self.rows:
            yield [
                NOTHING if cell is None else column.show(cell) for column, cell in zip(self.columns, row, strict=True)
            ]

    def csv(self) -> bytes:
        """Return the rows as spreadsheets in Portuguese expect them: semicolons, decimal commas, UTF-8 with its mark."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
        writer.writerow([column.head for column in self.columns])
        writer.writerows([_plain(cell) for cell in row] for row in self.rows)
        return out.getvalue().encode("utf-8-sig")


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float | Decimal):
        return f"{cell:.8f}".rstrip("0").rstrip(".").replace(".", ",")
    if isinstance(cell, int | date):
        return str(cell)
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _text(head: str, show: Callable[[Any], str] = str) -> Column:
    return Column(head, show, number=False)


def days_table(metrics: Metrics) -> Table:
    rows = tuple(
        (d.day, d.resolved + d.handed_over + d.abandoned + d.open, d.resolved, d.handed_over, d.abandoned, d.open)
        for d in metrics.days
    )
    heads = ("Contatos", "Resolvidos", "Com uma pessoa", "Abandonados", "Em aberto")
    return Table("contatos-por-dia", (_text("Dia", day_words), *(Column(head, whole) for head in heads)), rows)


def transfers_table(metrics: Metrics) -> Table:
    """Cost per resolved contact by the number of transfers, the resolution rate beside it."""
    rows = tuple(
        (
            transfers_words(t.transfers), t.resolved.of, t.resolved.part, t.resolved.rate, t.cost_per_resolved_usd,
            t.cost_per_contact_usd, few_words(t.resolved.of).removeprefix(", ") or None,
        )
        for t in metrics.transfers
    )  # fmt: skip
    columns = (
        _text("Transferências"), Column("Encerrados", whole), Column("Resolvidos", whole), Column("Resolução", _rate),
        Column("Custo por resolvido (US$)", money), Column("Custo por contato (US$)", money), _text("Observação"),
    )  # fmt: skip
    return Table("custo-por-transferencias", columns, rows)


def followed_table(metrics: Metrics) -> Table:
    rows = tuple((followed_words(f.followed_by), f.clarifications, f.resolved) for f in metrics.followed)
    columns = (_text("O que veio depois"), Column("Perguntas", whole), Column("Contato resolvido", whole))
    return Table("esclarecimentos", columns, rows, nothing="Nenhuma pergunta de esclarecimento neste período.")


def queue_table(metrics: Metrics, *, now: datetime) -> Table:
    """Why people were called and how long that took; of what still waits, the oldest."""
    rows = tuple(
        (
            code_words(q.reason), q.items, q.attended, q.wait_p50_s, q.wait_p90_s, q.withdrawn, q.waiting,
            max(0.0, (now - q.oldest_waiting).total_seconds()) if q.oldest_waiting else None,
        )
        for q in metrics.queue
    )  # fmt: skip
    columns = (
        _text("Motivo"), Column("Itens", whole), Column("Atendidos", whole), Column("Espera mediana (s)", waited_words),
        Column("Espera p90 (s)", waited_words), Column("Retirados", whole), Column("Esperando", whole),
        Column("Mais antigo (s)", waited_words),
    )  # fmt: skip
    return Table("fila-humana", columns, rows, nothing="Ninguém foi chamado neste período.")


def providers_table(metrics: Metrics) -> Table:
    rows = tuple(
        (
            p.provider or RULE, p.decisions, p.top_mean, p.unsure if p.provider else None, p.placed, p.passed_on, p.after_failures,
            p.p50_ms, p.p95_ms, p.cost_usd,
        )
        for p in metrics.providers
    )  # fmt: skip
    columns = (
        _text("Quem decidiu"), Column("Decisões", whole), Column("Prob. média", two_decimals), Column("Sem certeza", whole),
        Column("A especialista", whole), Column("Repassadas", whole), Column("Após falha de outro", whole),
        Column("p50 (ms)", took), Column("p95 (ms)", took), Column("Custo (US$)", money),
    )  # fmt: skip
    return Table("decisoes-por-provedor", columns, rows)


def latency_table(metrics: Metrics) -> Table:
    rows = tuple((d.day, d.turns, d.p50_ms, d.p95_ms) for d in metrics.latency_days)
    columns = (
        _text("Dia", day_words),
        Column("Respostas", whole),
        Column("p50 (ms)", took),
        Column("p95 (ms)", took),
    )
    return Table("tempo-de-resposta", columns, rows)


def tokens_table(metrics: Metrics) -> Table:
    rows = tuple((t.day, t.input, t.cached, t.output) for t in metrics.tokens)
    columns = (_text("Dia", day_words), *(Column(head, whole) for head in ("Lidos", "Dos quais em cache", "Escritos")))
    return Table("tokens", columns, rows)


def spend_table(metrics: Metrics) -> Table:
    limit = metrics.day_limit_usd
    rows = tuple((s.day, s.calls, s.usd, limit, float(s.usd / limit) if limit else None) for s in metrics.spend)
    columns = (
        _text("Dia", day_words), Column("Chamadas pagas", whole), Column("Gasto (US$)", money), Column("Limite atual (US$)", money),
        Column("Do limite", _rate),
    )  # fmt: skip
    return Table("gasto-por-dia", columns, rows)


def paid_table(metrics: Metrics, *, name: Callable[[str], str]) -> Table:
    """Who was paid; `name` gives a specialist's display name."""
    rows = tuple(
        (p.provider, p.model, name(p.agent) if p.agent else "decisão", p.calls, p.usd) for p in metrics.spend_parts
    )
    columns = (
        _text("Provedor"),
        _text("Modelo"),
        _text("Para"),
        Column("Chamadas", whole),
        Column("Gasto (US$)", money),
    )
    return Table("gasto-por-provedor", columns, rows, nothing="Nenhuma chamada paga neste período.")


def summary_table(metrics: Metrics) -> Table:
    """The figures at the page's head, for a file."""
    c = metrics.contacts
    shares = (
        ("Resolvidos sem pessoa", metrics.alone),
        ("Transferidos de imediato", metrics.at_once),
        ("Com esclarecimento", metrics.clarified),
    )
    rows: list[tuple[Cell, ...]] = [("Contatos", c.contacts, None, None), ("Encerrados", c.ended, None, None)]
    rows += [(head, share.part, share.of, share.rate) for head, share in shares]
    rows += [
        ("Repasses por contato resolvido", c.hops_mean, c.resolved, None),
        ("Custo por contato resolvido (US$)", metrics.cost_per_resolved_usd, c.resolved, None),
        ("Reabertos", c.reopened, None, None),
    ]
    return Table("resumo", (_text("Figura"), Column("Valor"), Column("De"), Column("Parte", _rate)), tuple(rows))


def _rate(rate: float) -> str:
    return f"{rate * 100:.0f}%"
