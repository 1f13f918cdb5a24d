"""The handoff suite: what the customer gave must be in the package, or be found by `recall`, after the change of hands."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from evals.integrity_cases import IntegrityCase, Value
from evals.playing import ZONE, Held, play
from evals.results import Result, Share, quantile
from evals.wanted import Kind, is_card, is_value, kind_of, typed_tokens
from routing.briefing import BriefingMaterial, material_of, parse_briefing, render_briefing
from routing.dialogue import clip
from routing.facts import Fact
from routing.learning import conflicts
from routing.package import RECENT_TURNS, TURN_LIMITS, HandoffPackage, build_package, package_tokens, pending_action
from routing.reasons import ReasonTable, Unknown, resolve
from routing.shop import Customer
from routing.summary import extend_summary
from routing.termination import Leg
from routing.tokens import approximate_tokens
from routing.values import flat, holds

TOKENS_AT_MOST = 1_500
_ANONYMOUS = Customer(id=None)

Build = Callable[..., HandoffPackage]
Render = Callable[[BriefingMaterial], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One case's outcome. `kept` tells for each scored value whether it was recovered, `exact` counts the identifiers that
    are one fact and nothing more.

    `broken` names what of the state the package dropped or changed, values that stand although they were taken back, and
    a declared reason that leads to somebody else.
    `secrets` are passwords and codes that were said, `removed` those of them that the door took out.
    """

    id: str
    kept: tuple[tuple[Value, Kind, bool], ...]
    exact: int
    broken: tuple[str, ...]
    secrets: int
    removed: int
    package_tokens: int
    briefing_tokens: int

    @property
    def lost(self) -> tuple[Value, ...]:
        return tuple(value for value, _, kept in self.kept if not kept)

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "id": self.id,
            "given": len(self.kept),
            "lost": [{"key": value.key, "value": value.value, "turn": value.turn} for value in self.lost],
            "package_tokens": self.package_tokens,
            "briefing_tokens": self.briefing_tokens,
            "removed": self.removed,
            "broken": list(self.broken),
        }


def run(
    cases: Sequence[IntegrityCase], *, pad: int = 0, build: Build = build_package, render: Render = render_briefing,
    table: ReasonTable | None = None,
) -> Result:  # fmt: skip
    """Score every case. `build` and `render` may be changed copies of the product's: then something must be lost.

    `table` is held to lead each declared reason to the one who gets the conversation; without it nobody looks.
    """
    rows = [score(case, pad=pad, build=build, render=render, table=table) for case in cases]
    return Result(suite="handoff", n=len(rows), metrics=_metrics(rows, pad), cases=[row.as_json() for row in rows])


def score(
    case: IntegrityCase, *, pad: int = 0, build: Build = build_package, render: Render = render_briefing,
    table: ReasonTable | None = None,
) -> Row:  # fmt: skip
    """Play a case up to its boundary, hand it over, and look for what was given."""
    held = play(case, pad=pad)
    leg = _leg(case)
    package = _hand_over(case, held, leg, build)
    index = _index(held, package)
    briefing = render(
        material_of(package, customer=_ANONYMOUS, now=held.at, zone=ZONE, entities=held.entities, index=index)
    )
    found = _Found(package, held, briefing)
    kinds: list[tuple[Value, Kind]] = [(value, kind_of(value.key, value.value)) for value in case.values]
    secrets = [value for value, kind in kinds if kind == "secret"]
    return Row(
        id=case.id,
        kept=tuple((value, kind, found.recovered(value, kind)) for value, kind in kinds if kind != "secret"),
        exact=sum(found.exactly(value) for value, kind in kinds if kind == "identifier"),
        broken=(*_broken(case, held, leg, package), *_standing(case, found), *_misled(case, table)),
        secrets=len(secrets),
        removed=sum(not _literally(value.value, held.heard.get(value.turn, "")) for value in secrets),
        package_tokens=package_tokens(package),
        briefing_tokens=approximate_tokens(briefing),
    )


def _leg(case: IntegrityCase) -> Leg:
    """Return a leg in which this change of hands is the first hop."""
    between = [agent for agent in (case.change.from_agent, case.change.to_agent) if agent is not None]
    return Leg(id=f"leg-{case.id}", origin=between[0], visited=dict.fromkeys(between, 0), hops=len(between) - 1)


def _hand_over(case: IntegrityCase, held: Held, leg: Leg, build: Build) -> HandoffPackage:
    change = case.change
    return build(
        conversation_id=case.id, contact=f"BA-{case.id}", leg=leg, at=held.at, from_agent=change.from_agent,
        to_agent=change.to_agent, reason=change.reason, detail=change.detail, turns=held.spoken,
        earlier_summary=held.summary, facts=held.facts, entities=held.entities, hypotheses=held.hypotheses,
        commitments=held.commitments, executed_actions=held.actions, open_question=held.question,
        proposal=held.proposal, open_topics=held.topics, language=held.language,
    )  # fmt: skip


def _index(held: Held, package: HandoffPackage) -> dict[str, int]:
    """Count what the store has beyond what the package shows."""
    visible: dict[str, int] = {}
    for fact in package.facts:
        visible[fact.key] = visible.get(fact.key, 0) + 1
    return {key: n - visible.get(key, 0) for key, n in held.store.index().items() if n > visible.get(key, 0)}


