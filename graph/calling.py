"""Put a conversation before a person: with the whole picture, once, and sooner when the customer is upset."""

from dataclasses import dataclass

from graph.desk import PRIORITY, PRIORITY_OTHER, UPSET
from graph.handoff import package_of
from graph.services import TurnContext
from graph.state import State
from graph.waiting import awaits_person, words_of
from routing.model import Language
from routing.opening import opening_words
from routing.package import HandoffPackage
from routing.sentences import say
from routing.upset_words import sounds_upset

_HEARD_BEFORE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """`known`: the conversation was in the queue already, and what was said now was added to its item."""

    protocol: str
    package: HandoffPackage
    known: bool


async def call_person(state: State, turn: TurnContext, code: str, *, topic: str | None = None) -> Called:
    """Queue the conversation under a reason's code, or add to the item that waits; a sensitive topic gets an item of its own."""
    package = package_of(state, turn, to_agent="person", reason=topic or code, detail=None)
    more = UPSET if _upset(state) else 0
    if awaits_person(turn) and turn.queue_protocol and turn.queue_item and topic in (None, turn.queue_about):
        priority = PRIORITY.get("sensitive" if topic else code, PRIORITY_OTHER) + more
        await turn.desk.add(turn.queue_item, words_of(state), priority=priority)
        return Called(protocol=turn.queue_protocol, package=package, known=True)
    item = await turn.desk.call_person(
        f"{turn.contact_id}:{topic or code}", reason="sensitive" if topic else code, note=topic or code,
        proposal=package.model_dump(mode="json"), priority=more + _rank(turn, topic),
    )  # fmt: skip
    return Called(protocol=item.protocol, package=package, known=False)


def limit_words(turn: TurnContext, code: str, protocol: str, language: Language, *, known: bool) -> str:
    """Say that a limit ended the bot's part, who goes on, and when."""
    when = opening_words(turn.now, turn.services.hours, language)
    if known:
        return say("people.already_queued", language, protocol=protocol, when=when)
    return f"{say(f'limits.{code}', language, protocol=protocol)} {say('people.answers', language, when=when)}"


def _rank(turn: TurnContext, topic: str | None) -> int:
    """A topic's priority counts from 0, the most urgent; in the queue a larger number is sooner."""
    ranks = [t.priority for t in turn.services.sensitive if t.id == topic]
    return max(0, 9 - ranks[0]) if ranks else 0


def _upset(state: State) -> bool:
    before = [line["text"] for line in state.get("dialogue", []) if line["role"] == "customer"][-_HEARD_BEFORE:]
    return any(sounds_upset(text) for text in [*before, *state.get("inbox", [])])
