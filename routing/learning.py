"""How facts accumulate: what replaces what, what contradicts what, and what counts as news."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from routing.extraction import SOFT_KEYS
from routing.facts import Conflict, Fact, FactDraft, Hypothesis
from routing.values import compact, normalised

CUSTOMER = "customer"
SESSION = "session"

# What a customer reports and a system can both be right about; any other pair of different states is a contradiction.
_COMPATIBLE = {
    "not_received": {"in_transit", "delayed", "preparing", "paid", "awaiting_payment", "cancelled"},
    "delayed": {"in_transit", "preparing", "paid", "awaiting_payment"},
    "delivered": {"returned"},
    "returned": {"delivered", "in_transit"},
}
_DISPUTABLE = frozenset(
    {"payment_method", "order_status", "tracking", "address", "cpf", "cnpj", "email", "phone", "cep", "name"}
)


@dataclass(frozen=True, slots=True)
class Learned:
    """`facts` are all active ones, the new at the end. For the store: `added` are to be inserted, `replaced` are retired
    (status "replaced"), `updated` were read again or confirmed (same id, new `at`, `status` or `max_age_s`)."""

    facts: tuple[Fact, ...]
    added: tuple[Fact, ...] = ()
    replaced: tuple[Fact, ...] = ()
    updated: tuple[Fact, ...] = ()


def learn(
    existing: Sequence[Fact],
    drafts: Sequence[FactDraft],
    *,
    source: str,
    at: datetime,
    turn: int,
    new_id: Callable[[], str],
) -> Learned:
    """Number the drafts and settle them against what is known.

    A tool's reading replaces its own earlier one of the same key and entity; a customer's value is replaced only by an
    explicit correction of his; what he reported becomes confirmed when a tool reads the same; a repeat adds nothing.
    """
    learned = Learned(facts=tuple(fact for fact in existing if fact.status != "replaced"))
    for draft in drafts:
        learned = _settle(learned, draft, source=source, at=at, turn=turn, new_id=new_id)
    return learned


def _settle(
    learned: Learned, draft: FactDraft, *, source: str, at: datetime, turn: int, new_id: Callable[[], str]
) -> Learned:
    own = [fact for fact in learned.facts if fact.source == source and fact.key == draft.key]
    same = [fact for fact in own if fact.entity == draft.entity and _same(fact, draft)]
    gone = [fact for fact in _outdated(own, draft, source) if fact not in same]
    learned = _retire(learned, gone)
    if same and source == CUSTOMER:
        return learned
    if same:
        again = {"at": at, "status": draft.status, "max_age_s": draft.max_age_s}
        return _update(learned, [fact.model_copy(update=again) for fact in same])
    status = draft.status if source != CUSTOMER else "reported"
    fact = Fact(
        id=new_id(), key=draft.key, entity=draft.entity, value=draft.value, source=source, status=status, at=at,
        turn=turn, max_age_s=draft.max_age_s,
    )  # fmt: skip
    agreeing = [old.model_copy(update={"status": "confirmed"}) for old in learned.facts if _confirms(fact, old)]
    learned = _update(learned, agreeing)
    return replace(learned, facts=(*learned.facts, fact), added=(*learned.added, fact))


def _retire(learned: Learned, gone: Sequence[Fact]) -> Learned:
    """Take facts out of the active ones. One that this very message brought is stored, already replaced."""
    if not gone:
        return learned
    ids, unstored = {fact.id for fact in gone}, {fact.id for fact in learned.added}
    retired = tuple(fact.model_copy(update={"status": "replaced"}) for fact in gone if fact.id not in unstored)
    return Learned(
        facts=tuple(fact for fact in learned.facts if fact.id not in ids),
        added=tuple(
            fact.model_copy(update={"status": "replaced"}) if fact.id in ids else fact for fact in learned.added
        ),
        replaced=(*learned.replaced, *retired),
        updated=tuple(fact for fact in learned.updated if fact.id not in ids),
    )


def _update(learned: Learned, changed: Sequence[Fact]) -> Learned:
    """Put changed facts in the place of those with their ids."""
    by_id = {fact.id: fact for fact in changed}
    unstored = {fact.id for fact in learned.added}
    news = [fact for fact in changed if fact.id not in unstored]
    return Learned(
        facts=tuple(by_id.get(fact.id, fact) for fact in learned.facts),
        added=tuple(by_id.get(fact.id, fact) for fact in learned.added),
        replaced=learned.replaced,
        updated=(*(fact for fact in learned.updated if fact.id not in by_id), *news),
    )


def _same(fact: Fact, draft: FactDraft) -> bool:
    return normalised(fact.key, fact.value) == normalised(draft.key, draft.value)


def _outdated(own: Sequence[Fact], draft: FactDraft, source: str) -> list[Fact]:
    if source != CUSTOMER:
        return [fact for fact in own if fact.entity == draft.entity]
    if not draft.corrects:
        return []
    names_itself = draft.entity is not None and draft.entity.endswith(f":{draft.value}")
    rivals = [fact for fact in own if (names_itself or fact.entity == draft.entity) and not _same(fact, draft)]
    return rivals[-1:]


def _confirms(new: Fact, old: Fact) -> bool:
    """What a customer reported is confirmed when a tool or the session says the same about the same thing."""
    reported = old.source == CUSTOMER and old.status == "reported"
    proves = new.source != CUSTOMER and new.status == "confirmed"
    same_thing = (old.key, old.entity) == (new.key, new.entity)
    return reported and proves and same_thing and normalised(old.key, old.value) == normalised(new.key, new.value)


def conflicts(facts: Sequence[Fact]) -> tuple[Conflict, ...]:
    """Return where the customer's latest word and a tool's or the session's reading of the same thing disagree."""
    found: list[Conflict] = []
    said: dict[tuple[str, str | None], Fact] = {}
    read: dict[tuple[str, str | None], list[Fact]] = {}
    for fact in facts:
        if fact.status == "replaced" or fact.key not in _DISPUTABLE:
            continue
        if fact.source == CUSTOMER:
            said[fact.key, fact.entity] = fact
        else:
            read.setdefault((fact.key, fact.entity), []).append(fact)
    for identity, word in said.items():
        against = [fact for fact in read.get(identity, ()) if _disagree(word, fact)]
        if against:
            values = tuple((fact.source, fact.value) for fact in (word, *against))
            found.append(Conflict(key=word.key, entity=word.entity, values=values))
    return tuple(found)


