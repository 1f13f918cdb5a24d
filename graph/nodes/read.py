"""Read what is new since the checkpoint: people's words into the dialogue, and what the customer gave into facts."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from langgraph.runtime import Runtime

from graph.services import TurnContext
from graph.state import State, fresh_turn
from routing.extraction import attachment_draft, extract
from routing.facts import Fact, FactDraft
from routing.language import detect
from routing.learning import Learned, learn, material, subject
from routing.model import Language
from routing.package import Turn
from routing.summary import extend_summary
from storage.records import facts as fact_rows
from storage.records import messages
from storage.records.messages import Message

Json = dict[str, Any]
KEPT_ORDERS = 2
"""What the subject keeps in full beside what a turn names or reads; the rest stays in the store and in the index."""


async def read(state: State, runtime: Runtime[TurnContext]) -> State:
    """Bring the dialogue, the language, the facts and the subject up to date."""
    turn = runtime.context
    async with turn.services.database.connection() as conn:
        new, read_to = _due(await messages.newer_than(conn, turn.thread_id, state.get("read_to", 0)), state)
    inbox = [m for m in new if m.role == "customer" and m.turn_id == turn.turn_id]
    language = _language(state, inbox, turn)
    window, summary = _dialogue(state, new, turn)
    gleaned = await _glean(state, [m for m in new if m.role == "customer"], turn)
    operator_spoke = any(m.role == "operator" for m in new)
    return {
        **fresh_turn(),
        **_new_contact(state, turn),
        "read_to": read_to,
        "turn": turn.number,
        "inbox": [m.text for m in inbox],
        "heard": [_line(m) for m in inbox],
        "cut": any(part.get("cut") for m in inbox for part in m.parts),
        "language": language,
        "dialogue": window,
        "summary": summary,
        "progress": state.get("progress", 0) + material(gleaned.added) + int(operator_spoke),
        "facts": [f.model_dump(mode="json") for f in gleaned.facts],
        "entities": gleaned.entities,
        "new_facts": [f.model_dump(mode="json") for f in (*gleaned.added, *gleaned.updated)],
        "replaced": [f.model_dump(mode="json") for f in gleaned.replaced],
        "leg_words": [*state.get("leg_words", []), *(m.text for m in inbox)][-20:],
    }


def _new_contact(state: State, turn: TurnContext) -> State:
    """What ends with a contact: the specialist, the leg, what was asked and proposed. Facts and promises do not."""
    if state.get("contact_id") == turn.contact_id:
        return {}
    return {
        "contact_id": turn.contact_id, "current": None, "leg": None, "question": None, "proposal": None, "proposal_asked": False,
        "clarifications": 0, "questions_asked": 0, "last_courtesy": None, "explained_beside": False, "refusals": [], "open_topics": state.get("open_topics", []),
    }  # fmt: skip


def _due(found: Sequence[Message], state: State) -> tuple[list[Message], int]:
    """Return what this turn reads, and up to where everything was read.

    A message that arrived after the turn began belongs to the next one: it is left unread, and so is the mark before it.
    """
    known = {line.get("id") for line in state.get("dialogue", [])}
    waiting = [m.seq for m in found if m.role == "customer" and m.turn_id is None]
    due = [m for m in found if m.seq not in waiting and m.message_id not in known]
    last = max((m.seq for m in found), default=state.get("read_to", 0))
    return due, min(waiting) - 1 if waiting else last


def _language(state: State, inbox: Sequence[Message], turn: TurnContext) -> Language:
    known = state.get("language")
    current: Language | None = "en" if known == "en" else "pt" if known else None
    for message in inbox:
        current = detect(message.text, current)
    return current or "pt"


def _dialogue(state: State, new: Sequence[Message], turn: TurnContext) -> tuple[list[Json], str]:
    """Return the bounded window without this turn's own messages, and the summary of what left it."""
    spoken = [_line(m) for m in new if m.turn_id != turn.turn_id or m.role != "customer"]
    lines = [*state.get("dialogue", []), *spoken]
    keep = turn.services.limits.dialogue_lines
    leaving, window = lines[:-keep] if len(lines) > keep else [], lines[-keep:]
    if not leaving:
        return window, state.get("summary", "")
    protected = [c.text for c in turn.commitments] + [a.receipt for a in turn.actions if a.receipt]
    return window, extend_summary(
        state.get("summary") or None, [as_turn(x) for x in leaving], protected=protected
    ) or ""


def _line(message: Message) -> Json:
    role = {"customer": "customer", "operator": "person"}.get(message.role, "agent")
    return {
        "id": message.message_id,
        "role": role,
        "author": message.author,
        "text": message.text,
        "at": message.at.isoformat(),
    }


def as_turn(line: Json) -> Turn:
    """Return a dialogue line as a package's turn."""
    return Turn.model_validate({"role": line["role"], "text": line["text"], "at": line["at"]})


class _Gleaned:
    """What reading learned: active facts of the subject, what was added and replaced, and the subject's entities."""

    def __init__(self, facts: tuple[Fact, ...], entities: list[str]) -> None:
        self.facts, self.entities = facts, entities
        self.added: list[Fact] = []
        self.updated: list[Fact] = []
        self.replaced: list[Fact] = []

    def take(self, learned: Learned) -> None:
        self.facts = learned.facts
        self.added.extend(learned.added)
        self.updated.extend(learned.updated)
        self.replaced.extend(learned.replaced)


async def _glean(state: State, spoken: Sequence[Message], turn: TurnContext) -> _Gleaned:
    known = tuple(Fact.model_validate(f) for f in state.get("facts", []))
    gleaned = _Gleaned(known, list(state.get("entities", [])))
    asked = (state.get("question") or {}).get("text")
    for message in spoken:
        products = [f.value for f in gleaned.facts if f.key == "product"]
        entity = gleaned.entities[0] if gleaned.entities else None
        drafts = [
            *extract(message.text, turn=turn.number, asked=asked, known_products=products,
                     today=turn.now.astimezone(turn.services.zone).date(), entity=entity),
            *(attachment_draft(p["type"], p.get("ref") or p.get("name") or "") for p in message.parts if p.get("type") not in ("text", "button")),
        ]  # fmt: skip
        await _widen(gleaned, drafts, turn)
        gleaned.take(
            learn(
                gleaned.facts,
                drafts,
                source="customer",
                at=message.at,
                turn=turn.number,
                new_id=lambda: f"f-{uuid4().hex[:12]}",
            )
        )
        asked = None
    gleaned.facts = subject(gleaned.facts, gleaned.entities, turn.services.limits.subject_facts)
    return gleaned


async def _widen(gleaned: _Gleaned, drafts: Sequence[FactDraft], turn: TurnContext) -> None:
    """Move the subject to the orders that were just named, and fetch what the store knows of them."""
    named = [d.entity for d in drafts if d.key == "order" and d.entity]
    fresh = [e for e in dict.fromkeys(named) if e not in gleaned.entities]
    if named:
        gleaned.entities = [*dict.fromkeys([*reversed(named), *gleaned.entities])][: max(KEPT_ORDERS, len(set(named)))]
    if not fresh:
        return
    async with turn.services.database.connection() as conn:
        stored = await fact_rows.subject(conn, turn.thread_id, entities=fresh, customer_id=turn.customer.id)
    have = {f.id for f in gleaned.facts}
    gleaned.facts = (*gleaned.facts, *(f for f in stored if f.id not in have))
