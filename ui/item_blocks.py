"""One item of the queue for a human eye: facts, suspicions, promises and actions apart, conflicts in red."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from ops.people import Discarded, ItemView
from ops.queue_words import (
    about_words,
    action_words,
    conflict_words,
    promise_words,
    reason_words,
    suspicion_words,
    waited_words,
)
from ops.words import fact_groups, fact_words, source_words
from routing.facts import Commitment
from ui import cards
from ui.words import clock_words, literal

_JUST_NOW_S = 60
# Said beside the matter: the dialogue below has them.
_IN_PASSING = frozenset({"mention", "quote", "answer", "number"})
_STATUS = {"reported": "dito", "confirmed": "confirmado", "replaced": "corrigido"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How ids read, and what time it is where the operator sits."""

    name: Callable[[str], str]
    now: datetime
    zone: ZoneInfo

    def when(self, at: datetime) -> str:
        return clock_words(at, now=self.now, zone=self.zone)

    def date(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%d/%m %H:%M}"


def head(item: ItemView, look: Look) -> None:
    """Draw what the item is: number, reason, how long it waits, whose it is, and what the customer's case is about."""
    entry = item.entry
    waits = f"espera há {waited_words(entry.waited_s)}" if entry.waited_s >= _JUST_NOW_S else "acabou de chegar"
    parts = [f"cliente {item.customer_id}" if item.customer_id else "visitante", waits]
    if entry.due is not None:
        parts.append(f"{'venceu' if entry.overdue else 'até'} {look.date(entry.due)}")
    if item.path:
        parts.append("passou por " + " → ".join(look.name(agent) for agent in item.path))
    about = f"<p>{literal(about_words(entry))}</p>" if about_words(entry) else ""
    st.html(
        f'<div class="item-cabeca"><h2>{literal(entry.protocol)} · {literal(reason_words(entry))}</h2>'
        f"<p>{literal(' · '.join(parts))}</p>{about}</div>"
    )


def conflicts(item: ItemView) -> None:
    """Draw what sources disagree about: nobody should answer before it is settled."""
    if item.conflicts:
        rows = "".join(f"<li>{literal(conflict_words(c))}</li>" for c in item.conflicts)
        st.html(f'<div class="conflitos" role="alert"><b>Informações que não batem</b><ul>{rows}</ul></div>')


def blocks(item: ItemView, look: Look) -> None:
    """Draw the four blocks: what is known, what is only suspected, what was promised, what was done."""
    known, beside_it = st.columns(2)
    with known:
        _block("fatos", "Fatos", _facts(item), "Nada informado ainda.")
    with beside_it:
        suspected = [f"<li>{literal(suspicion_words(s, look.name))}</li>" for s in item.suspicions]
        _block("suspeitas", "Suspeitas (não confirmadas)", _rows(suspected), "Nenhuma suspeita.")
        promised = [_promise(promise, look) for promise in item.promises]
        _block("promessas", "Promessas", _rows(promised), "Nada prometido.")
        done = [_row(*action_words(a), kind=a.state) for a in item.actions]
        _block("acoes", "Ações executadas", _rows(done), "Nada foi alterado.")


def _facts(item: ItemView) -> str:
    plain = [fact.model_dump(mode="json") for fact in item.facts if fact.key not in _IN_PASSING]
    drawn: list[str] = []
    for group, members in fact_groups(plain):
        rows = [
            _row(fact_words(f), f"{_STATUS.get(str(f.get('status')), '')} · {source_words(f)}") for f in members
        ]  # fmt: skip
        drawn.append((f'<div class="grupo">{literal(group)}</div>' if group else "") + _rows(rows))
    return "".join(drawn)


def _promise(promise: Commitment, look: Look) -> str:
    late = promise.status == "overdue" or (promise.due is not None and promise.due <= look.now)
    return _row(*promise_words(promise, when=look.date), kind="vencida" if late else "")


def _row(words: str, small: str, *, kind: str = "") -> str:
    return f'<li class="{literal(kind)}">{literal(words)}<small>{literal(small)}</small></li>'


def _rows(rows: Sequence[str]) -> str:
    return f"<ul>{''.join(rows)}</ul>" if rows else ""


def _block(kind: str, title: str, body: str, nothing: str) -> None:
    inside = body or f'<div class="nada">{literal(nothing)}</div>'
    st.html(f'<section class="bloco {kind}"><h3>{literal(title)}</h3>{inside}</section>')


def beside(item: ItemView, look: Look) -> None:
    """Draw the question that is open, the subjects that wait, what was said before, and the notes."""
    if item.open_question:
        cards.note(f"Pergunta em aberto: {item.open_question}")
    if item.open_topics:
        cards.note("Assuntos que o cliente ainda espera: " + "; ".join(item.open_topics))
    if item.summary:
        with st.expander("Resumo do que veio antes"):
            st.html(f"<div>{literal(item.summary)}</div>")
    if item.entry.notes:
        rows = "".join(
            f"<li>{literal(n.text)} <small>{literal('cliente' if n.author == 'customer' else n.author)}, {literal(look.when(n.at))}</small></li>"
            for n in item.entry.notes
        )
        st.html(f'<div class="notas"><b>Notas</b><ul>{rows}</ul></div>')


def discarded(item: ItemView, look: Look) -> None:
    """Draw the replies of the bot that a person overtook, and what those turns did all the same."""
    for overtaken in item.discarded:
        st.html(
            f'<div class="descartada"><b>O bot ia responder (turno {overtaken.turn}, {literal(look.when(overtaken.at))}); o cliente não viu</b>'
            f"<p>{literal(overtaken.text)}</p>{_done(overtaken)}</div>"
        )


def _done(overtaken: Discarded) -> str:
    if not overtaken.effects:
        return "<small>Esse turno não alterou nada.</small>"
    rows = "".join(_row(*action_words(effect)) for effect in overtaken.effects)
    return f"<b>Mas isto foi feito:</b><ul>{rows}</ul>"


def dialogue(item: ItemView, look: Look) -> None:
    """Draw the last lines of the conversation."""
    for line in item.lines:
        who = {"customer": "Cliente", "operator": f"{line.author or 'Atendimento'} (pessoa)"}.get(
            line.role, look.name(line.agent) if line.agent else "Atendimento"
        )
        cards.bubble(role=line.role, who=who, text=line.text, when=look.when(line.at))
