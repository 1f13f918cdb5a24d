"""The chat's own pieces: a bubble, a transfer, an action that waits for a yes, a banner, a failure."""

import streamlit as st

from graph.events import HandedOff
from ops.words import carried_words
from ui.words import literal, spoken


def bubble(*, role: str, who: str, text: str, when: str = "") -> None:
    """Draw one message. Its text is shown as text, whatever it contains."""
    kind = {"customer": "cliente", "operator": "pessoa"}.get(role, "agente")
    body = literal(text) if role in ("customer", "operator") else spoken(text)
    head = " · ".join(literal(part) for part in (who, when) if part)
    st.html(f'<article class="fala {kind}"><header>{head}</header><div>{body}</div></article>')


def working(words: str) -> None:
    """Draw what somebody is doing before there is a reply."""
    st.html(f'<div class="trabalhando" role="status"><i></i><i></i><i></i><span>{literal(words)}</span></div>')


def transfer(handoff: HandedOff, came_from: str) -> None:
    """Draw the passing of the baton: who passes to whom, and what goes along."""
    carried = carried_words(handoff.facts)
    received = f"recebeu: {carried}" if carried else "recebeu a conversa"
    st.html(
        f'<div class="passagem"><span>{literal(came_from)} → <b>{literal(handoff.to_label)}</b></span>'
        f"<p>{literal(handoff.to_label)} {literal(received)}</p></div>"
    )


def confirmation(summary: str) -> None:
    """Draw the exact action that waits for the customer's yes; the buttons are the page's."""
    st.html(
        f'<div class="confirmacao"><b>Precisa da sua confirmação</b><p>{literal(summary[:1].upper() + summary[1:])}</p>'
        "<small>Nada é feito antes do seu sim.</small></div>"
    )


def banner(words: str) -> None:
    """Draw that a person was called, or holds the conversation."""
    st.html(f'<div class="aviso" role="status">{literal(words)}</div>')


def note(words: str) -> None:
    """Draw a small remark between messages."""
    st.html(f'<div class="observacao">{literal(words)}</div>')


def failure(words: str, protocol: str | None = None) -> None:
    """Draw what went wrong, with the number that finds the rest."""
    found = f"<small>Protocolo {literal(protocol)}</small>" if protocol else ""
    st.html(f'<div class="falha" role="alert"><p>{literal(words)}</p>{found}</div>')