def _disagree(said: Fact, read: Fact) -> bool:
    one, other = normalised(said.key, said.value), normalised(read.key, read.value)
    if one == other or not one or not other:
        return False
    if said.key == "order_status":
        return other not in _COMPATIBLE.get(one, set())
    return said.key == "payment_method" or not (compact(one) in compact(other) or compact(other) in compact(one))


def _news(fact: Fact) -> tuple[str, str | None, str, str]:
    return fact.key, fact.entity, normalised(fact.key, fact.value), fact.source


def material(added: Sequence[Fact]) -> int:
    """Count what is news for the loop rules: a new key, value or source, small talk and loose words apart."""
    return len({_news(fact) for fact in added if fact.source != CUSTOMER or fact.key not in SOFT_KEYS})


def progress(before: Sequence[Fact], after: Sequence[Fact]) -> bool:
    """Tell whether `after` knows something that `before` (replaced facts included) did not."""
    known = {_news(fact) for fact in before}
    return material([fact for fact in after if _news(fact) not in known]) > 0


def still_suspected(
    hypotheses: Sequence[Hypothesis], facts: Sequence[Fact], *, tool_keys: Collection[str]
) -> tuple[Hypothesis, ...]:
    """Return the hypotheses that no tool has settled: only a confirmed reading of a declared key does."""
    settled = {
        fact.key
        for fact in facts
        if fact.source.startswith("tool:") and fact.status == "confirmed" and fact.key in tool_keys
    }
    return tuple(item for item in hypotheses if item.key not in settled)


def subject(facts: Sequence[Fact], entities: Collection[str], limit: int = 40) -> tuple[Fact, ...]:
    """Return the active facts of the current subject, oldest first: about these entities or their parts, or about nobody's.

    Over the limit, what is reported loosely goes first, then what is oldest.
    """
    near = [
        fact for fact in facts
        if fact.status != "replaced" and (fact.entity is None or any(_about(fact.entity, entity) for entity in entities))
    ]  # fmt: skip
    if len(near) <= limit:
        return tuple(near)
    order = {fact.id: position for position, fact in enumerate(near)}
    ranked = sorted(near, key=lambda fact: (_weight(fact), order[fact.id]), reverse=True)[:limit]
    return tuple(sorted(ranked, key=lambda fact: order[fact.id]))


def _about(entity: str, subject_of: str) -> bool:
    """ "item:10405/2" is about "order:10405"."""
    mine, theirs = entity.partition(":")[2], subject_of.partition(":")[2]
    return entity == subject_of or bool(theirs and (mine == theirs or mine.startswith(f"{theirs}/")))


def _weight(fact: Fact) -> int:
    if fact.entity is not None:
        return 3
    if fact.key not in SOFT_KEYS:
        return 2 if fact.key != "identifier" else 1
    return 0


def index_of(facts: Sequence[Fact], shown: Sequence[Fact]) -> dict[str, int]:
    """Return, per key, how many active values are known beyond the shown ones, keys in alphabetical order."""
    visible = {fact.id for fact in shown}
    counts: dict[str, int] = {}
    for fact in facts:
        if fact.status != "replaced" and fact.id not in visible:
            counts[fact.key] = counts.get(fact.key, 0) + 1
    return dict(sorted(counts.items()))
