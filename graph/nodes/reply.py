"""Check what would be said, repair it once, and leave the turn's result for its commit."""

import re
from dataclasses import replace
from typing import Any

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.calling import call_person, limit_words
from graph.checking import Checked, check_reply, plain_reply
from graph.events import Confirmation, PersonCalled, Status
from graph.material import language_of, proposal_of, topics_of
from graph.services import TurnContext, TurnResult
from graph.settling import done_before
from graph.state import State, fresh_turn
from routing.extraction import asked_key
from routing.facts import Fact
from routing.model import Language
from routing.pending import OpenTopic, PendingQuestion, Proposal
from routing.sentences import say
from routing.showable import harmless

Json = dict[str, Any]
_OFFER = re.compile(r"(?:posso|quer|se quiser|i can|shall i|would you|if you like)\b", re.IGNORECASE)


async def reply(state: State, runtime: Runtime[TurnContext]) -> State:
    """Compose the one reply of the turn from its drafts, check it, and end the turn."""
    turn = runtime.context
    ending = state.get("ending", "replied")
    if ending != "replied":
        checked = Checked(text="", violations=())
    else:
        get_stream_writer()(Status(doing="checking"))
        written = "\n\n".join(d["text"] for d in state.get("drafts", []) if d["text"] and not d.get("fixed"))
        written = plain_reply(written, limit=turn.services.limits.reply_chars)
        checked = await check_reply(state, turn, written) if written else Checked(text="", violations=())
        checked = replace(checked, text=await _composed(state, turn, checked.text))
    text, proposal, asked = (
        _with_proposal(state, turn, checked.text) if ending == "replied" else ("", proposal_of(state, turn), False)
    )
    text = harmless(text)  # the customer's own words are in it too, quoted or as what would be done
    if proposal is not None and asked:
        summary = harmless(proposal.summary)
        get_stream_writer()(
            Confirmation(proposal_id=proposal.id, summary=summary, expires_at=proposal.expires_at.isoformat())
        )
    question = _question(state, checked.text, proposal) if ending == "replied" else state.get("question")
    turn.outbox.result = _result(
        state, turn, text=text, checked=checked, proposal=proposal, asked=asked, question=question
    )
    remembered: State = {
        "dialogue": [*state.get("dialogue", []), *state.get("heard", [])],
        "question": question, "proposal": proposal.model_dump(mode="json") if proposal else None,
        "proposal_asked": asked if ending == "replied" else bool(state.get("proposal_asked")),
        "explained_beside": asked and not state.get("proposed_now"), "last_courtesy": state.get("courtesy_now"),
    }  # fmt: skip
    if ending == "replied" and state.get("step") != "responder" and not state.get("question_now"):
        remembered["clarifications"] = state.get("clarifications", 0) if state.get("courtesy_now") else 0
    return {**fresh_turn(), **remembered}


async def _composed(state: State, turn: TurnContext, written: str) -> str:
    """Join what a specialist wrote, as checked, with our own sentences; a limit or an empty draft has its own."""
    language = language_of(state)
    drafts = state.get("drafts", [])
    pieces = [written] if written else []
    pieces.extend(d["text"] for d in drafts if d["text"] and d.get("fixed"))
    for code in dict.fromkeys(d["ran_out"] for d in drafts if d.get("ran_out") and not d["text"]):
        pieces.append(await _limit(state, turn, code, language))
    pieces.extend(_receipts_not_told(state, " ".join(pieces), language))
    pieces.extend(await done_before(turn, " ".join(pieces), language))
    pieces.extend(
        say("turns.next_topic", language, topic=_topic_words(state, turn, t))
        for t in topics_of(state)
        if t.at == turn.now
    )
    if not pieces and not _asks_again(state, turn):
        pieces.append(await _limit(state, turn, "empty_answer", language))
    if state.get("cut"):
        shown = turn.services.limits.message_chars
        pieces.insert(0, say("limits.too_long", language, limit=shown))
    return "\n\n".join(pieces)


def _topic_words(state: State, turn: TurnContext, topic: OpenTopic) -> str:
    """Name a waiting subject in the customer's words; what a model wrote about it is not shown."""
    if any(topic.text in message for message in state.get("inbox", [])):
        return topic.text
    if topic.target not in turn.services.roster.ids or topic.target is None:
        return say("writes.arg_other", language_of(state))
    spec = turn.services.roster.by_id(topic.target)
    return (spec.topic_en or spec.display_name_en) if language_of(state) == "en" else (spec.topic or spec.display_name)


