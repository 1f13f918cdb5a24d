"""Play a case's turns as the graph does: extract, learn, keep a bounded state, and leave the rest to the store."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from evals.integrity_cases import IntegrityCase, Line
from evals.padding import neutral
from evals.questions import last_question
from graph.limits import Limits
from routing.extraction import extract
from routing.facts import Commitment, ExecutedAction, Fact, FactDraft, Hypothesis
from routing.language import detect
from routing.learning import Learned, learn, subject
from routing.model import Language
from routing.package import Turn
from routing.pending import OpenTopic, PendingQuestion, Proposal
from routing.sanitize import clean
from routing.summary import extend_summary

KEPT_ORDERS = 2
RECALLED_AT_MOST, RECALLED_CHARS = 20, 800
BEGIN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ZONE = ZoneInfo("America/Sao_Paulo")


@dataclass(slots=True)
class Store:
    """The facts table of one conversation, with the same answers as `storage.records.facts`."""

    rows: dict[str, Fact] = field(default_factory=dict[str, Fact])

    def save(self, learned: Sequence[Learned]) -> None:
        for each in learned:
            for fact in (*each.added, *each.replaced):
                self.rows[fact.id] = fact

    def subject(self, entities: Sequence[str], *, limit: int) -> list[Fact]:
        standing: dict[tuple[str, str | None, str, str], Fact] = {}
        for fact in self._newest_first():
            if fact.status != "replaced" and (fact.entity is None or fact.entity in entities):
                standing.setdefault((fact.key, fact.entity, fact.value, fact.source), fact)
        return list(standing.values())[:limit]

    def index(self) -> dict[str, int]:
        values = {(fact.key, fact.entity, fact.value) for fact in self.rows.values()}
        keys = sorted(key for key, _, _ in values)
        return {key: keys.count(key) for key in dict.fromkeys(keys)}

    def recall(self, key: str, entity: str | None = None) -> list[Fact]:
        """Return what the `recall` tool would show of a key: its own bounds included."""
        latest: dict[tuple[str | None, str], Fact] = {}
        for fact in self._newest_first():
            if fact.key == key and (entity is None or fact.entity == entity):
                latest.setdefault((fact.entity, fact.value), fact)
        shown: list[Fact] = []
        room = RECALLED_CHARS
        for fact in list(latest.values())[:RECALLED_AT_MOST]:
            room -= sum(len(str(part)) for part in (fact.value, fact.source, fact.status, fact.entity, fact.turn))
            if room < 0:
                break
            shown.append(fact)
        return shown

    def _newest_first(self) -> list[Fact]:
        return sorted(self.rows.values(), key=lambda fact: (-fact.at.timestamp(), -fact.turn, fact.id))


@dataclass(slots=True)
class Held:
    """What state holds when the conversation changes hands, and what lies in the store by then.

    `heard` are the customer's messages as the door stored them, by line.
    """

    language: Language
    at: datetime = BEGIN
    turn: int = 0
    dialogue: list[Turn] = field(default_factory=list[Turn])
    inbox: list[Turn] = field(default_factory=list[Turn])
    summary: str | None = None
    facts: tuple[Fact, ...] = ()
    entities: list[str] = field(default_factory=list[str])
    question: PendingQuestion | None = None
    hypotheses: list[Hypothesis] = field(default_factory=list[Hypothesis])
    commitments: list[Commitment] = field(default_factory=list[Commitment])
    actions: list[ExecutedAction] = field(default_factory=list[ExecutedAction])
    topics: list[OpenTopic] = field(default_factory=list[OpenTopic])
    proposal: Proposal | None = None
    store: Store = field(default_factory=Store)
    unsaved: list[Learned] = field(default_factory=list[Learned])
    heard: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def spoken(self) -> list[Turn]:
        """The dialogue as the package's builder gets it, this turn's messages last."""
        return [*self.dialogue, *self.inbox]


def lines_of(case: IntegrityCase, *, pad: int = 0) -> tuple[Line, ...]:
    """Return the turns up to the boundary, with neutral exchanges before it until there are `pad`."""
    own = case.turns[: case.boundary]
    return (*own, *neutral(max(0, pad - len(own)), language_of(case)))


def language_of(case: IntegrityCase) -> Language:
    """Return the case's language: as declared, else as its customer's words read."""
    if case.lang is not None:
        return case.lang
    said = " ".join(line.text for line in case.turns if line.role == "customer")
    return detect(said, "en")


def play(case: IntegrityCase, *, pad: int = 0, bounds: Limits | None = None) -> Held:
    """Play the turns before the boundary. Each customer message is a turn; `pad` counts all lines."""
    limits = bounds or Limits()
    held = Held(language=language_of(case))
    numbers = count(1)
    for position, line in enumerate(lines_of(case, pad=pad)):
        held.at = BEGIN + timedelta(minutes=position)
        if line.role == "customer":
            _hear(held, line, position, limits, new_id=lambda: f"f-{next(numbers):012d}")
        else:
            _answer(held, line, case)
        _beside(held, case, position, new_id=lambda: f"f-{next(numbers):012d}", limits=limits)
    if not held.inbox:
        _slide(held, limits)
    return held


def _hear(held: Held, line: Line, position: int, limits: Limits, *, new_id: Callable[[], str]) -> None:
    _end_turn(held)
    _slide(held, limits)
    cleaned = clean(line.text, limit=limits.message_chars)
    held.heard[position] = cleaned.text
    held.turn += 1
    held.language = detect(cleaned.text, held.language)
    drafts = extract(
        cleaned.text, turn=held.turn, asked=held.question.text if held.question else None,
        known_products=[fact.value for fact in held.facts if fact.key == "product"],
        today=held.at.astimezone(ZONE).date(), entity=held.entities[0] if held.entities else None,
    )  # fmt: skip
    _widen(held, drafts, limits)
    _learn(held, drafts, source="customer", new_id=new_id, limits=limits)
    held.inbox.append(Turn(role="customer", text=cleaned.text, at=held.at))


def _answer(held: Held, line: Line, case: IntegrityCase) -> None:
    _end_turn(held)
    role = "person" if line.role == "person" else "agent"
    held.dialogue.append(Turn(role=role, text=line.text, at=held.at))
    asked = last_question(line.text) if role == "agent" else None
    by = line.agent or case.change.from_agent or "support"
    held.question = PendingQuestion(by=by, text=asked) if asked else None


def _end_turn(held: Held) -> None:
    """Commit: what was heard joins the dialogue, what was learned joins the store."""
    held.dialogue.extend(held.inbox)
    held.inbox.clear()
    held.store.save(held.unsaved)
    held.unsaved.clear()


def _slide(held: Held, limits: Limits) -> None:
    keep = limits.dialogue_lines
    leaving, held.dialogue = held.dialogue[:-keep], held.dialogue[-keep:]
    if leaving:
        protected = [item.text for item in held.commitments] + [item.receipt for item in held.actions if item.receipt]
        held.summary = extend_summary(held.summary, leaving, protected=protected)


def _widen(held: Held, drafts: Sequence[FactDraft], limits: Limits) -> None:
    named = [draft.entity for draft in drafts if draft.key == "order" and draft.entity]
    fresh = [entity for entity in dict.fromkeys(named) if entity not in held.entities]
    if named:
        held.entities = [*dict.fromkeys([*reversed(named), *held.entities])][: max(KEPT_ORDERS, len(set(named)))]
    if fresh:
        have = {fact.id for fact in held.facts}
        stored = held.store.subject(fresh, limit=limits.subject_facts)
        held.facts = (*held.facts, *(fact for fact in stored if fact.id not in have))


def _learn(held: Held, drafts: Sequence[FactDraft], *, source: str, new_id: Callable[[], str], limits: Limits) -> None:
    learned = learn(held.facts, drafts, source=source, at=held.at, turn=max(held.turn, 1), new_id=new_id)
    held.facts = subject(learned.facts, held.entities, limits.subject_facts)
    held.unsaved.append(learned)


def _beside(held: Held, case: IntegrityCase, position: int, *, new_id: Callable[[], str], limits: Limits) -> None:
    """Add what tools read and the shop's side promised, suspected, did or left open in this turn."""
    at = held.at
    for reading in (item for item in case.readings if item.turn == position):
        draft = FactDraft(key=reading.key, value=reading.value, entity=reading.entity, status="confirmed")
        _learn(held, [draft], source=f"tool:{reading.tool}", new_id=new_id, limits=limits)
    held.commitments += [
        Commitment(id=f"c-{position}-{n}", text=item.text, by="support", at=at, due=item.due, origin=item.origin)
        for n, item in enumerate(case.promises) if item.turn == position
    ]  # fmt: skip
    held.hypotheses += [
        Hypothesis(key=item.key, value=item.value, confidence=item.confidence, author=item.author, at=at)
        for item in case.suspicions if item.turn == position
    ]  # fmt: skip
    held.actions += [
        ExecutedAction(name=item.name, effect_id=f"e-{position}", status="done", at=at, receipt=item.receipt)
        for item in case.actions if item.turn == position
    ]  # fmt: skip
    held.topics += [
        OpenTopic(text=item.text, target=item.target, at=at) for item in case.topics if item.turn == position
    ]
    if (asked := case.asked) is not None and asked.turn == position:
        held.proposal = Proposal(
            id=f"p-{position}", tool=asked.tool, args={}, digest=f"d-{position}", summary=asked.summary,
            proposed_by=asked.by, asked_at=at, expires_at=at + timedelta(minutes=limits.proposal_minutes),
        )  # fmt: skip
