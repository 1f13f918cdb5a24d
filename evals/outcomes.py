"""What became of a routing decision, read from the contact's records: candidates for labels, which a person accepts or not. Pure.

The system's own choice is never the truth. A destination is a candidate where the contact was resolved there, was passed on to
nobody, and something beside silence says so: the customer's thanks, or an act that was carried out. Where the first specialist
passed the message on, the one who then kept it is a candidate for the corrected label.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from evals.router_cases import Said
from routing.courtesy import read_courtesy
from routing.decision import PERSON, RESPONDERS
from routing.language import detect
from routing.model import Frozen, Language
from routing.pattern import Pattern
from routing.solved_words import says_solved
from storage.records.contact_stories import Story
from storage.records.turn_values import Turn
from tools.registry import EVERYBODYS, TOOLS

Json = dict[str, Any]
How = Literal["passed_on", "passed_on_next", "solved"]
HOWS: tuple[How, ...] = ("passed_on", "passed_on_next", "solved")
# Only where the decision model or its policy chose is there something to learn about it; a rule's choice is the rule's.
_CHOSEN = ("confident", "continuity", "fallback_undecided", "fallback_unavailable")
_CONTEXT = 4
_CLAUSE = Pattern(r"[.,;!\n]+")
_TOPIC, _UNKNOWN = "open_topic", "unknown_reason"


class Candidate(Frozen):
    """One message of a customer, what the system did with it, and what that came to.

    `proposed` is None where the records show that the choice was wrong and not what would have been right.
    """

    id: str
    contact: str
    channel: str
    how: How
    lang: Language
    context: tuple[Said, ...]
    current_agent: str | None
    message: str
    chose: str
    because: str
    confidence: float | None
    happened: str
    proposed: str | None


@dataclass(frozen=True, slots=True)
class _Visit:
    """A turn that a specialist was chosen for. `passed` are the hand-offs after the one that carried out the choice."""

    turn: Turn
    before: str | None
    chose: str
    because: str
    passed: tuple[Json, ...]
    arrived: bool


def candidates(story: Story, *, specialists: Sequence[str]) -> tuple[Candidate, ...]:
    """Return what a contact says about its routing; nothing of most."""
    visits = _visits(story, specialists)
    found: list[Candidate] = []
    for number, visit in enumerate(visits):
        rest = visits[number + 1 :]
        if (candidate := _passed_on(story, visit, rest) or _solved(story, visit, rest)) is not None:
            found.append(candidate)
    return tuple(found)


def _visits(story: Story, specialists: Sequence[str]) -> list[_Visit]:
    visits: list[_Visit] = []
    current: str | None = None
    for turn in story.turns:
        if turn.action is not None or turn.status != "replied" or not turn.decision:
            continue
        handed = [entry for entry in turn.trail if entry.get("type") == "handoff"]
        chose = str(turn.decision.get("target"))
        if chose in specialists:
            arrived = bool(handed) and handed[0]["to"] == chose and handed[0]["from"] != chose
            passed = tuple(handed[1:] if arrived else handed)
            visits.append(_Visit(turn, current, chose, str(turn.decision.get("reason")), passed, arrived))
        current = next((e["to"] for e in reversed(handed) if e["to"] in specialists), current)
    return visits


def _passed_on(story: Story, visit: _Visit, rest: Sequence[_Visit]) -> Candidate | None:
    """The chosen one read the message and declared it somebody else's: at once, or as soon as the customer said more."""
    passed, how = visit.passed, HOWS[0]
    if not passed and visit.arrived and rest and _follows(rest[0], visit):
        passed, how = rest[0].passed, HOWS[1]
    targets = [entry["to"] for entry in passed]
    if not passed or PERSON in targets or any(entry["reason"] == _TOPIC for entry in passed):
        return None  # a person, or a second subject: neither says who should have had the first one
    # A reason that nobody knew was settled by the decision model: its choice again, and no label.
    kept = targets[0] if len(targets) == 1 and passed[0]["reason"] != _UNKNOWN else None
    told = ", then ".join(f"{e['from']} passed it on to {e['to']} ({e['reason']})" for e in passed)
    if how == "passed_on_next":
        told += " at the customer's next message"
    after = rest[1:] if how == "passed_on_next" else rest
    confirmed = _confirmed(story, visit.turn, kept) if kept and not _moved(after) else None
    return _candidate(story, visit, how, f"{told}; {confirmed}" if confirmed else told, kept)


