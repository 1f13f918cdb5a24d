"""Whether a reply repeats its own instructions: long runs of words that it shares with the static prompt."""

import re
from functools import lru_cache

from routing.pattern import Pattern
from routing.values import flat

RUN = 9  # words in a row that nobody writes by chance
WHOLE = 6  # words of a sentence that is repeated from its first to its last
NEAR = 5  # shorter runs that count together
NEAR_SHARE = 0.6

_WORDS = Pattern(r"[a-z0-9]+")
_ASIDE = Pattern(r"\s?\([^()\n]{0,200}\)")
_HEADING = Pattern(r"(?m)^#{1,6}\s+(.+)$")


def leaked(text: str, prompt: str) -> bool:
    """Tell whether a sentence repeats the prompt.

    It does with `RUN` words in a row, with a whole sentence or heading, or, from ten words on, when `NEAR_SHARE` of its runs of `NEAR` words are
    the prompt's: a word changed here and there hides nothing.
    """
    if not prompt:
        return False
    words = _words(text)
    runs, near, whole = _index(prompt)
    if any(found in runs for found in _grams(words, RUN)) or " ".join(words) in whole:
        return True
    if len(words) < 10:
        return False
    grams = _grams(words, NEAR)
    return sum(gram in near for gram in grams) >= NEAR_SHARE * len(grams)


@lru_cache(maxsize=32)
def _index(prompt: str) -> tuple[frozenset[tuple[str, ...]], frozenset[tuple[str, ...]], frozenset[str]]:
    runs: set[tuple[str, ...]] = set()
    near: set[tuple[str, ...]] = set()
    whole: set[str] = set()
    for sentence in re.split(r"[.!?\n]", f"{prompt}\n{_ASIDE.sub('', prompt)}"):
        words = _words(sentence)
        runs.update(_grams(words, RUN))
        near.update(_grams(words, NEAR))
        if len(words) >= WHOLE:
            whole.add(" ".join(words))
    whole.update(
        " ".join(_words(found.group(1))) for found in _HEADING.finditer(prompt) if len(_words(found.group(1))) >= 3
    )
    return frozenset(runs), frozenset(near), frozenset(whole)


def _words(text: str) -> list[str]:
    return [found.group() for found in _WORDS.finditer(flat(text))]


def _grams(words: list[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
