"""The rules that decide who speaks without asking a model, in their order, each with its reason."""

from routing.addressing import Member, Mention, addressed
from routing.courtesy import Courtesy
from routing.decision import CLARIFICATION, COURTESY, OUT_OF_SCOPE, PERSON, RESPONDERS
from routing.people_words import asks_person
from routing.policy import fallback
from routing.sensing import ASKED, BY_EXAMPLE, spelt_topics
from routing.sensitive import SensitiveTopic
from routing.turn_view import (
    Ruling,
    Said,
    TurnView,
    is_bare,
    joined,
    open_question_of,
    room_of,
    tell_apart,
    wordless,
)
from routing.turn_waiting import confirmation, pending_question, waiting_topic

__all__ = ["Member", "Mention", "Ruling", "TurnView", "joined", "open_question_of", "room_of", "take_turn"]

_RANKED: tuple[Courtesy, ...] = ("goodbye", "thanks", "greeting", "acknowledgement")


def take_turn(view: TurnView) -> Ruling | None:
    """Return the ruling of the first rule that decides, or None: then a provider is asked with `joined(view)`."""
    room = room_of(view)
    if view.held:
        return Ruling(target=PERSON, reason="held_by_human")
    if (topic := _sensitive(view)) is not None:
        return Ruling(target=PERSON, reason="sensitive", topic=topic.id, detail=_found_by(view, topic))
    if any(asks_person(message) for message in view.messages):
        return Ruling(target=PERSON, reason="asked_for_human")
    if ASKED in view.sensed:
        return Ruling(target=PERSON, reason="asked_for_human", detail=BY_EXAMPLE)
    said = tell_apart(view)
    return (
        confirmation(view, said, room)
        or pending_question(view, said, room)
        or waiting_topic(view, said, room)
        or _courtesy(view, said, room)
        or _override(view, room)
        or _only_agent(view, room)
        or _addressed(view, room)
        or _bare_here(view, said, room)
    )


def _sensitive(view: TurnView) -> SensitiveTopic | None:
    """Return the most urgent topic that the patterns or the examples find."""
    sensed = [topic for topic in view.sensitive if topic.id in view.sensed]
    return min([*spelt_topics(view), *sensed], key=lambda topic: topic.priority, default=None)


def _found_by(view: TurnView, topic: SensitiveTopic) -> str | None:
    return None if any(found.id == topic.id for found in spelt_topics(view)) else BY_EXAMPLE


def _courtesy(view: TurnView, said: Said, room: tuple[str, ...]) -> Ruling | None:
    if said.rest or not said.courtesies:
        return None
    kind: Courtesy = next(kind for kind in _RANKED if kind in said.courtesies)
    if COURTESY not in room:
        route = fallback(view.current, room, "fallback_undecided")
        return Ruling(target=route.target, reason=route.reason, detail="courtesy", courtesy=kind)
    return Ruling(
        target=COURTESY, reason="courtesy", courtesy=kind, nothing_due=_already_said(kind, view.last_courtesy)
    )


def _already_said(kind: Courtesy, last: Courtesy | None) -> bool:
    """Tell whether our last reply was the courtesy that this one would get: the second thanks needs none."""
    if last is None or last == "greeting" or kind == "greeting":
        return False
    return kind == last or last == "goodbye" or (kind == "acknowledgement" and last == "thanks")


def _override(view: TurnView, room: tuple[str, ...]) -> Ruling | None:
    if view.override is None or view.override not in room:
        return None
    return Ruling(target=view.override, reason="override")


def _only_agent(view: TurnView, room: tuple[str, ...]) -> Ruling | None:
    """Decide where nobody else could: one specialist, and in an explicit room nothing beside it that a model may choose."""
    specialists = [member.id for member in view.roster if member.id in room]
    if view.room is None:
        return Ruling(target=specialists[0], reason="only_agent") if len(specialists) == 1 else None
    choosable = [member for member in room if member in specialists or member in (OUT_OF_SCOPE, CLARIFICATION)] or list(
        room
    )
    return Ruling(target=choosable[0], reason="only_agent") if len(choosable) == 1 else None


def _addressed(view: TurnView, room: tuple[str, ...]) -> Ruling | None:
    present = [member for member in view.roster if member.id in room]
    found: dict[str, Mention] = {}
    for message in view.messages:
        for mention in addressed(message, present):
            found.setdefault(mention.target, mention)
    if not found:
        return None
    first, *others = found.values()
    detail = None if not others else ", ".join(found)
    return Ruling(target=first.target, reason="addressed_by_name", detail=detail, others=tuple(others))


def _bare_here(view: TurnView, said: Said, room: tuple[str, ...]) -> Ruling | None:
    """Keep "10405" or "sim" to no question in particular with the specialist who is speaking."""
    if view.current is None or view.current not in room or view.current in RESPONDERS:
        return None
    if wordless(view.messages) or (said.only is not None and is_bare(said.only)):
        return Ruling(target=view.current, reason="continuity", detail="bare_answer")
    return None
