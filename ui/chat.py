"""The chat page: a customer of the demo shop talks, and beside it one sees why who answers."""

import gc
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

import streamlit as st

from ops.reading import conversations_of, demo_customers
from settings import load_environment
from ui import conversation, sidebar
from ui.bridge import Backend, open_backend
from ui.failures import UNAVAILABLE, explain
from ui.session import Visit, say, thread_in_address
from ui.words import literal

Panel = Literal["painel-sempre", "painel-largo", "painel-estreito"]
STYLE = Path(__file__).parent / "style.css"
EXAMPLES = (
    "Meu pedido 10405 ainda não chegou, onde ele está?",
    "Fui cobrado duas vezes no Pix do pedido 10405",
    "O fone do pedido 10418 parou de funcionar, quero trocar",
)


@st.cache_resource(show_spinner="Abrindo a loja de demonstração… (a primeira vez leva meio minuto)")
def backend() -> Backend:
    """Open the one backend of this process. A failure is not kept: the next run tries again."""
    opened = open_backend(load_environment())
    if gc.get_freeze_count() == 0:
        # Streamlit collects garbage after every run of a script, a fragment's too: 0.16 s over all that the process keeps anyway.
        gc.collect()
        gc.freeze()
    return opened


def page() -> None:
    """Draw the page for whoever opened it."""
    st.html(STYLE)
    try:
        found = backend()
        if found.bastao.mode != "demo":
            st.info("Esta página atende clientes de demonstração e só abre com `mode: demo` em config.json.")
            return
        _draw(found)
    except UNAVAILABLE as problem:
        explain(problem)
        st.button("Tentar de novo", key="tentar", icon=":material/refresh:")


def _draw(found: Backend) -> None:
    now = datetime.now(UTC)
    database = found.bastao.services.database
    with st.sidebar:
        customers = found.read(demo_customers(found.bastao.services))
        if not customers:
            st.warning("Nenhum cliente para mostrar: diga em config.json quais são (shop.demo_customers).")
            st.stop()
        customer = sidebar.choose_customer(customers)
        thread_id = thread_in_address()
        rows = found.read(conversations_of(database, str(customer.id)))
        sidebar.list_conversations(found, rows, opened=thread_id, now=now)
    visit = Visit(found, customer, thread_id)
    shown = _head(found)
    st.chat_input(
        "Escreva sua mensagem",
        key="mensagem",
        max_chars=found.bastao.services.limits.message_chars,
        on_submit=lambda: say(visit, st.session_state["mensagem"] or ""),
    )
    if shown is not None:
        chat, column = st.columns([1.7, 1], gap="medium")
        beside = column.container(key=shown)
    else:
        chat, beside = st.container(), None
    if thread_id is None:
        with chat:
            _empty(visit)
        return
    conversation.draw(visit, thread_id, chat=chat, beside=beside, now=now)


def _head(found: Backend) -> Panel | None:
    """Draw the title and what must be visible (demo shop, offline model); return where the panel is wanted."""
    services = found.bastao.services
    labels = ["loja de demonstração"]
    if services.models.simulated:
        labels.append(services.models.label)
    marks = "".join(f'<span class="selo">{literal(label)}</span>' for label in labels)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="cabecalho"><h1>{literal(services.shop_name)}</h1>{marks}</div>', width="stretch")
        return _wanted()


def _wanted() -> Panel | None:
    """Offer the panel: open beside the chat, closed where it would be below it.

    Only the browser knows how wide it is: style.css shows one of the two switches, and what it switches.
    """
    words = "Quem responde, por quê e com o quê"
    wide = st.toggle("Bastidores", value=not _on_a_phone(), key="bastidores", help=words)
    narrow = st.toggle("Bastidores", value=False, key="bastidores-estreito", help=words)
    if wide and narrow:
        return "painel-sempre"
    return "painel-largo" if wide else "painel-estreito" if narrow else None


def _on_a_phone() -> bool:
    return "Mobile" in (st.context.headers.get("User-Agent") or "")


def _empty(visit: Visit) -> None:
    first = (visit.customer.name or "").partition(" ")[0]
    st.html(
        f'<div class="vazio"><h2>Olá{literal(f", {first}" if first else "")}. Como podemos ajudar?</h2>'
        "<p>Pergunte sobre entrega, troca, devolução ou cobrança. Cada assunto vai para quem cuida dele, "
        "sem você precisar repetir nada.</p></div>"
    )
    # One id for the whole empty page: a double click, or two of them, sends one message.
    once = st.session_state.setdefault("primeira_mensagem", uuid4().hex)
    for index, text in enumerate(EXAMPLES):
        st.button(text, key=f"exemplo-{index}", on_click=_first, args=(visit, text, once), width="stretch")


def _first(visit: Visit, text: str, message_id: str) -> None:
    if st.session_state.pop("primeira_mensagem", None) == message_id:
        say(visit, text, message_id)
