"""Beside the chat: why this one spoke, what was passed on, which tools ran, how long it took and what it cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import streamlit as st

from graph.events import Done, HandedOff, ToolUsed
from ops.turn_view import TurnView
from ops.words import (
    Name,
    dollars,
    fact_groups,
    fact_words,
    handoff_reason,
    names,
    outcome_words,
    percent,
    reason_words,
    seconds,
    source_words,
    status_words,
    tool_words,
)
from routing.decision import Decision
from ui.words import literal

CHOSEN, OTHER, LINE = "#17998D", "#A9B0AE", "#C2553B"
_MARK = {"ok": "✓", "repeated": "✓", "proposed": "…", "refused": "⊘", "failed": "✕"}
_SHOWN_FACTS = 12


@dataclass(frozen=True, slots=True)
class Wording:
    """How ids read here: specialists by the roster, declared reasons by the table."""

    display_names: Mapping[str, str]
    explained: Mapping[str, str]

    def name(self, id: str) -> str:
        """Name a specialist or a responder."""
        return names(self.display_names)(id)

    def speaker(self, agent: str | None) -> str:
        """Name who wrote a message: a specialist, else the shop's desk as a whole."""
        return self.display_names.get(agent or "", "Atendimento")


def draw_turn(view: TurnView, wording: Wording) -> None:
    """Draw one turn, as far as it is known."""
    if view.decision is not None:
        draw_decision(view.decision, wording.name)
    elif not view.status:
        st.caption("A decisão aparece aqui assim que sair.")
    decided = view.decision.reason if view.decision else None
    for handoff in view.handoffs:
        # The decision above already says why a hand-off that it caused took place.
        why = "" if handoff.reason == decided else handoff_reason(handoff, wording.name, wording.explained)
        draw_package(handoff, wording, why=why)
    if view.tools:
        draw_tools(view.tools, wording.name)
    if view.done is not None:
        draw_costs(view.done, view.decision)


def draw_decision(decision: Decision, name: Name) -> None:
    """Draw who speaks and why; the probabilities with the threshold where a model gave them."""
    st.html(
        f'<div class="titulo">Decisão</div><div class="destino">{literal(name(decision.target))}</div>'
        f'<div class="porque">{literal(reason_words(decision, name))}</div>'
    )
    if not decision.probabilities:
        st.html('<div class="nota">Decidido por uma regra, sem perguntar a um modelo.</div>')
        return
    st.altair_chart(chart(decision, name), width="stretch", alt=_in_words(decision, name))
    st.html(f'<div class="nota">{literal(_provider(decision))}</div>')


