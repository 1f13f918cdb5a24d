"""Sensitive topics: what a bot must not talk through by itself.

Found by patterns, so that no model can miss what they spell; a reader by examples (routing/ports.py) adds to them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from pydantic import Field

from routing.model import Frozen, Language
from routing.pattern import Pattern
from routing.sensitive_patterns import GIVES_AWAY, INNOCENT
from routing.sentences import say
from routing.short_forms import written_out
from routing.text import normalise, visible


@dataclass(frozen=True, slots=True)
class SensitiveTopic:
    """A topic of the table in config.

    `priority`: 0 comes first, in the match and in the queue. `may_go_on`: whether the bot may serve other subjects while
    a person is awaited. The texts default to `turns.sensitive_<id>`. `phrases` are further words of the shop's own,
    matched whole; they also make a topic that has no patterns of ours.
    """

    id: str
    priority: int
    may_go_on: bool
    text_pt: str | None = None
    text_en: str | None = None
    phrases: tuple[str, ...] = ()


class ByExample(Frozen):
    """How sure a reading by examples must be: a probability for every sign, and for those that ask for another.

    Lower where a miss costs more than a needless text and a person. `enabled: false` leaves the patterns alone. Chosen on
    the router's three sets: of 2,922 messages that need no person these send 13 to one (0.44%, Wilson 0.26–0.76%).
    """

    enabled: bool = True
    threshold: float = Field(default=0.65, gt=0, le=1)
    thresholds: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(
        default_factory=lambda: {"self_harm": 0.6, "safety": 0.5}
    )

    def enough(self, sign: str) -> float:
        return self.thresholds.get(sign, self.threshold)


DEFAULT_TOPICS: tuple[SensitiveTopic, ...] = (
    SensitiveTopic("self_harm", priority=0, may_go_on=False),
    SensitiveTopic("safety", priority=1, may_go_on=False),
    SensitiveTopic("fraud", priority=2, may_go_on=True),
    SensitiveTopic("minor", priority=3, may_go_on=True),
    SensitiveTopic("legal_threat", priority=4, may_go_on=True),
    SensitiveTopic("data_request", priority=5, may_go_on=True),
)
# Digits and signs in place of letters ("su1cidio", "m@tar"), undone for a second look.
_LEET = str.maketrans("@4301$", "aaeois")
_MIXED = Pattern(r"(?<!\S)(?=\S*[^\W\d_])(?=\S*[@4301$])\S+")


def find_topic(text: str, topics: Sequence[SensitiveTopic] = DEFAULT_TOPICS) -> SensitiveTopic | None:
    """Return the most urgent of the topics that the message touches, or None."""
    spellings = {
        written_out(text),
        written_out(_MIXED.sub(lambda match: match.group().translate(_LEET), visible(text))),
    }
    for topic in sorted(topics, key=lambda topic: topic.priority):
        if any(_touches(said, topic) for said in spellings):
            return topic
    return None


def topic_of(topics: Sequence[SensitiveTopic], identifier: str) -> SensitiveTopic:
    """Return the topic with this id. Raises KeyError."""
    for topic in topics:
        if topic.id == identifier:
            return topic
    raise KeyError(identifier)


def approved_text(topic: SensitiveTopic, language: Language) -> str:
    """Return what is said to the customer: the shop's own text, else ours."""
    own = topic.text_en if language == "en" else topic.text_pt
    if own is not None:
        return own
    key = f"turns.sensitive_{topic.id}" if topic.id in GIVES_AWAY else "turns.sensitive_other"
    return say(key, language)


def without_figures(text: str, topic: str) -> str:
    """Return the text without the figures of speech that only look like the topic; as it is where it has none."""
    innocent, _ = _compiled(topic)
    said = written_out(text)
    return text if innocent is None or innocent.search(said) is None else innocent.sub(" . ", said)


def _touches(said: str, topic: SensitiveTopic) -> bool:
    if any(re.search(rf"\b{re.escape(phrase)}\b", said) for own in topic.phrases if (phrase := normalise(own))):
        return True
    innocent, gives_away = _compiled(topic.id)
    if gives_away is None:
        return False
    if innocent is not None:
        said = innocent.sub(" . ", said)
    return gives_away.search(said) is not None


@cache
def _compiled(identifier: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    # Compiled at the first message, not at import.
    innocent, gives_away = INNOCENT.get(identifier, ()), GIVES_AWAY.get(identifier, ())
    return (
        re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in innocent)) if innocent else None,
        re.compile("|".join(gives_away)) if gives_away else None,
    )
