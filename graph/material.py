"""From state and context to what a specialist is told: the briefing's material, its dialogue, a package's content."""

from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from graph.services import TurnContext
from graph.state import State
from routing.briefing import BriefingMaterial, clip
from routing.facts import ExecutedAction, Fact, Hypothesis
from routing.model import Language
from routing.pending import OpenTopic, PendingQuestion, Proposal

Json = dict[str, Any]


def language_of(state: State) -> Language:
    return "en" if state.get("language") == "en" else "pt"


def facts_of(state: State) -> tuple[Fact, ...]:
    return tuple(Fact.model_validate(f) for f in state.get("facts", []))


def hypotheses_of(state: State) -> tuple[Hypothesis, ...]:
    return tuple(Hypothesis.model_validate(h) for h in state.get("hypotheses", []))


def topics_of(state: State) -> tuple[OpenTopic, ...]:
    return tuple(OpenTopic.model_validate(t) for t in state.get("open_topics", []))


def question_of(state: State) -> PendingQuestion | None:
    stored = state.get("question")
    return PendingQuestion.model_validate(stored) if stored else None


def proposal_of(state: State, turn: TurnContext) -> Proposal | None:
    """Return the proposal that waits, unless its time is over."""
    stored = state.get("proposal")
    proposal = Proposal.model_validate(stored) if stored else None
    return proposal if proposal and proposal.expires_at > turn.now else None


def briefing_material(
    state: State, turn: TurnContext, *, from_agent: str | None, from_note: str | None
) -> BriefingMaterial:
    """Return what the specialist may know, each kind in its own field."""
    facts = facts_of(state)
    done = [o for o in state.get("outcomes", []) if o.get("by") == "graph"]
    return BriefingMaterial(
        customer=turn.customer, now=turn.now, zone=turn.services.zone, language=language_of(state), facts=facts,
        entities=state.get("entities", []), index=_index(turn, facts), hypotheses=hypotheses_of(state),
        commitments=turn.commitments, actions=(*turn.actions, *(_action(o, turn) for o in done if o.get("receipt"))),
        question=question_of(state), pending=proposal_of(state, turn), topics=topics_of(state),
        summary=state.get("summary") or None, from_agent=from_agent, from_note=from_note,
        queue=turn.queue_status, queue_protocol=turn.queue_protocol,
    )  # fmt: skip


def _index(turn: TurnContext, shown: tuple[Fact, ...]) -> dict[str, int]:
    """Count what the store holds beyond what is shown."""
    visible: dict[str, int] = {}
    for fact in shown:
        visible[fact.key] = visible.get(fact.key, 0) + 1
    return {key: n - visible.get(key, 0) for key, n in turn.index.items() if n > visible.get(key, 0)}


def _action(outcome: Json, turn: TurnContext) -> ExecutedAction:
    return ExecutedAction(
        name=outcome["name"], effect_id=outcome.get("effect_id") or "", status="done", at=turn.now,
        receipt=outcome["receipt"]["protocol"],
    )  # fmt: skip


def dialogue_messages(state: State, inbox: list[str]) -> list[AnyMessage]:
    """Return the last turns word for word, then this turn. People's words are the shop's side, marked with their author."""
    spoken: list[AnyMessage] = []
    for line in state.get("dialogue", []):
        if line["role"] == "customer":
            spoken.append(HumanMessage(clip(line["text"])))
        elif line["role"] == "person":
            spoken.append(AIMessage(f"[{line.get('author') or 'atendente'}] {clip(line['text'])}"))
        else:
            spoken.append(AIMessage(clip(line["text"])))
    return [*spoken, HumanMessage("\n".join(inbox))]
