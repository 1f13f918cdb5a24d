"""What the rules of turn-taking look at, and what they decide."""

from dataclasses import dataclass

from routing.addressing import Member, Mention
from routing.answers import YesNo, bare_identifier, is_bare_answer
from routing.courtesy import Courtesy, plain_courtesy, read_courtesy
from routing.decision import RESPONDERS, Reason
from routing.model import Language
from routing.pending import OpenTopic, PendingQuestion, Proposal
from routing.sensitive import DEFAULT_TOPICS, SensitiveTopic
from routing.text import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """What the rules look at.

    `messages` are this turn's, oldest first, as cleaned at the door ("" for a photo alone). `question` is the last one
    that the customer saw, `proposal` one that has not expired; `proposal_asked_last` says that our last message asked for
    exactly that action, `explained_beside` that it also explained something. `sensed` are the signs that a reader found by
    examples (routing/sensing.py). `room` restricts who may answer to these ids; None is the whole roster and every responder.
    """

    messages: tuple[str, ...]
    roster: tuple[Member, ...]
    language: Language = "pt"
    held: bool = False
    current: str | None = None
    question: PendingQuestion | None = None
    proposal: Proposal | None = None
    proposal_asked_last: bool = False
    explained_beside: bool = False
    override: str | None = None
    sensitive: tuple[SensitiveTopic, ...] = DEFAULT_TOPICS
    sensed: frozenset[str] = frozenset()
    open_topic: OpenTopic | None = None
    last_courtesy: Courtesy | None = None
    clarifications: int = 0
    room: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a rule decided.

    `answer` belongs to the proposal that waits (None with reason pending_confirmation: unclear, ask again); `choice` is the
    option that was picked ("other" and "person" included); `others` are further specialists that were meant, open topics
    now; `nothing_due` ends the turn without a reply.
    """

    target: str
    reason: Reason
    detail: str | None = None
    answer: YesNo | None = None
    choice: str | None = None
    topic: str | None = None
    courtesy: Courtesy | None = None
    nothing_due: bool = False
    others: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """The turn's messages told apart: what is courtesy, and what is left."""

    courtesies: tuple[Courtesy, ...]
    rest: tuple[str, ...]

    @property
    def only(self) -> str | None:
        """The one message beside courtesy, if it is one."""
        return self.rest[0] if len(self.rest) == 1 else None


def joined(view: TurnView) -> str:
    """Return what a provider reads: the messages joined by newlines."""
    return "\n".join(message for message in view.messages if message.strip())


def room_of(view: TurnView) -> tuple[str, ...]:
    """Return who may answer: the room's ids that exist, or the whole roster and every responder."""
    known = (*(member.id for member in view.roster), *RESPONDERS)
    return known if view.room is None else tuple(dict.fromkeys(member for member in view.room if member in known))


def open_question_of(view: TurnView, agent: str | None) -> bool:
    """Tell whether this specialist waits for an answer: to its question, or to its proposal that was asked last."""
    if agent is None:
        return False
    asked = view.question is not None and view.question.by == agent
    proposed = view.proposal is not None and view.proposal_asked_last and view.proposal.proposed_by == agent
    return asked or proposed


def tell_apart(view: TurnView) -> Said:
    # "recebi ontem, obrigada" closes a conversation, and answers a question that waits.
    read = plain_courtesy if view.question is not None or view.proposal_asked_last else read_courtesy
    kinds: list[tuple[str, Courtesy | None]] = [(message, read(message)) for message in view.messages]
    rest = [message for message, kind in kinds if kind is None]
    # A photo beside a text is that text's: what was written decides.
    written = [message for message in rest if normalise(message)]
    return Said(
        courtesies=tuple(kind for _, kind in kinds if kind is not None),
        rest=tuple(written or rest[:1]),
    )


def is_bare(text: str) -> bool:
    return is_bare_answer(text) or bare_identifier(text) is not None


def wordless(messages: tuple[str, ...]) -> bool:
    """Tell whether nothing was written that can be read: a photo alone, "?", an emoji that is no courtesy."""
    return all(not normalise(message) and read_courtesy(message) is None for message in messages)
