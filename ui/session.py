"""What one browser session holds: who is served and which conversation is open. Both survive a reload in the address."""

from dataclasses import dataclass
from uuid import uuid4

import streamlit as st

from routing.shop import Customer
from routing.text import blank
from ui.bridge import Backend, Run

THREAD, CUSTOMER = "conversa", "cliente"


@dataclass(frozen=True, slots=True)
class Visit:
    """One script run's view of the session. `thread_id` is None until the first message of a conversation."""

    backend: Backend
    customer: Customer
    thread_id: str | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A message that could not be sent, kept for the retry button."""

    text: str
    message_id: str
    words: str


def open_thread(thread_id: str | None) -> None:
    """Make a conversation the open one; None starts a new one with its first message."""
    st.session_state.pop("problema", None)
    st.session_state[THREAD] = thread_id
    if thread_id is None:
        st.query_params.pop(THREAD, None)
    else:
        st.query_params[THREAD] = thread_id


def thread_in_address() -> str | None:
    """Return the conversation that this session has open, or that the address names."""
    if THREAD not in st.session_state:
        st.session_state[THREAD] = st.query_params.get(THREAD)
    return st.session_state[THREAD]


def say(visit: Visit, text: str, message_id: str | None = None) -> None:
    """Send a message in the open conversation, or in a new one. The same id twice is sent once."""
    if blank(text):
        return
    thread_id = visit.thread_id or f"web-{uuid4().hex}"
    open_thread(thread_id)
    st.session_state["envio"] = visit.backend.send(
        thread_id=thread_id, text=text, message_id=message_id or uuid4().hex, customer=visit.customer
    )


def run_to_watch(backend: Backend, thread_id: str) -> Run | None:
    """Return the conversation's running message, or this session's own that ended before anybody watched it."""
    own: Run | None = st.session_state.pop("envio", None)
    return own if own is not None and own.thread_id == thread_id else backend.runs.live(thread_id)


def trouble() -> Trouble | None:
    """Return what went wrong with the last message of this session, if something did."""
    return st.session_state.get("problema")


def note_trouble(found: Trouble) -> None:
    st.session_state["problema"] = found
