"""An open conversation: what was said, what is happening, and what waits for the customer."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ops.conversations import may_see
from ops.problems import BadId
from ops.reading import HistoryLine, PackageRow, TurnRow, history, trail, transfers
from ops.turn_view import TurnView, after, handoff_of_package, view_of_row
from ops.waiting import Waiting, what_waits
from ops.words import person_words, working_words
from ui import cards, panel
from ui.bridge import Backend, Run
from ui.failures import SENDING, words_of
from ui.live import look_again, state_of
from ui.session import Trouble, Visit, note_trouble, open_thread, run_to_watch, say, trouble
from ui.words import clock_words


def draw(visit: Visit, thread_id: str, *, chat: DeltaGenerator, beside: DeltaGenerator | None, now: datetime) -> None:
    """Draw a conversation; while a turn runs, watch it to its end and draw again."""
    backend, database = visit.backend, visit.backend.bastao.services.database
    mark = backend.feed.mark(thread_id)
    run = run_to_watch(backend, thread_id)
    if not _may_see(visit, thread_id):
        open_thread(None)
        st.rerun()
    lines = backend.read(history(database, thread_id, customer=visit.customer))
    turns = backend.read(trail(database, thread_id))
    passed = backend.read(transfers(database, thread_id))
    waits = backend.read(what_waits(database, thread_id, now=now))
    wording = wording_of(backend)
    with chat:
        _said(visit, lines, turns, passed, wording, now)
    slot = _beside(beside, thread_id, turns, passed, wording, live=run is not None)
    with chat:
        if run is not None:
            if all(line.message_id != run.message_id for line in lines):
                cards.bubble(role="customer", who="Você", text=run.text)
            _watch(visit, run, slot, wording)
        else:
            _open_ends(visit, thread_id, lines, turns, waits)
            look_again(visit, state_of(lines, turns, waits), mark)


def _may_see(visit: Visit, thread_id: str) -> bool:
    """Nothing of another's is read, also where the address names it."""
    try:
        return visit.backend.read(may_see(visit.backend.bastao.services, thread_id, visit.customer))
    except BadId:
        return False


def wording_of(backend: Backend) -> panel.Wording:
    """Return how this roster's ids and declared reasons read."""
    services = backend.bastao.services
    specs = services.roster.specs
    explained = {reason: words for spec in specs for reason, words in spec.reasons.items()}
    return panel.Wording({spec.id: spec.display_name for spec in specs}, explained)


def _said(
    visit: Visit,
    lines: Sequence[HistoryLine],
    turns: Sequence[TurnRow],
    passed: Sequence[PackageRow],
    wording: panel.Wording,
    now: datetime,
) -> None:
    zone = visit.backend.bastao.services.zone
    transfers: dict[str, list[PackageRow]] = {}
    for package in passed:
        if package.from_agent is not None:
            transfers.setdefault(package.turn_id, []).append(package)
    stopped = _stopped(lines, turns)
    for line in lines:
        if line.role != "customer" and line.turn_id:
            for package in transfers.pop(line.turn_id, ()):
                cards.transfer(handoff_of_package(package, wording.name), wording.name(str(package.from_agent)))
        cards.bubble(
            role=line.role,
            who=_who(line, wording),
            text=line.text,
            when=clock_words(line.at, now=now, zone=zone),
        )
        if line is stopped:
            cards.note("Resposta interrompida")


def _stopped(lines: Sequence[HistoryLine], turns: Sequence[TurnRow]) -> HistoryLine | None:
    """Return the message whose answer was stopped last. It was given back: it belongs to no turn until the next one takes it."""
    if not turns or turns[-1].status != "interrupted":
        return None
    began = turns[-1].started_at
    asked = [line for line in lines if line.role == "customer" and line.at <= began]
    return asked[-1] if asked and asked[-1].turn_id in (None, turns[-1].id) else None


def _who(line: HistoryLine, wording: panel.Wording) -> str:
    if line.role == "customer":
        return "Você"
    if line.role == "operator":
        return f"{line.author or 'Atendimento'} (pessoa)"
    return wording.speaker(line.agent)


