"""The numbers' page: what became of the contacts of a period, who passed them on, what it cost and how long it took."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import altair as alt
import streamlit as st

from ops import metrics_tables as tables
from ops.metrics import Metrics, Period, read_metrics
from ops.metrics_words import (
    few_words,
    money,
    of_words,
    one_decimal,
    price_words,
    rate_words,
    retention_words,
    simulated_words,
    took,
    two_decimals,
    whole,
)
from settings import load_environment, load_settings
from ui import cards
from ui import metrics_charts as charts
from ui.bridge import Backend
from ui.chat import STYLE, backend
from ui.conversation import wording_of
from ui.failures import UNAVAILABLE, explain
from ui.metrics_pieces import download, figures, section, sentence, table
from ui.sign_in import operator_of

OWN_STYLE = Path(__file__).parent / "metrics.css"
DEFAULT_DAYS = 30
FROM, UNTIL = "de", "ate"


def page() -> None:
    """Draw the page for whoever is signed in."""
    st.html(STYLE)
    st.html(OWN_STYLE)
    try:
        found = backend()
        if operator_of(found, load_environment()) is not None:
            _draw(found)
    except UNAVAILABLE as problem:
        explain(problem)
        st.button("Tentar de novo", key="tentar", icon=":material/refresh:")


def _draw(found: Backend) -> None:
    services, now = found.bastao.services, datetime.now(UTC)
    st.html('<div class="cabecalho"><h1>Números</h1></div>')
    today, settings = now.astimezone(services.zone).date(), load_settings(load_environment())
    chosen = _dates(today)
    if chosen is None:
        st.caption("Escolha também o último dia.")
        return
    period = Period(*chosen, zone=services.zone)
    limit = settings.budget.day
    metrics = found.read(
        read_metrics(services.database, period=period, day_limit_usd=limit.limit_usd if limit else None)
    )
    kept = settings.retention
    kept_days = min(kept.packages, kept.dialogue, kept.spend_links)
    for words in (simulated_words(metrics), retention_words(period, today=today, kept_days=kept_days)):
        if words is not None:
            cards.banner(words)
    if metrics.empty:
        st.html(
            '<div class="vazio"><h2>Nada neste período</h2><p>Quando houver atendimentos, eles são contados aqui. Para ver a página '
            "com um mês inventado: <code>python -m scripts.simulate</code>.</p></div>"
        )
        return
    span = f"{period.first:%Y%m%d}-{period.last:%Y%m%d}"
    _head(metrics, span)
    _transfers(metrics, span)
    _people(metrics, span, now)
    _decisions(metrics, span)
    _running(metrics, span, wording_of(found).name)


def _dates(today: date) -> tuple[date, date] | None:
    """Let the reader choose the days, which the address keeps; None while only one end is chosen."""
    last = _named(UNTIL) or today
    first = min(_named(FROM) or last - timedelta(days=DEFAULT_DAYS - 1), last)
    chosen = st.date_input("Período", value=(first, last), key="periodo", format="DD/MM/YYYY")
    if len(chosen) != 2:
        return None
    if chosen != (first, last):
        st.query_params.update({FROM: chosen[0].isoformat(), UNTIL: chosen[1].isoformat()})
    return chosen


def _named(end: str) -> date | None:
    """Return a day that the address names, None without one or for what is none."""
    try:
        return date.fromisoformat(st.query_params.get(end, ""))
    except ValueError:
        return None


def _head(metrics: Metrics, span: str) -> None:
    c = metrics.contacts
    figures(
        [
            ("Contatos", whole(c.contacts), f"{whole(c.ended)} encerrados, {whole(c.open)} em aberto"),
            ("Resolvidos sem pessoa", rate_words(metrics.alone), of_words(metrics.alone)),
            ("Transferência imediata", rate_words(metrics.at_once), of_words(metrics.at_once)),
            ("Repasses por resolvido", two_decimals(c.hops_mean), f"média de {whole(c.resolved)}{few_words(c.resolved)}"),
            (
                "Custo por resolvido", money(metrics.cost_per_resolved_usd),
                f"{money(c.cost_usd)} em {whole(c.ended)} encerrados{few_words(c.resolved)}",
            ),
            ("Mensagens por resolvido", one_decimal(c.messages_mean), f"{whole(c.reopened)} reabertos em 72 h"),
        ]
    )  # fmt: skip
    download(tables.summary_table(metrics), period=span, label="Baixar o resumo em CSV")
    with st.expander("Como se conta"):
        st.html(
            '<ul class="como"><li><b>Contato</b>: cada vez que um cliente precisou de algo; conta no dia em que abriu.</li>'
            "<li><b>Resolvido sem pessoa</b>: encerrado como resolvido, sem volta em 72 h e sem que alguém da equipe assumisse, "
            "respondesse ou decidisse algo; sobre os encerrados.</li>"
            "<li><b>Transferência imediata</b>: o primeiro especialista disse que não era com ele no mesmo turno em que recebeu o contato.</li>"
            "<li><b>Repasse</b>: transferência que um especialista pediu. As outras são mudanças de assunto do cliente.</li>"
            "<li><b>Custo por resolvido</b>: o gasto de todos os encerrados, resolvidos ou não, dividido pelos resolvidos.</li></ul>"
        )
    section("Contatos por dia")
    _chart(charts.contacts_by_day(metrics), "Contatos por dia e por desfecho")
    table(tables.days_table(metrics), period=span, folded=True)


def _transfers(metrics: Metrics, span: str) -> None:
    section("Transferências: quanto custam e o que resolvem")
    sentence(
        price_words(metrics.price),
        "É uma comparação, não uma causa: o que é transferido costuma ser mais difícil. Quem nunca chegou a um especialista fica fora dela.",
    )
    if metrics.transfers:
        words = "Custo por contato resolvido e taxa de resolução por número de transferências"
        _chart(charts.cost_by_transfers(metrics, ink=_ink()), words)
    table(tables.transfers_table(metrics), period=span)


def _people(metrics: Metrics, span: str, now: datetime) -> None:
    asked = sum(f.clarifications for f in metrics.followed)
    section(
        "Esclarecimentos e o que veio depois",
        f"{rate_words(metrics.clarified)} dos contatos precisaram de pergunta ({of_words(metrics.clarified)}); {whole(asked)} perguntas ao todo.",
    )
    if metrics.followed:
        _chart(charts.followed(metrics, ink=_ink()), "O que veio depois de uma pergunta de esclarecimento")
    table(tables.followed_table(metrics), period=span, folded=True)
    section("Fila humana por motivo", "A espera conta até alguém assumir; o que foi retirado da fila não entra nela.")
    table(tables.queue_table(metrics, now=now), period=span)


def _decisions(metrics: Metrics, span: str) -> None:
    section("Decisões por provedor", "Repassada: o especialista escolhido disse que não era com ele.")
    table(tables.providers_table(metrics), period=span)
    if metrics.probabilities:
        _chart(charts.probabilities(metrics), "Histograma da maior probabilidade por provedor")


def _running(metrics: Metrics, span: str, name: Callable[[str], str]) -> None:
    waited = metrics.latency
    section(
        "Tempo de resposta",
        f"Metade das {whole(waited.turns)} respostas saiu em até {took(waited.p50_ms)}; 95% em até {took(waited.p95_ms)}.",
    )
    if metrics.latency_days:
        _chart(charts.latency(metrics), "Tempo de resposta por dia, mediana e percentil 95")
    table(tables.latency_table(metrics), period=span, folded=True)
    read = metrics.cached
    section("Tokens", f"{whole(read.of)} lidos, dos quais {rate_words(read)} vieram do cache ({whole(read.part)}).")
    _chart(charts.tokens(metrics), "Tokens por dia: lidos, lidos do cache, escritos")
    table(tables.tokens_table(metrics), period=span, folded=True)
    limit = (
        f"O limite de hoje é {money(metrics.day_limit_usd)} por dia."
        if metrics.day_limit_usd
        else "Sem limite por dia."
    )
    total = sum(float(day.usd) for day in metrics.spend)
    section("Gasto e orçamento", f"{money(total)} no período. {limit}")
    _chart(charts.spend(metrics), "Gasto por dia e limite diário")
    table(tables.spend_table(metrics), period=span, folded=True)
    table(tables.paid_table(metrics, name=name), period=span)


def _chart(chart: alt.Chart | alt.LayerChart | alt.FacetChart, words: str) -> None:
    st.altair_chart(chart, width="stretch", alt=words)


def _ink() -> str:
    return "#ECEAE6" if st.context.theme.type == "dark" else "#1C1B19"