def chart(decision: Decision, name: Name) -> alt.LayerChart | alt.FacetChart:
    """Build the bar chart of the probabilities, the likeliest first, with the threshold as a line."""
    rows = [
        {"opção": name(option), "p": share, "texto": percent(share), "escolhida": option == decision.target}
        for option, share in sorted((decision.probabilities or {}).items(), key=lambda pair: -pair[1])
    ]
    order = [row["opção"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y(
            "opção:N", sort=order, title=None, axis=alt.Axis(labelLimit=150, ticks=False, domain=False, labelPadding=8)
        ),
        x=alt.X("p:Q", scale=alt.Scale(domain=[0, 1.12], nice=False), axis=None),
        tooltip=[alt.Tooltip("opção:N"), alt.Tooltip("texto:N", title="probabilidade")],
    )
    bars = base.mark_bar(cornerRadiusEnd=4, height=14).encode(
        color=alt.condition("datum.escolhida", alt.value(CHOSEN), alt.value(OTHER))
    )
    ink = "#ECEAE6" if st.context.theme.type == "dark" else "#1C1B19"
    layers: list[alt.Chart] = [bars, base.mark_text(align="left", dx=5, fontSize=12, color=ink).encode(text="texto:N")]
    if decision.threshold is not None:
        at = alt.Chart(alt.Data(values=[{"t": decision.threshold, "texto": f"mínimo {percent(decision.threshold)}"}]))
        rule = at.mark_rule(color=LINE, strokeDash=[4, 3], strokeWidth=1.5)
        label = at.mark_text(color=LINE, align="center", baseline="bottom", dy=-3, fontSize=11)
        layers.append(rule.encode(x="t:Q"))
        layers.append(label.encode(x="t:Q", y=alt.value(0), text="texto:N"))
    return alt.layer(*layers).properties(
        height=alt.Step(26), background="transparent", padding={"top": 16, "left": 0, "right": 0, "bottom": 0}
    )


def draw_package(handoff: HandedOff, wording: Wording, *, why: str) -> None:
    """Draw what the destination received. The first specialist of a conversation receives one too."""
    came = wording.name(handoff.from_agent) if handoff.from_agent else "Recepção"
    st.html(
        f'<div class="titulo">Passagem</div><div class="destino">{literal(came)} → {literal(handoff.to_label)}</div>'
        + (f'<div class="porque">{literal(why)}</div>' if why else "")
        + "".join(_group(head, facts) for head, facts in fact_groups(handoff.facts[:_SHOWN_FACTS]))
        + _more(len(handoff.facts) - _SHOWN_FACTS)
    )
    if handoff.package:
        with st.expander(f"Pacote completo · cerca de {handoff.package_tokens} tokens", type="compact"):
            st.json(handoff.package, expanded=1)


def _group(head: str, facts: Sequence[Mapping[str, Any]]) -> str:
    rows = "".join(f"<li>{literal(fact_words(f))} <span>{literal(source_words(f))}</span></li>" for f in facts)
    return f'<div class="grupo">{literal(head)}</div>' * bool(head) + f"<ul>{rows}</ul>" * bool(rows)


def _more(count: int) -> str:
    return f'<div class="nota">e mais {count} no pacote</div>' if count > 0 else ""


def draw_tools(tools: tuple[ToolUsed, ...], name: Name) -> None:
    """List the calls with what came of them."""
    rows = "".join(
        f'<li class="{tool.outcome}"><b>{_MARK[tool.outcome]}</b> {literal(tool_words(tool))} '
        f"<span>{literal(outcome_words(tool))}{_by(tool, name)}</span></li>"
        for tool in tools
    )
    st.html(f'<div class="titulo">Ferramentas</div><ul class="ferramentas">{rows}</ul>')


def draw_costs(done: Done, decision: Decision | None) -> None:
    """Show the turn's ending in numbers."""
    model = "modelo offline" if done.simulated else done.model
    cells = [
        ("Tempo", seconds(done.latency_ms)),
        ("Custo", dollars(done.cost_usd)),
        ("Situação", status_words(done.status)),
    ]
    if model:
        cells.append(("Chat", model))
    if decision is not None and decision.latency_ms is not None:
        cells.insert(1, ("Decisão", seconds(decision.latency_ms)))
    body = "".join(f"<div><dt>{literal(label)}</dt><dd>{literal(value)}</dd></div>" for label, value in cells)
    st.html(f'<div class="titulo">Turno {done.turn}</div><dl class="numeros">{body}</dl>')


def _provider(decision: Decision) -> str:
    served = f" ({decision.model})" if decision.model and decision.model != decision.provider else ""
    calibrated = {True: "calibrado", False: "não calibrado", None: ""}[decision.calibrated]
    tried = [hop.provider for hop in decision.hops if hop.outcome != "ok"]
    parts = [f"Modelo de decisão: {decision.provider or '—'}{served}", calibrated]
    if tried:
        parts.append(f"antes tentou {', '.join(tried)}")
    return " · ".join(part for part in parts if part)


def _in_words(decision: Decision, name: Name) -> str:
    shares = sorted((decision.probabilities or {}).items(), key=lambda pair: -pair[1])
    return "Probabilidades: " + ", ".join(f"{name(option)} {percent(share)}" for option, share in shares)


def _by(tool: ToolUsed, name: Name) -> str:
    if tool.by == "graph":
        return " · após o sim do cliente"
    return f" · {literal(name(tool.agent))}" if tool.agent else ""
