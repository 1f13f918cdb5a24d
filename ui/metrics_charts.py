"""The charts of the numbers' page. Colours are those of style.css; words and decimals are written here, not by the browser."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from ops.metrics import Metrics
from ops.metrics_words import day_words, followed_words, money, outcome_words, rate_words, transfers_words, whole

TEAL, AMBER, RED, GREY = "#17998D", "#B7791F", "#C2553B", "#A9B0AE"
_OUTCOMES = {"resolved": TEAL, "handed_over": AMBER, "abandoned": RED, "open": GREY}
_PROVIDERS = (TEAL, AMBER, "#5B7DB1", RED, "#8A6FB0", GREY)
_HEIGHT = 270
_COMMA = "replace(datum.label, '.', ',')"
Row = dict[str, Any]


def _data(rows: Sequence[Row]) -> alt.Data:
    return alt.Data(values=list(rows))


def _days(field: str = "dia") -> alt.X:
    axis = alt.Axis(title=None, labelAngle=0, labelOverlap="greedy", ticks=False, labelSeparation=6)
    return alt.X(f"{field}:O", sort=None, axis=axis)


def _count(field: str, *, title: str | None = None, format: str = "d", stack: bool | None = None) -> alt.Y:
    axis = alt.Axis(title=title, tickCount=4, format=format, labelExpr=_COMMA)
    return alt.Y(f"{field}:Q", axis=axis, stack=stack)


def _colour(field: str, domain: Sequence[str], colours: Sequence[str]) -> alt.Color:
    columns = 2 if len(domain) > 3 else 3  # what a phone has room for
    legend = alt.Legend(
        title=None, orient="top", direction="horizontal", columns=columns, symbolType="square", symbolSize=90, padding=0, offset=10
    )  # fmt: skip
    return alt.Color(f"{field}:N", scale=alt.Scale(domain=list(domain), range=list(colours)), legend=legend, sort=None)


def contacts_by_day(metrics: Metrics) -> alt.Chart:
    """Stack each day's contacts by how they ended."""
    kinds = list(_OUTCOMES)
    rows = [
        {"dia": day_words(d.day), "contatos": getattr(d, kind), "fim": outcome_words(kind), "ordem": kinds.index(kind)}
        for d in metrics.days
        for kind in kinds
    ]
    return (
        alt.Chart(_data(rows))
        .mark_bar()
        .encode(
            x=_days(),
            y=_count("contatos", stack=True),
            color=_colour("fim", [outcome_words(k) for k in kinds], list(_OUTCOMES.values())),
            order="ordem:Q",
            tooltip=["dia:N", "fim:N", "contatos:Q"],
        )
        .properties(height=_HEIGHT, background="transparent")
    )


def cost_by_transfers(metrics: Metrics, *, ink: str) -> alt.LayerChart | alt.FacetChart:
    """Draw what a resolved contact costs for each number of transfers, with the resolution rate written beside it."""
    rows = [
        {
            "transferências": transfers_words(t.transfers), "custo": float(t.cost_per_resolved_usd or 0),
            "texto": f"{money(t.cost_per_resolved_usd)} · resolve {rate_words(t.resolved)} de {whole(t.resolved.of)}",
        }
        for t in metrics.transfers
    ]  # fmt: skip
    most = max((row["custo"] for row in rows), default=0) or 1
    base = alt.Chart(_data(rows)).encode(
        y=alt.Y("transferências:N", sort=None, axis=alt.Axis(title=None, ticks=False, domain=False, labelPadding=8)),
        x=alt.X("custo:Q", axis=None, scale=alt.Scale(domain=[0, most * 2.1], nice=False)),
    )
    bars = base.mark_bar(color=TEAL, cornerRadiusEnd=4, height=18)
    words = base.mark_text(align="left", dx=6, fontSize=12, color=ink).encode(text="texto:N")
    return alt.layer(bars, words).properties(height=alt.Step(32), background="transparent")


def followed(metrics: Metrics, *, ink: str) -> alt.LayerChart | alt.FacetChart:
    """Draw what came after a clarification, the most frequent first."""
    rows = [
        {"depois": followed_words(f.followed_by), "n": f.clarifications, "texto": whole(f.clarifications)}
        for f in metrics.followed
    ]
    axis = alt.Axis(title=None, ticks=False, domain=False, labelLimit=190, labelPadding=8)
    base = alt.Chart(_data(rows)).encode(
        y=alt.Y("depois:N", sort=None, axis=axis),
        x=alt.X("n:Q", axis=None, scale=alt.Scale(nice=False)),
    )
    bars = base.mark_bar(color=AMBER, cornerRadiusEnd=4, height=16)
    words = base.mark_text(align="left", dx=5, fontSize=12, color=ink).encode(text="texto:N")
    return alt.layer(bars, words).properties(height=alt.Step(28), background="transparent")


