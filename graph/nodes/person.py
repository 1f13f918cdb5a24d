"""Call a person: the package into the queue, the customer told first, and no dead end."""

from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from graph.events import PersonCalled
from graph.handoff import package_of
from graph.material import language_of
from graph.services import TurnContext
from graph.state import Json, State
from routing.calendar import is_open, next_opening
from routing.model import Language
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
)


async def person(state: State, runtime: Runtime[TurnContext]) -> State:
    """Queue the conversation with the whole picture and say so in one honest sentence."""
    turn = runtime.context
    code = state.get("stop_code") or "asked_for_human"
    topic = (state.get("ruling") or {}).get("topic")
    language = language_of(state)
    package = package_of(state, turn, to_agent="person", reason=topic or code, detail=None)
    known = turn.queue_protocol is not None and turn.queue_reason == (topic or code)
    item = await turn.desk.call_person(
        f"{turn.contact_id}:{topic or code}", reason="sensitive" if topic else code, kind="conversation", note=topic or code,
        proposal=package.model_dump(mode="json"),
    )  # fmt: skip
    get_stream_writer()(PersonCalled(status="waiting", reason=topic or code, protocol=item.protocol))
    when = opening_words(turn, language)
    text = _words(turn, code, topic, item.protocol, when, language, known=known)
    record: Json = {"from": state.get("previous") or state.get("current"), "to": "person", "reason": topic or code, "detail": None,
                    "facts": [], "package_tokens": 0, "package": package.model_dump(mode="json")}  # fmt: skip
    return {
        "drafts": [*state.get("drafts", []), {"agent": "person", "text": text, "ran_out": None, "fixed": True}],
        "handoffs": [*state.get("handoffs", []), record],
        "called": {"protocol": item.protocol, "reason": topic or code},
        "step": "reply",
    }


def opening_words(turn: TurnContext, language: Language) -> str:
    """Say when somebody looks: soon while people are here, else the next opening."""
    if is_open(turn.now, turn.services.hours):
        return say("people.soon", language)
    opening = next_opening(turn.now, turn.services.hours).astimezone(turn.services.zone)
    pattern = "%d/%m at %H:%M" if language == "en" else "%d/%m às %H:%M"
    return say("people.at", language, when=opening.strftime(pattern))


def _words(
    turn: TurnContext, code: str, topic: str | None, protocol: str, when: str, language: Language, *, known: bool
) -> str:  # fmt: skip
    if topic is not None:
        return (
            approved_text(topic_of(turn.services.sensitive, topic), language)
            + " "
            + say("people.queued", language, when=when, protocol=protocol, who=turn.services.shop_name)
        )
    if known:
        return say("people.already_queued", language, protocol=protocol, when=when)
    if code in LIMIT_CODES:
        return say(f"limits.{code}", language, protocol=protocol)
    if code == "asked_for_human":
        return say("people.asked_person", language, protocol=protocol, when=when)
    return say("people.queued", language, when=when, protocol=protocol, who=turn.services.shop_name)