def _beside(
    beside: DeltaGenerator | None,
    thread_id: str,
    turns: Sequence[TurnRow],
    passed: Sequence[PackageRow],
    wording: panel.Wording,
    *,
    live: bool,
) -> DeltaGenerator | None:
    """Draw the panel for a chosen turn, the latest by itself; return the place for a running one."""
    if beside is None:
        return None
    with beside, st.container(key="painel"):
        if live:
            return st.empty()
        if not turns:
            st.caption("Depois da primeira resposta, aqui aparece como ela foi decidida.")
            return None
        chosen = turns[-1]
        if len(turns) > 1:
            by_number = {turn.number: turn for turn in turns}
            number = st.selectbox(
                "Turno",
                sorted(by_number, reverse=True),
                key=f"turno-{thread_id}-{len(turns)}",
                format_func=lambda n: f"Turno {n}" + (" (último)" if n == turns[-1].number else ""),
                label_visibility="collapsed",
            )
            chosen = by_number[number]
        panel.draw_turn(view_of_row(chosen, passed, thread_id=thread_id, name=wording.name), wording)
    return None


def _watch(visit: Visit, run: Run, slot: DeltaGenerator | None, wording: panel.Wording) -> None:
    """Follow a run to its end. Leaving this function by a rerun or a closed browser leaves the turn running."""
    view = TurnView(thread_id=run.thread_id, message=run.text)
    live = st.empty()
    st.button(
        "Parar",
        key="parar",
        icon=":material/stop_circle:",
        type="tertiary",
        on_click=visit.backend.stop,
        args=(run.thread_id,),
    )
    _draw_live(live, view, wording)
    try:
        for event in run.watch():
            if event is None:
                _draw_live(live, view, wording)  # Streamlit can end or rerun the script here
                continue
            view = after(view, event)
            _draw_live(live, view, wording)
            if slot is not None and event.type in ("decision", "handoff", "tool", "done"):
                with slot.container():
                    panel.draw_turn(view, wording)
    except SENDING as problem:
        note_trouble(Trouble(run.text, run.message_id, words_of(problem)))
    st.rerun()


def _draw_live(place: DeltaGenerator, view: TurnView, wording: panel.Wording) -> None:
    with place.container():
        for handoff in view.handoffs:
            if handoff.from_agent is not None:
                cards.transfer(handoff, wording.name(handoff.from_agent))
        if view.text:
            who = (
                view.reply.label if view.reply and view.reply.label else wording.name(view.agent) if view.agent else ""
            )
            cards.bubble(role="agent", who=who, text=view.text)
        elif not view.status:
            waiting = "Mensagem recebida, respondendo junto com a anterior…" if view.queued else "Recebido…"
            cards.working(working_words(view.working, wording.name) if view.working else waiting)


def _open_ends(
    visit: Visit, thread_id: str, lines: Sequence[HistoryLine], turns: Sequence[TurnRow], waits: Waiting
) -> None:
    """Draw what the conversation waits for: a yes, a person, another try."""
    if waits.person is not None:
        cards.banner(person_words(waits.person))
    if waits.confirmation is not None:
        cards.confirmation(waits.confirmation.summary)
        asked = waits.confirmation.proposal_id
        with st.container(horizontal=True):
            # The id ties the answer to the proposal: a second click is the same message.
            st.button("Sim", key=f"sim-{asked}", type="primary", on_click=say, args=(visit, "sim", f"{asked}-sim"))
            st.button("Não", key=f"nao-{asked}", on_click=say, args=(visit, "não", f"{asked}-nao"))
    problem = trouble()
    last = turns[-1] if turns else None
    if problem is not None:
        if all(line.message_id != problem.message_id for line in lines):
            cards.bubble(role="customer", who="Você", text=problem.text, when="não enviada")
        cards.failure(problem.words)
        _retry(visit, problem.text, problem.message_id)
    elif last is not None and last.status == "failed":
        said = [line for line in lines if line.role == "customer" and line.turn_id == last.id]
        cards.failure("Não consegui concluir a resposta a esta mensagem.", last.error_protocol)
        if said:
            _retry(visit, said[-1].text, said[-1].message_id)


def _retry(visit: Visit, text: str, message_id: str) -> None:
    """Offer the same message again, under the same id: it cannot be answered twice."""
    st.button(
        "Tentar de novo", key="tentar-de-novo", icon=":material/refresh:", on_click=say, args=(visit, text, message_id)
    )