def _receipts_not_told(state: State, text: str, language: Language) -> list[str]:
    """An action that happened is told with its protocol, also when the model forgot."""
    told: list[str] = []
    for outcome in state.get("outcomes", []):
        receipt = outcome.get("receipt")
        if receipt and outcome["outcome"] in ("ok", "repeated") and receipt["protocol"] not in text:
            if not outcome.get("says") and not outcome.get("summary"):
                told.append(say("writes.done_plain", language, protocol=receipt["protocol"]))
                continue
            summary = outcome.get("says") or say(
                "writes.done", language, summary=outcome.get("summary") or outcome["name"], protocol=receipt["protocol"]
            )
            told.append(summary)
    return told


async def _limit(state: State, turn: TurnContext, code: str, language: Language) -> str:
    called = await call_person(state, turn, code)
    get_stream_writer()(PersonCalled(status="waiting", reason=code, protocol=called.protocol))
    return limit_words(turn, code, called.protocol, language, known=called.known)


def _asks_again(state: State, turn: TurnContext) -> bool:
    return proposal_of(state, turn) is not None


def _with_proposal(state: State, turn: TurnContext, text: str) -> tuple[str, Proposal | None, bool]:
    """Ask for exactly the action that waits: in the specialist's words where it did, else in ours."""
    proposal = proposal_of(state, turn)
    if proposal is None:
        return text, None, False
    language = language_of(state)
    if _asks_for(text, proposal):
        return text, proposal, True
    key = "writes.confirm" if state.get("proposed_now") else "writes.confirm_again"
    return f"{text}\n\n{say(key, language, summary=proposal.summary)}".strip(), proposal, True


def _asks_for(text: str, proposal: Proposal) -> bool:
    """Tell whether the reply ends by asking for exactly this action."""
    last = text.rstrip().rsplit("\n", 1)[-1]
    return proposal.summary.casefold() in text.casefold() and last.endswith("?")


def _question(state: State, text: str, proposal: Proposal | None) -> Json | None:
    """Return the last question of what the speaker says (`text`), for the bare answer that may follow.

    What we add to ask for a proposal's yes is no question of the speaker's: else no yes could ever reach the proposal. An
    offer beside it is one, with or without its mark: then a yes is not the proposal's.
    """
    if stored := state.get("question_now"):
        return stored
    drafts = [d for d in state.get("drafts", []) if d["text"]]
    last = re.split(r"(?<=[.!?\n])\s+", text.strip())[-1] if text.strip() else ""
    by = state.get("current")
    asks = last.endswith("?") or (
        proposal is not None and proposal.proposed_by != by and _OFFER.match(last) is not None
    )
    if not asks or not drafts or by is None or drafts[-1]["agent"] not in (by, "graph"):
        return None
    key = asked_key(last)
    expects = "identifier" if key in ("order", "tracking", "cpf", "email", "cep", "phone") else "anything"
    return PendingQuestion(by=by, text=last, expects=expects).model_dump(mode="json")


def _result(
    state: State, turn: TurnContext, *, text: str, checked: Checked, proposal: Proposal | None, asked: bool, question: Json | None
) -> TurnResult:  # fmt: skip
    drafts = state.get("drafts", [])
    ending = state.get("ending", "replied")
    return TurnResult(
        status=ending if ending in ("held", "nothing_due") else "replied", text=text, agent=drafts[-1]["agent"] if drafts else None,
        decision=state.get("decision"), outcomes=tuple(state.get("outcomes", [])), handoffs=tuple(state.get("handoffs", [])),
        facts=tuple(Fact.model_validate(f) for f in state.get("new_facts", [])),
        replaced=tuple(Fact.model_validate(f) for f in state.get("replaced", [])), settled=tuple(state.get("settled", [])),
        proposal=proposal if state.get("proposed_now") else None, proposal_asked=asked, question=question,
        current=state.get("current"), hops=(state.get("leg") or {}).get("hops", 0), language=language_of(state),
        checks=tuple({"sentence": v.sentence, "kind": v.kind} for v in checked.violations),
        cost_usd=state.get("cost_usd", 0.0) + checked.cost_usd, tokens=state.get("tokens", {}),
        open_topics=tuple(state.get("open_topics", [])),
    )  # fmt: skip
