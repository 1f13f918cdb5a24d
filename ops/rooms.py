"""Who speaks now in a room: turn-taking for a front end of its own. Nothing is stored."""

from typing import Any

from graph.services import Services
from routing.decision import NEEDS_QUESTION, RESPONDERS, Answer, Decision, Exchange, Hop
from routing.language import detect
from routing.model import Frozen
from routing.pending import PendingQuestion
from routing.ports import NoProvider
from routing.question import build_question
from routing.respond import decision_of, respond
from routing.sanitize import clean
from routing.sensing import with_sensed
from routing.turn_taking import Member, TurnView, joined, take_turn


class Guest(Frozen):
    """An agent that is not of the roster. `role` is the sentence that a provider reads."""

    id: str
    role: str
    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class Room(Frozen):
    """Who may answer: ids of the roster and of responders, and guests, in the room's order."""

    ids: tuple[str, ...]
    guests: tuple[Guest, ...] = ()


class NotARoom(ValueError):
    """The agents of a request are no room. `known` are the ids that there are."""

    def __init__(self, why: str, known: tuple[str, ...]) -> None:
        super().__init__(why)
        self.why, self.known = why, known


async def who_speaks(
    services: Services, room: Room, message: str, *, current: str | None = None, question: PendingQuestion | None = None
) -> Decision:
    """Return the one respondent of a message: by a rule, by the provider over the room, or by the fallback.

    Raises `NotARoom` for agents that nobody knows, or that the configured provider cannot tell apart.
    """
    _check(services, room, current, question)
    roster = _members(services, room)
    text = clean(message, limit=services.limits.message_chars).text
    view = TurnView(
        messages=(text,), roster=roster, language=detect(text, None), current=current, question=question,
        sensitive=services.sensitive, room=room.ids,
    )  # fmt: skip
    view = await with_sensed(view, services.reader)
    if (ruling := take_turn(view)) is not None:
        return decision_of(ruling)
    answer, tried = await _ask(services, room, view)
    decision = respond(view, answer, thresholds=services.thresholds(answer.provider if answer else ""))
    return decision if answer is not None else decision.model_copy(update={"hops": tried})


def known_ids(services: Services) -> tuple[str, ...]:
    """Return the ids that a room may list."""
    return (*services.roster.ids, *RESPONDERS)


def _check(services: Services, room: Room, current: str | None, question: PendingQuestion | None) -> None:
    known = known_ids(services)
    guests = {guest.id for guest in room.guests}
    if not room.ids:
        raise NotARoom("a room needs at least one agent", known)
    if twice := [id for id in dict.fromkeys(room.ids) if room.ids.count(id) > 1]:
        raise NotARoom(f"listed twice: {', '.join(twice)}", known)
    if taken := sorted(guests & {*known, NEEDS_QUESTION}):
        raise NotARoom(f"an id of ours, which needs no role: {', '.join(taken)}", known)
    if unknown := [id for id in room.ids if id not in known and id not in guests]:
        raise NotARoom(f"unknown agent: {', '.join(unknown)}; {_how_to_bring_guests(services)}", known)
    if guests and not reads_roles(services.decider):
        raise NotARoom(_how_to_bring_guests(services), known)
    if current is not None and current not in {*services.roster.ids, *guests}:
        raise NotARoom(f"unknown current agent: {current}", known)
    if question is not None and question.by not in {*known, *guests}:
        raise NotARoom(f"a question by an unknown agent: {question.by}", known)


def _how_to_bring_guests(services: Services) -> str:
    able = "the configured one can" if reads_roles(services.decider) else "the configured one (local) cannot"
    return (
        "agents other than the roster's are given with a role and need a decision provider that reads roles: "
        f"local knows only what it has examples of; {able}"
    )


def reads_roles(decider: Any) -> bool:
    """Tell whether a decision layer can choose between agents by their role sentences, whichever arm or link answers."""
    if arms := getattr(decider, "arms", None):
        return all(reads_roles(arm.decider) for arm in arms)
    providers = getattr(decider, "providers", None)
    return providers is None or any(provider.reads_roles for provider in providers)


def _members(services: Services, room: Room) -> tuple[Member, ...]:
    """Return whom the rules know: the whole roster, then the guests."""
    ours = [
        Member(spec.id, names=(spec.display_name, spec.display_name_en), aliases=spec.aliases)
        for spec in services.roster.specs
    ]
    return (*ours, *(Member(guest.id, names=guest.names, aliases=guest.aliases) for guest in room.guests))


async def _ask(services: Services, room: Room, view: TurnView) -> tuple[Answer | None, tuple[Hop, ...]]:
    """Ask the roster's own question, which thresholds are calibrated on; with guests, one about who is in the room."""
    roles = [(spec.id, spec.role) for spec in services.roster.specs]
    if room.guests:
        given = {**dict(roles), **{guest.id: guest.role for guest in room.guests}}
        roles = [(id, given[id]) for id in room.ids if id in given]
    exchange = Exchange(
        current_agent=view.current, pending_question=view.question.text if view.question is not None else None
    )
    try:
        answer = await services.decider.decide(
            joined(view), exchange, build_question(roles), thread_id=services.new_id("room")
        )
    except NoProvider as error:
        return None, tuple(hop for hop in error.tried if isinstance(hop, Hop))
    return answer, ()