def _follows(later: _Visit, visit: _Visit) -> bool:
    """Tell whether the next turn was the same specialist's, without a new choice."""
    return later.turn.number == visit.turn.number + 1 and later.chose == visit.chose and not later.arrived


def _solved(story: Story, visit: _Visit, rest: Sequence[_Visit]) -> Candidate | None:
    if not visit.arrived or visit.passed or _moved(rest):
        return None
    confirmed = _confirmed(story, visit.turn, visit.chose)
    if confirmed is None:
        return None
    return _candidate(story, visit, "solved", f"resolved there, passed on to nobody; {confirmed}", visit.chose)


def _moved(visits: Sequence[_Visit]) -> bool:
    return any(visit.arrived or visit.passed for visit in visits)


def _confirmed(story: Story, turn: Turn, agent: str) -> str | None:
    """Return what says that the contact was resolved by this specialist; silence says nothing, and a person's work neither."""
    contact = story.contact
    if contact.status != "resolved" or contact.called or contact.outcome.get("by") != "clock":
        return None
    later = [each for each in story.turns if each.number >= turn.number]
    if done := [e["name"] for each in later for e in each.trail if _is_act(e, agent)]:
        return f"{done[-1]} was carried out"
    words = _words(story, story.turns[-1])
    if story.turns[-1].number == turn.number:
        return None
    if _thanks(words):
        return "the customer ended it with thanks"
    return "the customer said that it is solved" if says_solved(words) else None


def _thanks(words: str) -> bool:
    """Tell whether a message is courtesy with thanks in it: a goodbye alone may be anybody's."""
    parts = (words, *_CLAUSE.split(words))
    return read_courtesy(words) is not None and any(read_courtesy(part) == "thanks" for part in parts)


def _is_act(entry: Json, agent: str) -> bool:
    tool = TOOLS.get(str(entry.get("name"))) if entry.get("type") == "tool" else None
    acted = tool is not None and tool.kind == "WRITE" and tool.name not in EVERYBODYS
    return acted and entry.get("outcome") == "ok" and entry.get("agent") == agent


def _candidate(story: Story, visit: _Visit, how: How, happened: str, proposed: str | None) -> Candidate | None:
    message = _words(story, visit.turn)
    if not message or visit.because not in _CHOSEN:
        return None
    before = [m for m in story.messages if _before(m.turn_id, story, visit.turn)]
    context = [
        Said(role="customer", text=m.text) if m.role == "customer" else Said(role="agent", agent=m.author, text=m.text)
        for m in before
        if m.role == "customer" or (m.role == "agent" and m.author not in (None, PERSON))
    ]
    language: Language | None = None
    for text in (*(line.text for line in context if line.role == "customer"), message):
        language = detect(text, language)
    confidence = (visit.turn.decision or {}).get("confidence")
    return Candidate(
        id=f"outcome-{sha256(visit.turn.id.encode()).hexdigest()[:12]}", contact=story.contact.protocol,
        channel=story.contact.channel, how=how, lang=language or "pt",
        context=tuple(context[-_CONTEXT:]), current_agent=visit.before, message=message, chose=visit.chose,
        because=visit.because, confidence=None if confidence is None else round(float(confidence), 4), happened=happened,
        proposed=proposed,
    )  # fmt: skip


def _before(turn_id: str | None, story: Story, turn: Turn) -> bool:
    return any(each.id == turn_id and each.number < turn.number for each in story.turns)


def _words(story: Story, turn: Turn) -> str:
    """Return what the customer said in a turn, as the decision model is asked about it."""
    return "\n".join(m.text for m in story.messages if m.turn_id == turn.id and m.role == "customer").strip()


def labels_of(specialists: Sequence[str]) -> tuple[str, ...]:
    """Return every label that a case may have."""
    return (*specialists, *RESPONDERS)
