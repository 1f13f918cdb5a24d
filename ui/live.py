"""An open conversation is drawn again when another tab, another process or a person wrote in it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import streamlit as st

from ops.live import POLL_S, Mark
from ops.reading import HistoryLine, TurnRow, history, trail
from ops.waiting import Waiting, what_waits
from ui.failures import UNAVAILABLE
from ui.session import Visit

HEARD_S = 0.5
"""How often a page asks its own process for news: no question to the database."""


class State(NamedTuple):
    """What a drawing depends on; with another one it is drawn again."""

    seq: int
    status: str | None
    waits: Waiting


def state_of(lines: Sequence[HistoryLine], turns: Sequence[TurnRow], waits: Waiting) -> State:
    return State(lines[-1].seq if lines else 0, turns[-1].status if turns else None, waits)


def look_again(visit: Visit, state: State, mark: Mark) -> None:
    """Watch for news since `mark`, which was taken before what was drawn was read."""
    feed = visit.backend.feed

    @st.fragment(run_every=HEARD_S if feed.listening else POLL_S)
    def look() -> None:
        nonlocal mark
        if not feed.stale(mark):
            return
        newer = feed.mark(mark.thread_id)
        try:
            changed = _state_now(visit, mark.thread_id) != state
        except UNAVAILABLE:
            return  # the next look may find it; whoever sends something is told at once
        mark = newer
        if changed:
            st.rerun()

    look()


def _state_now(visit: Visit, thread_id: str) -> State:
    read, database = visit.backend.read, visit.backend.bastao.services.database
    lines = read(history(database, thread_id, customer=visit.customer, limit=1))
    waits = read(what_waits(database, thread_id, now=datetime.now(UTC)))
    return state_of(lines, read(trail(database, thread_id, limit=1)), waits)
