"""What a transfer carries: a closed list of fields. There is none for tools, permissions or prompts, and none gets in."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

from pydantic import JsonValue, TypeAdapter, ValidationError

from routing.dialogue import LONG_TURN, Turn, clip
from routing.facts import Commitment, Conflict, ExecutedAction, Fact, Hypothesis
from routing.learning import conflicts, subject
from routing.model import Frozen, Language
from routing.pending import OpenTopic, PendingQuestion, Proposal
from routing.summary import extend_summary
from routing.termination import Leg
from routing.tokens import approximate_tokens

__all__ = [
    "HandoffPackage",
    "PendingAction",
    "Turn",
    "UnreadablePackage",
    "build_package",
    "package_tokens",
    "pending_action",
    "read_package",
]

SCHEMA_VERSION = 1
RECENT_TURNS = 6
MAX_FACTS = 40
BUDGET_TOKENS = 1_500
FEWEST_FACTS = 10
TURN_LIMITS = (LONG_TURN, 400)
"""Characters at which a turn is shown by head and tail, where the package would be too large: first, and as a last resort."""

Payload = dict[str, JsonValue]
UPGRADES: Mapping[int, Callable[[Payload], Payload]] = {}
"""Per readable older version, the step to the next one. The last two versions are read; the first has no elder."""


class UnreadablePackage(ValueError):
    """The stored text is no package, or of a version that is no longer (or not yet) read."""


class PendingAction(Frozen):
    """A proposal as the destination may know it: what was asked, never the arguments that would run it."""

    id: str
    action: str
    summary: str
    digest: str
    proposed_by: str
    asked_at: datetime
    expires_at: datetime


class HandoffPackage(Frozen):
    """The stored snapshot of a transfer. `from_agent` is None when nobody had the conversation; `to_agent` may be "person"."""

    schema_version: Literal[1] = SCHEMA_VERSION
    conversation_id: str
    contact: str
    leg: str
    at: datetime
    from_agent: str | None
    to_agent: str
    reason: str
    detail: str | None
    hop_count: int
    visited: tuple[str, ...]
    recent_turns: tuple[Turn, ...]
    earlier_summary: str | None
    facts: tuple[Fact, ...]
    hypotheses: tuple[Hypothesis, ...]
    commitments: tuple[Commitment, ...]
    executed_actions: tuple[ExecutedAction, ...]
    conflicts: tuple[Conflict, ...]
    open_question: PendingQuestion | None
    pending_action: PendingAction | None
    open_topics: tuple[OpenTopic, ...]
    language: Language


def pending_action(proposal: Proposal) -> PendingAction:
    """Return what travels of a proposal."""
    return PendingAction(
        id=proposal.id, action=proposal.tool, summary=proposal.summary, digest=proposal.digest,
        proposed_by=proposal.proposed_by, asked_at=proposal.asked_at, expires_at=proposal.expires_at,
    )  # fmt: skip


def build_package(
    *,
    conversation_id: str,
    contact: str,
    leg: Leg,
    at: datetime,
    from_agent: str | None,
    to_agent: str,
    reason: str,
    detail: str | None = None,
    turns: Sequence[Turn] = (),
    earlier_summary: str | None = None,
    facts: Sequence[Fact] = (),
    entities: Collection[str] = (),
    hypotheses: Sequence[Hypothesis] = (),
    commitments: Sequence[Commitment] = (),
    executed_actions: Sequence[ExecutedAction] = (),
    open_question: PendingQuestion | None = None,
    proposal: Proposal | None = None,
    open_topics: Sequence[OpenTopic] = (),
    language: Language = "pt",
    max_facts: int = MAX_FACTS,
) -> HandoffPackage:
    """Take the snapshot. Facts are those of the current subject, at most `max_facts`; nothing promised or done is cut.

    `earlier_summary` tells what is older than `turns`; what `turns` hold beyond the recent ones is added to it. Over 1,500
    tokens long turns are shown by head and tail, then all but ten facts may stay behind in the store, the least certain first.
    """
    recent = tuple(turns[-RECENT_TURNS:])
    protected = [item.text for item in commitments] + [item.receipt for item in executed_actions if item.receipt]
    package = HandoffPackage(
        conversation_id=conversation_id,
        contact=contact,
        leg=leg.id,
        at=at,
        from_agent=from_agent,
        to_agent=to_agent,
        reason=reason,
        detail=detail,
        hop_count=leg.hops,
        visited=leg.visited_agents,
        recent_turns=recent,
        earlier_summary=extend_summary(earlier_summary, turns[:-RECENT_TURNS], protected=protected),
        facts=subject(facts, entities, max_facts),
        hypotheses=tuple(hypotheses),
        commitments=tuple(commitments),
        executed_actions=tuple(executed_actions),
        conflicts=conflicts(facts),
        open_question=open_question,
        pending_action=pending_action(proposal) if proposal is not None else None,
        open_topics=tuple(open_topics),
        language=language,
    )
    return _fitted(package, entities)


def package_tokens(package: HandoffPackage) -> int:
    """Return the approximate size of what is stored and handed over."""
    return approximate_tokens(package.model_dump_json(exclude_none=True))


def _fitted(package: HandoffPackage, entities: Collection[str]) -> HandoffPackage:
    """Bring a package under its budget as far as turns and facts allow."""
    for limit in TURN_LIMITS:
        if package_tokens(package) <= BUDGET_TOKENS:
            return package
        package = _fewer_facts(_shorter_turns(package, limit), entities)
    return package


def _shorter_turns(package: HandoffPackage, limit: int) -> HandoffPackage:
    shown = tuple(turn.model_copy(update={"text": clip(turn.text, limit)}) for turn in package.recent_turns)
    return package.model_copy(update={"recent_turns": shown})


def _fewer_facts(package: HandoffPackage, entities: Collection[str]) -> HandoffPackage:
    while len(package.facts) > FEWEST_FACTS and (over := package_tokens(package) - BUDGET_TOKENS) > 0:
        fewer = subject(package.facts, entities, max(FEWEST_FACTS, len(package.facts) - max(1, over // 60)))
        package = package.model_copy(update={"facts": fewer})
    return package


def read_package(
    text: str | bytes, *, upgrades: Mapping[int, Callable[[Payload], Payload]] = UPGRADES
) -> HandoffPackage:
    """Read a stored package of this version or the one before. Raises `UnreadablePackage`."""
    try:
        payload = TypeAdapter(dict[str, JsonValue]).validate_json(text)
    except ValidationError as error:
        raise UnreadablePackage("not a JSON object") from error
    version = payload.get("schema_version")
    if version == SCHEMA_VERSION - 1 and (upgrade := upgrades.get(SCHEMA_VERSION - 1)) is not None:
        payload = upgrade(payload)
        version = payload.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnreadablePackage(f"schema version {version!r}; this program reads {SCHEMA_VERSION}")
    try:
        return HandoffPackage.model_validate_json(TypeAdapter(Payload).dump_json(payload))
    except ValidationError as error:
        raise UnreadablePackage(str(error)) from error
