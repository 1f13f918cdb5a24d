"""Who takes what: a table of declared reasons, and how a written reason is matched to it."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from pydantic import Field

from routing.model import Frozen
from routing.values import flat

_CLOSE = 0.8
_NOT_WORD = re.compile(r"[\W_]+")
_FILLER = re.compile(
    r"\b(?:a|o|as|os|e|de|da|do|das|dos|em|no|na|com|para|pra|por|um|uma|falar|ver|assunto|setor|area|time|the|of|to|for|with|and|team)\b"
)


class ReasonEntry(Frozen):
    """Which specialist takes it, and the sentence that explains it to the others."""

    agent: str
    sentence: str


class ReasonOverride(Frozen):
    """A line of configuration: another specialist, another sentence, or both; a new reason needs both."""

    agent: str | None = None
    sentence: str | None = None


class ReasonTable(Frozen):
    """The reasons in order. `names` are what each specialist is called, for a reason that names one."""

    entries: dict[str, ReasonEntry]
    names: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])

    @property
    def valid(self) -> tuple[tuple[str, str], ...]:
        return tuple((reason, entry.sentence) for reason, entry in self.entries.items())

    def for_agent(self, current: str) -> tuple[tuple[str, str], ...]:
        """Return the reasons that `current` may declare: those of the others."""
        return tuple((reason, entry.sentence) for reason, entry in self.entries.items() if entry.agent != current)


class Resolved(Frozen):
    """A reason with its specialist. `itself`: it is the current one's own subject, which is no transfer."""

    agent: str
    reason: str
    how: Literal["exact", "close", "named"]
    itself: bool = False


class Unknown(Frozen):
    """No reason fits, or several do alike. `valid` is the list for the one retry."""

    given: str
    valid: tuple[str, ...]


class Routing(Frozen):
    """What several declared reasons come to: the first valid one routes, the other subjects stay open topics."""

    first: tuple[Resolved, str] | None = None
    topics: tuple[tuple[Resolved, str], ...] = ()
    unknown: tuple[Unknown, ...] = ()


def merge(
    defaults: Mapping[str, Mapping[str, str]],
    overrides: Mapping[str, ReasonOverride] | None = None,
    *,
    names: Mapping[str, tuple[str, ...]] | None = None,
) -> ReasonTable:
    """Build the table from the specialists' defaults (agent → reason → sentence) and the configuration.

    Raises ValueError for a reason that two specialists claim, an unknown specialist, or a new reason that lacks a part.
    """
    entries: dict[str, ReasonEntry] = {}
    for agent, reasons in defaults.items():
        for reason, sentence in reasons.items():
            if reason in entries:
                raise ValueError(f"reason {reason!r} is claimed by {entries[reason].agent!r} and {agent!r}")
            entries[reason] = ReasonEntry(agent=agent, sentence=sentence)
    for reason, override in (overrides or {}).items():
        known = entries.get(reason)
        agent = override.agent or (known.agent if known else None)
        sentence = override.sentence or (known.sentence if known else None)
        if agent is None or sentence is None:
            raise ValueError(f"reason {reason!r} is new: it needs an agent and a sentence")
        if agent not in defaults:
            raise ValueError(f"reason {reason!r} names {agent!r}; the roster has {', '.join(defaults)}")
        entries[reason] = ReasonEntry(agent=agent, sentence=sentence)
    return ReasonTable(entries=entries, names=dict(names or {}))


def resolve(reason_text: str, table: ReasonTable, *, current: str) -> Resolved | Unknown:
    """Match a reason as a model wrote it: exactly (accents, case, spaces apart), else the one close one, else a name."""
    given = _words(reason_text)
    for reason in table.entries:
        if given and _words(reason) == given:
            return _resolved(table, reason, current, "exact")
    close = _close(given, table)
    if len(close) == 1:
        return _resolved(table, close[0], current, "close")
    owners = {table.entries[reason].agent for reason in close}
    if len(owners) == 1:
        return _resolved(table, close[0], current, "close")
    named = _named(given, table) if not close else ()
    if len(named) == 1:
        return Resolved(agent=named[0], reason=" ".join(given), how="named", itself=named[0] == current)
    return Unknown(given=reason_text, valid=tuple(reason for reason, _ in table.for_agent(current)))


def _resolved(table: ReasonTable, reason: str, current: str, how: Literal["exact", "close"]) -> Resolved:
    agent = table.entries[reason].agent
    return Resolved(agent=agent, reason=reason, how=how, itself=agent == current)


def _words(text: str) -> tuple[str, ...]:
    words = _NOT_WORD.sub(" ", flat(text[:200])).split()
    return tuple(word for word in words if not _FILLER.fullmatch(word)) or tuple(words)


def _close(given: tuple[str, ...], table: ReasonTable) -> tuple[str, ...]:
    """Return the reasons whose words are all in the given ones or the other way round, else those spelled alike."""
    if not given:
        return ()
    by_words = tuple(reason for reason in table.entries if _covers(given, _words(reason)))
    if by_words:
        return by_words
    text = " ".join(given)
    return tuple(
        reason for reason in table.entries if SequenceMatcher(None, text, " ".join(_words(reason))).ratio() >= _CLOSE
    )


def _covers(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    small, large = sorted((one, other), key=len)
    return all(any(_alike(word, candidate) for candidate in large) for word in small)


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and (long.startswith(short) or SequenceMatcher(None, one, other).ratio() >= 0.85)


def _named(given: tuple[str, ...], table: ReasonTable) -> tuple[str, ...]:
    found: list[str] = []
    for agent, names in table.names.items():
        if any(set(_words(name)) <= set(given) for name in (agent, *names) if _words(name)):
            found.append(agent)
    return tuple(found)


def resolve_all(declared: Sequence[tuple[str, str]], table: ReasonTable, *, current: str) -> Routing:
    """Settle several (reason, detail) of one message: the first valid one routes, other specialists' are topics."""
    first: tuple[Resolved, str] | None = None
    topics: dict[str, tuple[Resolved, str]] = {}
    unknown: list[Unknown] = []
    for reason, detail in declared:
        found = resolve(reason, table, current=current)
        if isinstance(found, Unknown):
            unknown.append(found)
        elif first is None or (first[0].itself and not found.itself):
            first = (found, detail)
        elif not found.itself and found.agent != first[0].agent:
            topics.setdefault(found.agent, (found, detail))
    return Routing(first=first, topics=tuple(topics.values()), unknown=tuple(unknown))
