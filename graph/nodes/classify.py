"""Answer the one question of a turn: who should speak now?"""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.events import Decided, Status
from graph.lengths import too_long
from graph.material import language_of, proposal_of, question_of, topics_of
from graph.services import TurnContext
from graph.state import State
from graph.traced import deciding
from graph.waiting import about_the_item, for_the_person, solved, words_of
from routing.courtesy import Courtesy
from routing.decision import CLARIFICATION, COURTESY, OUT_OF_SCOPE, PERSON, Answer, Decision, Exchange
from routing.pending import OpenTopic
from routing.people_words import asks_person
from routing.ports import NoProvider
from routing.question import build_question
from routing.respond import decision_of
from routing.sensing import with_sensed
from routing.subjects import decide_subjects
from routing.termination import Leg, Stop, router_switch
from routing.topics import split_clauses
from routing.turn_taking import Member, Ruling, TurnView, joined, take_turn

Json = dict[str, Any]


async def classify(state: State, runtime: Runtime[TurnContext]) -> State:
    """Let the rules decide, else a provider and the policy; note second subjects; find the next step."""
    turn = runtime.context
    if turn.action is not None:
        return {"step": "approve"}
    writer = get_stream_writer()
    writer(Status(doing="deciding"))
    view = await with_sensed(turn_view(state, turn), turn.services.reader)
    ruling = take_turn(view)
    if (over := solved(turn, view, ruling)) is not None:
        ruling, decision, topics = None, over, ()
    elif (full := too_long(state, turn, ruling)) is not None:
        ruling, decision, topics = None, full, ()
    elif ruling is not None:
        decision, topics = decision_of(ruling), _mentioned(ruling, turn)
    else:
        decision, topics = await _decide(state, turn, view)
    decision = for_the_person(turn, decision, view.current)
    if about_the_item(turn, decision) and turn.queue_item is not None:
        await turn.desk.add(turn.queue_item, words_of(state))
    writer(Decided(decision=decision))
    update: State = {
        "ruling": _plain(ruling),
        "decision": decision.model_dump(mode="json"),
        "open_topics": [t.model_dump(mode="json") for t in _merged(state, decision, topics, turn)],
    }
    return update | _next(state, turn, decision, ruling)


def turn_view(state: State, turn: TurnContext) -> TurnView:
    """Return what the rules of turn-taking look at."""
    waiting = topics_of(state)
    return TurnView(
        messages=tuple(state.get("inbox", [])), roster=members(turn), language=language_of(state), held=turn.held,
        current=_current(state, turn), question=question_of(state), proposal=proposal_of(state, turn),
        proposal_asked_last=bool(state.get("proposal_asked")), explained_beside=bool(state.get("explained_beside")),
        override=turn.override, sensitive=turn.services.sensitive, open_topic=waiting[0] if waiting else None,
        last_courtesy=cast("Courtesy | None", state.get("last_courtesy")), clarifications=state.get("clarifications", 0),
    )  # fmt: skip


def members(turn: TurnContext) -> tuple[Member, ...]:
    return tuple(
        Member(spec.id, names=(spec.display_name, spec.display_name_en), aliases=spec.aliases)
        for spec in turn.services.roster.specs
    )


def _current(state: State, turn: TurnContext) -> str | None:
    """The current specialist, unless a release removed it from the roster."""
    current = state.get("current")
    return current if current in turn.services.roster.ids else None


async def _decide(state: State, turn: TurnContext, view: TurnView) -> tuple[Decision, tuple[OpenTopic, ...]]:
    services = turn.services
    text = joined(view)
    whole, clauses = await asyncio.gather(_ask(state, turn, text), _ask_clauses(state, turn, text))
    thresholds = services.thresholds(whole.provider, whole.calibrated) if whole else services.thresholds("")
    return decide_subjects(view, whole, clauses, thresholds=thresholds, specialists=services.roster.ids, at=turn.now)


async def _ask_clauses(state: State, turn: TurnContext, text: str) -> list[tuple[str, Answer]]:
    clauses = split_clauses(text)
    if len(clauses) < 2:
        return []
    answers = await asyncio.gather(*(_ask(state, turn, clause) for clause in clauses))
    return [(clause, answer) for clause, answer in zip(clauses, answers, strict=True) if answer is not None]


