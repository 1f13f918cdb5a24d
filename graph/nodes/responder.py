"""Answers that need no specialist: courtesy, out of scope, the one clarifying question, and words about a proposal."""

from langgraph.runtime import Runtime

from graph.material import language_of, proposal_of
from graph.services import TurnContext
from graph.state import Json, State
from routing.clarification import Subject, ask
from routing.decision import CLARIFICATION, COURTESY, Decision
from routing.machine_words import asks_whether_machine
from routing.model import Language
from routing.sentences import say


async def responder(state: State, runtime: Runtime[TurnContext]) -> State:
    """Write the fixed answer of a responder. None of them becomes the current specialist."""
    turn = runtime.context
    decision = Decision.model_validate(state.get("decision"))
    ruling = state.get("ruling") or {}
    language = language_of(state)
    if decision.reason == "pending_confirmation":
        return _about_proposal(state, turn, ruling, language)
    match decision.target:
        case target if target == CLARIFICATION:
            return _clarify(state, turn, decision, ruling, language)
        case target if target == COURTESY:
            return _courtesy(turn, ruling.get("courtesy") or "greeting", language)
        case _:
            return _drafted("out_of_scope", _out_of_scope(state, turn, language)) | {"step": "reply"}


def _out_of_scope(state: State, turn: TurnContext, language: Language) -> str:
    """Say kindly what the shop can do; and to whoever asks whether this is a machine, the truth first."""
    text = say("turns.out_of_scope", language, shop=turn.services.shop_name)
    if not asks_whether_machine(" ".join(state.get("inbox", []))):
        return text
    return f"{say('writes.machine', language, shop=turn.services.shop_name)} {text}"


def _about_proposal(state: State, turn: TurnContext, ruling: Json, language: Language) -> State:
    proposal = proposal_of(state, turn)
    assert proposal is not None
    if ruling.get("answer") == "no":
        text = say("writes.dropped", language, summary=proposal.summary)
        settled = [*state.get("settled", []), {"id": proposal.id, "status": "rejected", "digest": proposal.digest}]
        return _drafted("graph", text) | {
            "proposal": None,
            "proposal_asked": False,
            "settled": settled,
            "step": "reply",
        }
    return _drafted("graph", "") | {"step": "reply"}


def _clarify(state: State, turn: TurnContext, decision: Decision, ruling: Json, language: Language) -> State:
    """Ask one question from the likeliest options, never in the same words twice, or offer a person."""
    asked = state.get("questions_asked", 0)  # in this contact: no wording comes twice
    subjects = [
        Subject(
            spec.id, (spec.topic_en or spec.display_name_en) if language == "en" else (spec.topic or spec.display_name)
        )
        for option in decision.options
        if option in turn.services.roster.ids
        for spec in [turn.services.roster.by_id(option)]
    ]
    question = ask(subjects, asked=asked, language=language, offer_person=decision.detail == "offer_person")
    return _drafted(CLARIFICATION, question.text) | {
        "clarifications": state.get("clarifications", 0) + 1, "questions_asked": asked + 1, "question_now": question.model_dump(mode="json"), "step": "reply"
    }  # fmt: skip


def _courtesy(turn: TurnContext, kind: str, language: Language) -> State:
    text = say(f"turns.{kind}", language, shop=turn.services.shop_name)
    return _drafted(COURTESY, text) | {"courtesy_now": kind, "step": "reply"}


def _drafted(agent: str, text: str) -> State:
    return {"drafts": [{"agent": agent, "text": text, "ran_out": None, "fixed": True}]}