class _Found:
    """What the destination can know: the package, and what `recall` returns for the keys that its index shows."""

    def __init__(self, package: HandoffPackage, held: Held, briefing: str) -> None:
        read = parse_briefing(briefing)
        entities = {fact.entity for fact in read.facts if fact.entity is not None}
        recalled = [
            fact for key in read.index for entity in (None, *sorted(entities)) for fact in held.store.recall(key, entity)
        ]  # fmt: skip
        self.facts: dict[str, Fact] = {fact.id: fact for fact in (*package.facts, *recalled)}
        self._rendered = package.model_dump_json(exclude_none=True)

    def recovered(self, value: Value, kind: Kind) -> bool:
        """Tell whether a value was kept.

        A card by its last four; an identifier as the customer's own fact, exactly, or word for word in the package with
        each of its typed tokens a fact of its own ("44 new nandhi circle in"); anything else word for word.
        """
        said = [fact for fact in self.facts.values() if fact.source == "customer"]
        if kind == "card":
            return any(is_card(fact, value.value) for fact in said)
        if kind == "words":
            return self._as_words(value.value)
        return self.exactly(value) or (
            self._as_words(value.value)
            and all(any(is_value(fact, token) for fact in said) for token in typed_tokens(value.value))
        )

    def exactly(self, value: Value) -> bool:
        """Tell whether one of the customer's facts is this value and nothing more."""
        return any(fact.source == "customer" and is_value(fact, value.value) for fact in self.facts.values())

    def _as_words(self, text: str) -> bool:
        return any(holds(fact.value, text) for fact in self.facts.values()) or _literally(text, self._rendered)

    def standing(self, value: Value) -> bool:
        return any(
            fact.key == value.key and fact.status != "replaced" and is_value(fact, value.value)
            for fact in self.facts.values()
        )


def _literally(wanted: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(flat(wanted))}(?!\w)", flat(text)) is not None


def _broken(case: IntegrityCase, held: Held, leg: Leg, package: HandoffPackage) -> list[str]:
    """Name the fields in which the package is not what state held: each is carried word for word or not at all."""
    protected = [item.text for item in held.commitments] + [item.receipt for item in held.actions if item.receipt]
    carried: Mapping[str, object] = {
        "conversation_id": case.id,
        "contact": f"BA-{case.id}",
        "leg": leg.id,
        "at": held.at,
        "from_agent": case.change.from_agent,
        "to_agent": case.change.to_agent,
        "reason": case.change.reason,
        "detail": case.change.detail,
        "hop_count": leg.hops,
        "visited": leg.visited_agents,
        "earlier_summary": extend_summary(held.summary, held.spoken[:-RECENT_TURNS], protected=protected),
        "hypotheses": tuple(held.hypotheses),
        "commitments": tuple(held.commitments),
        "executed_actions": tuple(held.actions),
        "conflicts": conflicts(held.facts),
        "open_question": held.question,
        "pending_action": pending_action(held.proposal) if held.proposal else None,
        "open_topics": tuple(held.topics),
        "language": held.language,
    }
    broken = [name for name, value in carried.items() if getattr(package, name) != value]
    return broken if _word_for_word(held, package) else [*broken, "recent_turns"]


def _word_for_word(held: Held, package: HandoffPackage) -> bool:
    """Tell whether the last turns are all there; a long one may be shown by head and tail, with its author and time."""
    recent = held.spoken[-RECENT_TURNS:]
    return len(recent) == len(package.recent_turns) and all(
        shown in (turn, *(turn.model_copy(update={"text": clip(turn.text, limit)}) for limit in TURN_LIMITS))
        for turn, shown in zip(recent, package.recent_turns, strict=True)
    )


def _standing(case: IntegrityCase, found: _Found) -> list[str]:
    return [f"{value.key} {value.value} was taken back and stands" for value in case.outdated if found.standing(value)]


def _misled(case: IntegrityCase, table: ReasonTable | None) -> list[str]:
    """Name where the table leads a declared reason, if not to the one who gets the conversation."""
    change = case.change
    if table is None or not change.declared or change.from_agent is None:
        return []
    found = resolve(change.reason, table, current=change.from_agent)
    led_to = None if isinstance(found, Unknown) else found.agent
    return [] if led_to == change.to_agent else [f"{change.reason} leads to {led_to}, not to {change.to_agent}"]


def _metrics(rows: Sequence[Row], pad: int) -> dict[str, JsonValue]:
    scored = [(value, kind, kept) for row in rows for value, kind, kept in row.kept]
    keys = sorted({value.key for value, _, _ in scored})
    return {
        "padded_to": pad,
        "recovered": _share([kept for _, _, kept in scored]),
        "identifiers": _share([kept for _, kind, kept in scored if kind == "identifier"]),
        "identifiers_exact": Share(
            sum(row.exact for row in rows), sum(kind == "identifier" for _, kind, _ in scored)
        ).as_json(),
        "cards": _share([kept for _, kind, kept in scored if kind == "card"]),
        "words": _share([kept for _, kind, kept in scored if kind == "words"]),
        "broken": sum(len(row.broken) for row in rows),
        "secrets": {"given": sum(row.secrets for row in rows), "removed": sum(row.removed for row in rows)},
        "package_tokens": _sizes([row.package_tokens for row in rows]),
        "briefing_tokens": _sizes([row.briefing_tokens for row in rows]),
        "by_key": {key: _counts([kept for value, _, kept in scored if value.key == key]) for key in keys},
    }


def _share(kept: Sequence[bool]) -> JsonValue:
    return Share(sum(kept), len(kept)).as_json()


def _counts(kept: Sequence[bool]) -> JsonValue:
    return {"given": len(kept), "recovered": sum(kept), "lost": len(kept) - sum(kept)}


def _sizes(tokens: Sequence[int]) -> JsonValue:
    return {"p50": quantile(tokens, 0.5), "p95": quantile(tokens, 0.95), "max": max(tokens, default=0)}