def probabilities(metrics: Metrics) -> alt.Chart:
    """Draw how sure the decision models were: their top probability, in tenths."""
    named = [p.provider for p in metrics.providers if p.provider is not None]
    rows = [
        {"faixa": _tenth(b.bin), "decisões": b.decisions, "provedor": b.provider, "ordem": named.index(b.provider)}
        for b in metrics.probabilities
    ]
    tenths = [_tenth(number) for number in range(10)]
    axis = alt.Axis(title="maior probabilidade", labelAngle=0, ticks=False, labelOverlap="greedy")
    return (
        alt.Chart(_data(rows))
        .mark_bar()
        .encode(
            x=alt.X("faixa:O", sort=None, scale=alt.Scale(domain=tenths), axis=axis),
            y=_count("decisões", stack=True),
            color=_colour("provedor", named, [_PROVIDERS[i % len(_PROVIDERS)] for i in range(len(named))]),
            order="ordem:Q",
            tooltip=["faixa:N", "provedor:N", "decisões:Q"],
        )
        .properties(height=_HEIGHT, background="transparent")
    )


def _tenth(number: int) -> str:
    return f"{number * 10}–{number * 10 + 10}%"


def latency(metrics: Metrics) -> alt.Chart:
    """Draw how long half of the customers waited, and all but one in twenty."""
    rows: list[Row] = []
    for d in metrics.latency_days:
        for name, value in (("metade espera até", d.p50_ms), ("95% esperam até", d.p95_ms)):
            rows.append({"dia": day_words(d.day), "medida": name, "s": None if value is None else value / 1000})
    return (
        alt.Chart(_data(rows))
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=_days(),
            y=_count("s", title="segundos", format=".1f"),
            color=_colour("medida", ["metade espera até", "95% esperam até"], [TEAL, RED]),
            tooltip=["dia:N", "medida:N", alt.Tooltip("s:Q", format=".1f")],
        )
        .properties(height=_HEIGHT, background="transparent")
    )


def tokens(metrics: Metrics) -> alt.Chart:
    """Stack each day's tokens: read anew, read from the cache, written."""
    kinds = ("lidos", "lidos do cache", "escritos")
    rows: list[Row] = []
    for t in metrics.tokens:
        for order, (kind, count) in enumerate(zip(kinds, (t.input - t.cached, t.cached, t.output), strict=True)):
            rows.append({"dia": day_words(t.day), "tokens": count / 1000, "tipo": kind, "ordem": order})
    return (
        alt.Chart(_data(rows))
        .mark_bar()
        .encode(
            x=_days(),
            y=_count("tokens", title="mil tokens", stack=True),
            color=_colour("tipo", kinds, [TEAL, GREY, AMBER]),
            order="ordem:Q",
            tooltip=["dia:N", "tipo:N", alt.Tooltip("tokens:Q", format=".1f", title="mil tokens")],
        )
        .properties(height=_HEIGHT, background="transparent")
    )


def spend(metrics: Metrics) -> alt.LayerChart | alt.FacetChart:
    """Draw each day's spend, and the daily limit as a line where there is one."""
    rows = [{"dia": day_words(s.day), "gasto": float(s.usd), "texto": money(s.usd)} for s in metrics.spend]
    bars = (
        alt.Chart(_data(rows))
        .mark_bar(color=TEAL)
        .encode(x=_days(), y=_count("gasto", title="US$", format=".2f"), tooltip=["dia:N", "texto:N"])
    )
    layers: list[alt.Chart] = [bars]
    if metrics.day_limit_usd is not None:
        at = alt.Chart(
            _data([{"limite": float(metrics.day_limit_usd), "texto": f"limite {money(metrics.day_limit_usd)}"}])
        )
        layers.append(at.mark_rule(color=RED, strokeDash=[4, 3], strokeWidth=1.5).encode(y="limite:Q"))
        label = at.mark_text(color=RED, align="left", baseline="bottom", dx=4, dy=-3, fontSize=11)
        layers.append(label.encode(y="limite:Q", x=alt.value(0), text="texto:N"))
    return alt.layer(*layers).properties(height=_HEIGHT, background="transparent")
