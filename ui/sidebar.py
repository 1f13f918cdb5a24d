"""The sidebar: which demo customer is served, a new conversation, and the ones before."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from ops.reading import ConversationRow
from routing.shop import Customer
from ui.bridge import Backend
from ui.session import CUSTOMER, open_thread
from ui.words import as_label, clock_words, short_title

_TIERS = {"silver": "prata", "gold": "ouro", "bronze": "bronze"}


def choose_customer(customers: Sequence[Customer]) -> Customer:
    """Let the visitor choose whom the demo serves; another customer starts with a clean page."""
    by_id = {str(customer.id): customer for customer in customers}
    ids = list(by_id)
    wanted = st.query_params.get(CUSTOMER)
    if "cliente_escolhido" not in st.session_state and wanted in by_id:
        st.session_state["cliente_escolhido"] = wanted
    chosen = st.selectbox(
        "Cliente de demonstração",
        ids,
        key="cliente_escolhido",
        format_func=lambda id: customer_words(by_id[id]),
        on_change=lambda: open_thread(None),
        help="Só na demonstração: em produção a loja diz quem é o cliente.",
    )
    if st.query_params.get(CUSTOMER) != chosen:
        st.query_params[CUSTOMER] = chosen
    return by_id[chosen]


def customer_words(customer: Customer) -> str:
    """Name a customer with the tier: "Ana Souza · prata"."""
    tier = _TIERS.get(customer.tier or "", customer.tier or "")
    return " · ".join(part for part in (customer.name or str(customer.id), tier) if part)


def list_conversations(backend: Backend, rows: Sequence[ConversationRow], *, opened: str | None, now: datetime) -> None:
    """List the customer's conversations, the latest first."""
    st.button(
        "Nova conversa",
        key="nova",
        icon=":material/add_comment:",
        width="stretch",
        type="primary",
        on_click=open_thread,
        args=(None,),
    )
    if not rows:
        st.caption("As conversas deste cliente aparecem aqui.")
        return
    st.caption("Conversas")
    for row in rows:
        when = clock_words(row.updated_at, now=now, zone=backend.bastao.services.zone)
        st.button(
            f"{as_label(short_title(row.title))} :gray[· {as_label(when)}]",
            key=f"conversa-{row.thread_id}",
            type="secondary" if row.thread_id == opened else "tertiary",
            icon=":material/support_agent:" if row.held_by else None,
            width="stretch",
            on_click=open_thread,
            args=(row.thread_id,),
        )
