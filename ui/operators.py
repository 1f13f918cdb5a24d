"""The operators' page: what waits for a person, laid out for a human eye, and what a person does about it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from graph.events import Event, Reply
from graph.people import ActionKind, PersonAction
from ops.degraded import degraded, degraded_words
from ops.people import ItemView, QueueEntry, QueueView, item_view, queue_view, signature
from ops.problems import NotPossible
from ops.queue_words import hop_limit_words, not_possible_words, reason_words, waited_words
from settings import load_environment
from ui import cards, item_blocks
from ui.bridge import Backend
from ui.chat import STYLE, backend
from ui.conversation import wording_of
from ui.failures import UNAVAILABLE, explain
from ui.sign_in import operator_of
from ui.words import as_label, literal

OWN_STYLE = Path(__file__).parent / "operators.css"
ITEM = "item"
POLL_S = 5.0
TURN_TIMEOUT_S = 90.0
_URGENT = 70


def page() -> None:
    """Draw the page for whoever is signed in."""
    st.html(STYLE)
    st.html(OWN_STYLE)
    try:
        found = backend()
        operator = operator_of(found, load_environment())
        if operator is not None:
            _draw(found, operator)
    except UNAVAILABLE as problem:
        explain(problem)
        st.button("Tentar de novo", key="tentar", icon=":material/refresh:")


def _draw(found: Backend, operator: str) -> None:
    database, now = found.bastao.services.database, datetime.now(UTC)
    view = found.read(queue_view(database, operator=operator, now=now))
    st.html('<div class="cabecalho"><h1>Fila de atendimento</h1></div>')
    if view.hop_limits is not None:
        cards.failure(hop_limit_words(view.hop_limits, wording_of(found).name))
    if (trouble := found.read(degraded(database, now=now))) is not None:
        st.html(f'<div class="degradado" role="status">{literal(degraded_words(trouble))}</div>')
    listed, opened = st.columns([1, 2.2], gap="medium")
    chosen = _chosen(view)
    with listed:
        _list(view, chosen, operator)
    with opened:
        item = found.read(item_view(database, chosen, operator=operator, now=now)) if chosen else None
        if item is not None:
            _open(found, item, operator, now)
        elif not view.entries:
            st.html('<div class="vazio"><h2>Ninguém na fila</h2><p>Quando o bot chamar uma pessoa, o caso aparece aqui.</p></div>')  # fmt: skip
        else:
            st.caption("Escolha um item da fila.")
    _look_again(found)


def _chosen(view: QueueView) -> str | None:
    """Return the open item: the address's, which may be over by now, else the first of the queue."""
    if (named := st.query_params.get(ITEM)) is not None:
        return named
    return view.entries[0].id if view.entries else None


def _list(view: QueueView, chosen: str | None, operator: str) -> None:
    waiting = sum(entry.status == "waiting" for entry in view.entries)
    st.caption(f"{waiting} esperando, {len(view.entries) - waiting} em atendimento")
    for entry in view.entries:
        st.button(
            f"**{as_label(entry.protocol)}** {as_label(reason_words(entry))}",
            key=f"item-{entry.id}",
            type="primary" if entry.id == chosen else "secondary",
            width="stretch",
            on_click=_choose,
            args=(entry.id,),
        )
        urgent = " urgente" if entry.priority >= _URGENT else ""
        st.html(f'<div class="item-linha{urgent}">{literal(_line(entry, operator))}</div>')


def _line(entry: QueueEntry, operator: str) -> str:
    who = "com você" if entry.operator == operator else f"com {entry.operator}" if entry.operator else "esperando"
    urgent = "urgente · " if entry.priority >= _URGENT else ""
    return f"{urgent}{who} · {waited_words(entry.waited_s)}"


def _choose(item_id: str | None) -> None:
    if item_id is None:
        st.query_params.pop(ITEM, None)
    else:
        st.query_params[ITEM] = item_id


def _open(found: Backend, item: ItemView, operator: str, now: datetime) -> None:
    """Draw one item: what it is about, the package, the conversation, and what can be done."""
    wording, zone = wording_of(found), found.bastao.services.zone
    look = item_blocks.Look(name=wording.name, now=now, zone=zone)
    item_blocks.head(item, look)
    if problem := st.session_state.pop("impedimento", None):
        cards.failure(problem)
    _actions(found, item, operator)
    item_blocks.conflicts(item)
    item_blocks.blocks(item, look)
    item_blocks.beside(item, look)
    item_blocks.discarded(item, look)
    with st.container(key="conversa"):
        item_blocks.dialogue(item, look)
    _reply_box(found, item, operator)


