"""A running summary of the turns that left the dialogue: sentences picked, never written. Bounded, without a model."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from routing.dialogue import Turn
from routing.tokens import approximate_tokens
from routing.values import flat, tokens

BUDGET_TOKENS = 200
SENTENCE_CHARS = 160
SEPARATOR = " · "

_MARKS: dict[Literal["customer", "agent", "person"], str] = {"customer": "C: ", "agent": "A: ", "person": "P: "}
_SENTENCE = re.compile(r"[^.!?…\n]+(?:\d[.,]\d[^.!?…\n]*)*[.!?…]*")
_EMPTY = re.compile(
    r"\b(?:oi|ola|bom|boa|dia|tarde|noite|obrigad[oa]|ok|certo|sim|nao|tudo|bem|por favor|claro|entendi|valeu|perfeito|otimo"
    r"|hi|hello|thanks?|thank you|please|yes|no|sure|great|fine|good|okay|bye|you|de nada|disponha|posso ajudar|mais alguma)\b"
)
_ANNOUNCES = re.compile(
    r"\b(?:vou|vamos|iremos|sera|foi|esta|fiz|fizemos|registr|abri|cancel|aprov|reembols|estorn|transfer|promet|retorn|prazo|protocolo"
    r"|i will|we will|i'll|we'll|has been|have been|is now|refund|approved|opened|transferr|promise|deadline|protocol)\w*"
)
_REQUEST = re.compile(
    r"\b(?:quero|preciso|gostaria|troc|devol|reembols|cancel|cade|nao cheg|problema|errad|defeito|want|need|problem|issue|lost|wrong)\w*"
)


def extend_summary(
    previous: str | None,
    leaving: Sequence[Turn],
    *,
    protected: Sequence[str] = (),
    budget_tokens: int = BUDGET_TOKENS,
) -> str | None:
    """Return the summary with the leaving turns in it, at most `budget_tokens`; None while there is nothing to say.

    `protected` are commitments and receipts: they travel in fields of their own and are never summarised, and neither
    is what an agent announced. When it is full, the sentences with least in them go first, then the oldest.
    """
    guarded = [flat(text) for text in protected if text.strip()]
    old = previous.split(SEPARATOR) if previous else []
    picked = [*old, *(line for turn in leaving for line in _lines(turn, guarded))]
    lines = list(dict.fromkeys(line for line in picked if line))
    ranked = sorted(range(len(lines)), key=lambda position: (_worth(lines[position]), position))
    dropped: set[int] = set()
    size = sum(len(line) + len(SEPARATOR) for line in lines)
    for position in ranked:
        if approximate_tokens("x" * size) <= budget_tokens:
            break
        dropped.add(position)
        size -= len(lines[position]) + len(SEPARATOR)
    kept = [line for position, line in enumerate(lines) if position not in dropped]
    return SEPARATOR.join(kept) or None


def _lines(turn: Turn, guarded: Sequence[str]) -> Iterable[str]:
    for match in _SENTENCE.finditer(turn.text):
        sentence = " ".join(match.group().replace("·", "-").split())[:SENTENCE_CHARS]
        plain = flat(sentence)
        if _worth(plain) <= 0 or any(plain in text or text in plain for text in guarded):
            continue
        if turn.role != "customer" and (not sentence.endswith("?") or _ANNOUNCES.search(plain)):
            continue
        yield _MARKS[turn.role] + sentence


@lru_cache(maxsize=1024)  # of a summary, all lines but one were scored the turn before
def _worth(line: str) -> int:
    """Score a sentence by what it names: figures, requests, words beyond courtesies."""
    plain = flat(line)
    bare = _EMPTY.sub(" ", plain.removeprefix("c: ").removeprefix("a: ").removeprefix("p: "))
    content = len([word for word in tokens(bare) if len(word) > 2])
    figures = sum(any(char.isdigit() for char in word) for word in plain.split())
    asked_by_us = plain.startswith(("a: ", "p: "))
    return min(content, 6) + 4 * min(figures, 2) + (3 if _REQUEST.search(plain) else 0) - (6 if asked_by_us else 0)
