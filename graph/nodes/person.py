"""Call a person: the package into the queue, the customer told first, and no dead end."""

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.calling import call_person, limit_words
from graph.events import PersonCalled
from graph.material import language_of
from graph.services import TurnContext
from graph.state import Json, State
from graph.waiting import ADDED, SOLVED, words_of
from routing.model import Language
from routing.opening import opening_words
from routing.sensitive import approved_text, topic_of
from routing.sentences import say

# Why a conversation ends with a person although nobody asked for one: each has its sentence in `limits`.
LIMIT_CODES = (
    "self_handoff",
    "loop_without_progress",
    "hop_limit",
    "model_calls",
    "tool_repeats",
    "empty_answer",
    "failure",
    "conversation_length",
)


async def person(state: State, runtime: Runtime[TurnContext]) -> State:
    """Queue the conversation with the whole picture and say so in one honest sentence."""
    turn = runtime.context
    code = state.get("stop_code") or "asked_for_human"
    language = language_of(state)
    if code in (SOLVED, ADDED):
        return _drafted(state, await _while_waiting(state, turn, code, language))
    topic = (state.get("ruling") or {}).get("topic")
    called = await call_person(state, turn, code, topic=topic)
    get_stream_writer()(PersonCalled(status="waiting", reason=topic or code, protocol=called.protocol))
    text = _words(state, turn, code, topic, called.protocol, language, known=called.known)
    record: Json = {"from": called.package.from_agent, "to": "person", "reason": topic or code, "detail": None,
                    "facts": [], "package_tokens": 0, "package": called.package.model_dump(mode="json")}  # fmt: skip
    update = _drafted(state, text) | {"called": {"protocol": called.protocol, "reason": topic or code}}
    return update if called.known else update | {"handoffs": [*state.get("handoffs", []), record]}


async def _while_waiting(state: State, turn: TurnContext, code: str, language: Language) -> str:
    """Take the conversation back out of the queue, or add to its item what the customer just said about it."""
    protocol = turn.queue_protocol or ""
    if code == SOLVED and (withdrawn := await turn.desk.withdraw()):
        return say("people.withdrawn", language, protocol=", ".join(withdrawn))
    if turn.queue_item is not None:
        await turn.desk.add(turn.queue_item, words_of(state))
    get_stream_writer()(PersonCalled(status="waiting", reason=turn.queue_reason or code, protocol=protocol))
    return say("people.added", language, protocol=protocol)


def _drafted(state: State, text: str) -> State:
    draft = {"agent": "person", "text": text, "ran_out": None, "fixed": True}
    return {"drafts": [*state.get("drafts", []), draft], "step": "reply"}


def _words(
    state: State, turn: TurnContext, code: str, topic: str | None, protocol: str, language: Language, *, known: bool
) -> str:  # fmt: skip
    when = opening_words(turn.now, turn.services.hours, language)
    if topic is not None:
        approved = approved_text(topic_of(turn.services.sensitive, topic), language)
        return f"{approved} {say('writes.protocol', language, protocol=protocol)}"
    if known:
        return say("people.already_queued", language, protocol=protocol, when=when)
    if code in LIMIT_CODES:
        return limit_words(turn, code, protocol, language, known=False)
    if code == "asked_for_human":
        told = any(f["key"] == "order" for f in state.get("facts", []))
        return say(
            "people.asked_person_known" if told else "people.asked_person", language, protocol=protocol, when=when
        )
    return say("people.queued", language, when=when, protocol=protocol, who=turn.services.shop_name)
