"""The router suite: each case decided on the graph's own path, rules first, then a provider and the policy."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import JsonValue

from evals.questions import last_question
from evals.router_cases import RouterCase
from routing.addressing import Member
from routing.decision import Answer, Decision, Exchange, Question, Thresholds
from routing.language import detect
from routing.model import Language
from routing.pending import PendingQuestion
from routing.ports import Decider, ExampleReader, NoProvider
from routing.question import build_question
from routing.respond import respond
from routing.sensing import with_sensed
from routing.sensitive import DEFAULT_TOPICS, SensitiveTopic
from routing.subjects import decide_subjects
from routing.topics import split_clauses
from routing.turn_taking import TurnView, joined, take_turn

_NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Who decides and by which numbers: what the graph gets from its services. `clock` counts seconds."""

    decider: Decider
    members: tuple[Member, ...]
    roles: tuple[tuple[str, str], ...]
    thresholds: Callable[[str], Thresholds]
    clock: Callable[[], float]
    sensitive: tuple[SensitiveTopic, ...] = DEFAULT_TOPICS
    reader: ExampleReader | None = None
    question: Question = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "question", build_question(self.roles))

    @property
    def specialists(self) -> tuple[str, ...]:
        return tuple(member.id for member in self.members)


@dataclass(frozen=True, slots=True)
class Row:
    """One case and what became of it. `others` are the specialists of further subjects; `latency_ms` is the whole decision's."""

    case: RouterCase
    decision: Decision
    others: tuple[str, ...]
    latency_ms: float

    @property
    def right(self) -> bool:
        return self.decision.target in self.case.right_targets

    def as_json(self) -> dict[str, JsonValue]:
        probabilities = self.decision.probabilities
        return {
            "id": self.case.id,
            "kind": self.case.kind,
            "expected": self.case.expected,
            "target": self.decision.target,
            "reason": self.decision.reason,
            "probabilities": None if probabilities is None else {k: round(v, 4) for k, v in probabilities.items()},
            "confidence": None if self.decision.confidence is None else round(self.decision.confidence, 4),
            "right": self.right,
            "latency_ms": round(self.latency_ms, 2),
            "cost_usd": self.decision.cost_usd,
            "topics": list(self.others),
        }


async def play(cases: Sequence[RouterCase], desk: Desk, *, done: Callable[[], object] = lambda: None) -> list[Row]:
    """Decide every case, one after the other: latencies are those of a customer alone. `done` is called after each."""
    rows: list[Row] = []
    for case in cases:
        rows.append(await decide(case, desk))
        done()
    return rows


async def decide(case: RouterCase, desk: Desk) -> Row:
    """Decide one case as graph/nodes/classify.py decides a turn."""
    started = desk.clock()
    view = await with_sensed(view_of(case, desk), desk.reader)
    others: tuple[str, ...] = ()
    if (ruling := take_turn(view)) is not None:
        decision = respond(view)
        others = tuple(mention.target for mention in ruling.others)
    else:
        decision, others = await _ask(case, desk, view)
    return Row(case, decision, others, 1_000 * (desk.clock() - started))


async def _ask(case: RouterCase, desk: Desk, view: TurnView) -> tuple[Decision, tuple[str, ...]]:
    text = joined(view)
    whole, clauses = await asyncio.gather(_answer(case, desk, text), _answers(case, desk, text))
    thresholds = desk.thresholds(whole.provider if whole else "")
    decision, found = decide_subjects(
        view, whole, clauses, thresholds=thresholds, specialists=desk.specialists, at=_NO_TIME
    )
    return decision, tuple(topic.target for topic in found if topic.target)


async def _answers(case: RouterCase, desk: Desk, text: str) -> list[tuple[str, Answer]]:
    clauses = split_clauses(text)
    if len(clauses) < 2:
        return []
    answers = await asyncio.gather(*(_answer(case, desk, clause) for clause in clauses))
    return [(clause, answer) for clause, answer in zip(clauses, answers, strict=True) if answer is not None]


async def _answer(case: RouterCase, desk: Desk, text: str) -> Answer | None:
    try:
        return await desk.decider.decide(text, exchange_of(case), desk.question, thread_id=case.id)
    except NoProvider:
        return None


def view_of(case: RouterCase, desk: Desk) -> TurnView:
    """Return what the rules look at: the case's message after its history."""
    return TurnView(
        messages=(case.message,), roster=desk.members, language=_language(case), sensitive=desk.sensitive,
        current=case.current_agent if case.current_agent in desk.specialists else None, question=_question(case),
    )  # fmt: skip


def exchange_of(case: RouterCase) -> Exchange:
    """Return what a provider may read beside the message: the last exchange, who has the conversation, what was asked."""
    question = _question(case)
    return Exchange(
        last_customer=next((turn.text for turn in reversed(case.history) if turn.role == "customer"), None),
        last_agent=next((turn.text for turn in reversed(case.history) if turn.role == "agent"), None),
        current_agent=case.current_agent,
        pending_question=question.text if question else None,
    )


def _question(case: RouterCase) -> PendingQuestion | None:
    """Return the question that the current specialist's last reply left open."""
    last = case.history[-1] if case.history else None
    if last is None or last.role != "agent" or case.current_agent is None or last.agent != case.current_agent:
        return None
    text = last_question(last.text)
    return PendingQuestion(by=case.current_agent, text=text) if text else None


def _language(case: RouterCase) -> Language:
    language: Language | None = None
    for text in (*(turn.text for turn in case.history if turn.role == "customer"), case.message):
        language = detect(text, language)
    return language or "pt"