async def _ask(state: State, turn: TurnContext, text: str) -> Answer | None:
    """Ask the provider chain; None when nobody could answer."""
    services = turn.services
    question = build_question([(spec.id, spec.role) for spec in services.roster.specs])
    try:
        with deciding(services.tracing) as told:
            return told(
                await services.decider.decide(text, exchange_of(state, turn), question, thread_id=turn.thread_id)
            )
    except NoProvider:
        return None


def exchange_of(state: State, turn: TurnContext) -> Exchange:
    """Return the last whole exchange and what else a provider may read beside the message."""
    dialogue = _about_a_subject(state.get("dialogue", []))
    agent = next((x["text"] for x in reversed(dialogue) if x["role"] != "customer"), None)
    customer = next((x["text"] for x in reversed(dialogue) if x["role"] == "customer"), None)
    question = question_of(state)
    return Exchange(
        last_customer=customer, last_agent=agent, earlier=state.get("summary") or None, current_agent=_current(state, turn),
        pending_question=question.text if question else None,
    )  # fmt: skip


def _about_a_subject(dialogue: Sequence[Json]) -> list[Json]:
    """Leave out what says nothing about the subject and blurs the next decision: our notices, and where a person was called.

    With the latter goes the customer's wish for one.
    """
    kept: list[Json] = []
    for line in dialogue:
        called = line["role"] == "agent" and line.get("author") == PERSON
        notice = line["role"] == "agent" and line.get("author") is None
        if called and kept and asks_person(kept[-1]["text"]):
            kept.pop()
        elif not (called or notice):
            kept.append(line)
    return kept


def _mentioned(ruling: Ruling, turn: TurnContext) -> tuple[OpenTopic, ...]:
    return tuple(OpenTopic(text=m.text, target=m.target, at=turn.now) for m in ruling.others)


def _merged(state: State, decision: Decision, new: Sequence[OpenTopic], turn: TurnContext) -> list[OpenTopic]:
    """Topics that wait, oldest first; the one that is being taken now leaves the list."""
    waiting = list(topics_of(state))
    if decision.reason == "open_topic" and waiting:
        waiting = waiting[1:]
    known = {t.text for t in waiting}
    return [*waiting, *(t for t in new if t.text not in known and t.target != decision.target)][
        : turn.services.limits.topics
    ]


def _plain(ruling: Ruling | None) -> Json | None:
    if ruling is None:
        return None
    return {
        "target": ruling.target, "reason": ruling.reason, "answer": ruling.answer, "choice": ruling.choice, "topic": ruling.topic,
        "courtesy": ruling.courtesy, "nothing_due": ruling.nothing_due,
    }  # fmt: skip


def _next(state: State, turn: TurnContext, decision: Decision, ruling: Ruling | None) -> State:
    """Find the next step. A router's switch to a specialist that declined is a hop, and passes the termination rules."""
    if decision.reason == "held_by_human":
        return {"step": "reply", "ending": "held"}
    if ruling is not None and ruling.nothing_due:
        return {"step": "reply", "ending": "nothing_due"}
    if decision.reason == "pending_confirmation" and ruling is not None and ruling.answer != "amended":
        return {"step": "confirm" if ruling.answer == "yes" else "responder"}
    if decision.target == PERSON:
        return {
            "step": "person",
            "stop_code": decision.detail if decision.reason == "waiting_person" else decision.reason,
        }
    if decision.target in (CLARIFICATION, COURTESY, OUT_OF_SCOPE):
        return {"step": "responder"}
    return to_specialist(state, turn, decision.target, decision.reason, decision.detail)


def to_specialist(state: State, turn: TurnContext, target: str, reason: str, detail: str | None) -> State:
    """Go to a specialist: itself when it already speaks, by a hand-off otherwise, or to a person when it would circle."""
    current = _current(state, turn)
    stored = state.get("leg")
    verdict = router_switch(
        Leg.model_validate(stored) if stored else None, current=current, destination=target,
        known_facts=state.get("progress", 0), max_hops=turn.services.limits.max_hops, new_id=turn.services.new_id("leg"),
    )  # fmt: skip
    if isinstance(verdict, Stop):
        return {"step": "person", "stop_code": verdict.code, "leg": verdict.leg.model_dump(mode="json")}
    if target == current:
        return {"step": target, "speaker": target, "leg": verdict.leg.model_dump(mode="json")}
    return {
        "step": "hand_off", "speaker": target, "previous": current, "why": {"reason": reason, "detail": detail, "hop": verdict.hop},
        "leg": verdict.leg.model_dump(mode="json"),
        "leg_words": state.get("leg_words", []) if verdict.hop else state.get("inbox", []),
    }  # fmt: skip
