"""What a specialist reads about the conversation: data with its origin, bounded, in quotes that nothing breaks out of."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from routing.briefing_reading import Briefing, parse_briefing
from routing.dialogue import clip
from routing.facts import Commitment, Conflict, ExecutedAction, Fact, Hypothesis
from routing.learning import CUSTOMER, index_of, subject
from routing.learning import conflicts as find_conflicts
from routing.model import Language
from routing.package import HandoffPackage, PendingAction
from routing.pending import OpenTopic, PendingQuestion, Proposal
from routing.records import CLOSE, OPEN, code_of, head_of, record
from routing.shop import Customer
from routing.tokens import approximate_tokens

__all__ = ["Briefing", "BriefingMaterial", "clip", "material_of", "parse_briefing", "render_briefing", "render_recall"]

BUDGET_TOKENS = 1_500
RECALL_VALUES, RECALL_TOKENS = 20, 200
LONG_VALUE = 300
VALUES_PER_KEY = 5
SHARED_BY = 3
"""So many facts of one reading in a row name their origin once: it is longer than most values."""
_WEEKDAYS: Mapping[str, tuple[str, ...]] = {
    "pt": ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefingMaterial:
    """What a turn knows. `facts` are the active ones that state holds, `index` counts what only the store has.

    `conflicts` None: they are looked for in `facts`. `queue` is "waiting" or "held".
    """

    customer: Customer
    now: datetime
    zone: ZoneInfo
    language: Language = "pt"
    facts: Sequence[Fact] = ()
    entities: Collection[str] = ()
    index: Mapping[str, int] = field(default_factory=dict[str, int])
    hypotheses: Sequence[Hypothesis] = ()
    commitments: Sequence[Commitment] = ()
    actions: Sequence[ExecutedAction] = ()
    conflicts: Sequence[Conflict] | None = None
    question: PendingQuestion | None = None
    pending: PendingAction | Proposal | None = None
    topics: Sequence[OpenTopic] = ()
    summary: str | None = None
    from_agent: str | None = None
    from_note: str | None = None
    queue: str | None = None
    queue_protocol: str | None = None


def material_of(
    package: HandoffPackage,
    *,
    customer: Customer,
    now: datetime,
    zone: ZoneInfo,
    entities: Collection[str] = (),
    index: Mapping[str, int] | None = None,
) -> BriefingMaterial:
    """Return a package as material: its briefing is what the destination read."""
    return BriefingMaterial(
        customer=customer,
        now=now,
        zone=zone,
        language=package.language,
        facts=package.facts,
        entities=entities or {fact.entity for fact in package.facts if fact.entity is not None},
        index=index or {},
        hypotheses=package.hypotheses,
        commitments=package.commitments,
        actions=package.executed_actions,
        conflicts=package.conflicts,
        question=package.open_question,
        pending=package.pending_action,
        topics=package.open_topics,
        summary=package.earlier_summary,
        from_agent=package.from_agent,
        from_note=f"{package.reason}: {package.detail}" if package.detail else package.reason,
    )


def render_briefing(material: BriefingMaterial, *, budget_tokens: int = BUDGET_TOKENS) -> str:
    """Write the block. Over the budget the least certain facts go to the index and the summary is cut, in that order;
    commitments, actions, conflicts and open topics never are, so they alone may exceed it."""
    shown = _latest(subject(material.facts, material.entities, len(material.facts)))
    summary = material.summary
    text = _block(material, shown, summary)
    while approximate_tokens(text) > budget_tokens and (shown or summary):
        over = approximate_tokens(text) - budget_tokens
        if shown:
            shown = list(subject(shown, material.entities, max(0, len(shown) - max(1, over // 60))))
        elif summary:
            kept = len(summary) - max(80, over * 4)
            summary = clip(summary, kept) if kept > 40 else None
        text = _block(material, shown, summary)
    return text


def _latest(facts: Sequence[Fact]) -> list[Fact]:
    """Keep the newest few values of each key that belongs to nothing in particular; those of an entity stay in full."""
    left: dict[str, int] = {}
    kept: list[Fact] = []
    for fact in reversed(facts):
        left[fact.key] = left.get(fact.key, VALUES_PER_KEY) - (fact.entity is None)
        if fact.entity is not None or left[fact.key] >= 0:
            kept.append(fact)
    return kept[::-1]


def _block(material: BriefingMaterial, shown: Sequence[Fact], summary: str | None) -> str:
    lines = [
        _customer_line(material.customer),
        *_fact_lines(shown, material.now),
        *(record("hypothesis", i.key, i.value, f"{head_of(i.author)} {i.confidence:.2f}") for i in material.hypotheses),
        *(_commitment_line(item) for item in material.commitments),
        *(_action_line(item) for item in material.actions),
        *_conflict_lines(material),
        *_waiting_lines(material),
        *(record("topic", topic.target or "-", topic.text) for topic in material.topics),
        *_index_lines(material, shown),
        *_closing_lines(material, summary),
    ]
    return "\n".join((OPEN, *lines, CLOSE))


def _customer_line(customer: Customer) -> str:
    tier = f" tier={head_of(customer.tier)}" if customer.tier else ""
    return record("customer", "", customer.name or "", f"{head_of(customer.id or '-')}{tier} identity={customer.level}")


def _fact_lines(facts: Sequence[Fact], now: datetime) -> Iterator[str]:
    """Write the facts in their order, without the customer's words where a reading says the same of the same thing."""
    read = {(fact.key, fact.entity, fact.value) for fact in facts if fact.source not in (CUSTOMER, "tool:list_orders")}
    told = [fact for fact in facts if fact.source != CUSTOMER or (fact.key, fact.entity, fact.value) not in read]
    for origin, run in groupby(told, key=lambda fact: (_origin(fact), _thing(fact))):
        same = list(run)
        if len(same) < SHARED_BY:
            yield from (_fact_line(fact, LONG_VALUE, now) for fact in same)
            continue
        about = same[0].entity
        yield record("reading", "", len(same), origin[0], entity=about)
        for fact in same:
            entity = fact.entity if fact.entity != about else None
            yield record(
                "fact", fact.key, clip(fact.value, LONG_VALUE), "stale" if fact.stale(now) else "", entity=entity
            )