def _actions(found: Backend, item: ItemView, operator: str) -> None:
    """Offer what fits the item: nobody is offered what the door would refuse."""
    entry = item.entry
    if entry.status in ("resolved", "withdrawn"):
        cards.note("Este item já foi encerrado.")
        return
    if entry.status == "claimed" and entry.operator != operator:
        cards.banner(f"{entry.operator} está com este item.")
        return
    if item.decision is not None:
        cards.confirmation(item.decision.summary)
    with st.container(horizontal=True):
        for kind, label, icon in _offered(item):
            st.button(
                label, key=f"{kind}-{entry.id}", icon=icon, type="primary" if kind in ("claim", "approve") else "secondary",
                on_click=_act, args=(found, item, operator, kind),
            )  # fmt: skip


def _offered(item: ItemView) -> Sequence[tuple[ActionKind, str, str]]:
    mine = item.entry.status == "claimed"
    offered: list[tuple[ActionKind, str, str]] = []
    if item.decision is not None:
        offered.append(("approve", "Aprovar", ":material/check:"))
        offered.append(("reject", "Recusar", ":material/close:"))
    if not mine:
        offered.append(("claim", "Assumir", ":material/back_hand:"))
    elif item.held_by == item.entry.operator:
        offered.append(("hand_back", "Devolver ao bot", ":material/undo:"))
    if item.in_doubt:
        offered.append(("happened", "Foi registrado", ":material/check:"))
        offered.append(("did_not_happen", "Não foi registrado", ":material/close:"))
    elif item.decision is None:
        offered.append(("resolve", "Resolvido", ":material/task_alt:"))
    return offered


def _reply_box(found: Backend, item: ItemView, operator: str) -> None:
    """Take a reply to the customer, or a note for colleagues. Replying takes the word; the bot falls silent."""
    entry = item.entry
    free = entry.status == "waiting" or (entry.status == "claimed" and entry.operator == operator)
    if free and item.held_by in (None, operator):
        with st.form(f"resposta-{entry.id}", clear_on_submit=True):
            st.text_area("Resposta ao cliente", key=f"texto-{entry.id}", max_chars=_longest(found))
            st.form_submit_button("Enviar resposta", type="primary", on_click=_say, args=(found, item, operator, "reply", "texto"))  # fmt: skip
    with st.form(f"anotar-{entry.id}", clear_on_submit=True):
        st.text_input("Nota interna", key=f"nota-{entry.id}", max_chars=_longest(found), help="O cliente não vê.")
        st.form_submit_button("Anotar", on_click=_say, args=(found, item, operator, "note", "nota"))


def _longest(found: Backend) -> int:
    return found.bastao.services.limits.message_chars


def _say(found: Backend, item: ItemView, operator: str, kind: ActionKind, box: str) -> None:
    _act(found, item, operator, kind, st.session_state.get(f"{box}-{item.entry.id}") or "")


def _act(found: Backend, item: ItemView, operator: str, kind: ActionKind, text: str | None = None) -> None:
    """Carry out an action; what stands in its way is shown in place of a result."""
    action = PersonAction(kind=kind, item_id=item.entry.id, text=text)
    thread_id = item.entry.thread_id

    async def acting() -> list[Event]:
        stream = found.bastao.conversation.person(thread_id or "", action, operator=operator)
        return [event async for event in stream]

    try:
        events = found.loop.run(acting(), TURN_TIMEOUT_S)
    except NotPossible as problem:
        st.session_state["impedimento"] = not_possible_words(problem)
        return
    except UNAVAILABLE as problem:
        st.session_state["impedimento"] = f"Não foi feito: {type(problem).__name__}. Tente de novo em instantes."
        return
    if replies := [event for event in events if isinstance(event, Reply)]:
        st.toast(f"O cliente foi avisado: {as_label(replies[-1].text)}")
    if kind in ("hand_back", "resolve", "approve", "reject", "happened", "did_not_happen"):
        _choose(None)


def _look_again(found: Backend) -> None:
    """Draw again when the queue or the providers' condition changed; what is being typed stays."""
    database = found.bastao.services.database

    def condition() -> tuple[object, bool]:
        return found.read(signature(database)), found.read(degraded(database, now=datetime.now(UTC))) is None

    known = condition()

    @st.fragment(run_every=POLL_S)
    def look() -> None:
        try:
            changed = condition() != known
        except UNAVAILABLE:
            return
        if changed:
            st.rerun()

    look()