def _fact_line(fact: Fact, limit: int, now: datetime | None = None) -> str:
    stale = " stale" if now is not None and fact.stale(now) else ""
    return record("fact", fact.key, clip(fact.value, limit), f"{_origin(fact)}{stale}", entity=fact.entity)


def _thing(fact: Fact) -> str:
    """Return what a fact is about: of an item, its order."""
    return (fact.entity or "").partition(":")[2].partition("/")[0]


def _origin(fact: Fact) -> str:
    return f"{head_of(fact.source)} {fact.status} {_time(fact.at)}"


def _commitment_line(item: Commitment) -> str:
    due = f" due={_time(item.due)}" if item.due is not None else ""
    return record("commitment", item.id, item.text, f"{item.origin} {item.status}{due}")


def _action_line(item: ExecutedAction) -> str:
    return record("action", item.name, item.receipt or "", f"{item.status} {_time(item.at)}")


def _conflict_lines(material: BriefingMaterial) -> list[str]:
    found = find_conflicts(material.facts) if material.conflicts is None else material.conflicts
    return [
        record(
            "conflict", item.key, "; ".join(f"{source}: {value}" for source, value in item.values), entity=item.entity
        )
        for item in found
    ]


def _waiting_lines(material: BriefingMaterial) -> list[str]:
    lines: list[str] = []
    if material.question is not None:
        lines.append(record("question", "", material.question.text, head_of(material.question.by)))
    if (pending := material.pending) is not None:
        name = pending.tool if isinstance(pending, Proposal) else pending.action
        asked = f"{head_of(pending.proposed_by)} asked {_time(pending.asked_at)}"
        lines.append(record("pending", name, pending.summary, asked))
    return lines


def _index_lines(material: BriefingMaterial, shown: Sequence[Fact]) -> list[str]:
    counts = index_of(material.facts, shown)
    for key, count in material.index.items():
        counts[key] = counts.get(key, 0) + count
    return [record("index", key, count) for key, count in sorted(counts.items()) if count > 0]


def _closing_lines(material: BriefingMaterial, summary: str | None) -> list[str]:
    lines: list[str] = []
    if summary:
        lines.append(record("summary", "", summary))
    if material.from_agent is not None or material.from_note:
        lines.append(record("from", material.from_agent or "-", material.from_note or ""))
    if material.queue:
        lines.append(record("queue", "", material.queue, code_of(material.queue_protocol or "")))
    local = material.now.astimezone(material.zone)
    lines.append(record("now", "", f"{local:%Y-%m-%d %H:%M} ({_WEEKDAYS[material.language][local.weekday()]})"))
    return lines


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def render_recall(facts: Sequence[Fact]) -> str:
    """Write what `recall` answers: at most 20 values and 200 tokens, newest first, in the briefing's records."""
    newest = sorted((fact for fact in facts if fact.status != "replaced"), key=lambda fact: fact.at, reverse=True)
    lines: list[str] = []
    for fact in newest[:RECALL_VALUES]:
        line = _fact_line(fact, LONG_VALUE)
        if approximate_tokens("\n".join((*lines, line))) > RECALL_TOKENS:
            break
        lines.append(line)
    return "\n".join(lines)
