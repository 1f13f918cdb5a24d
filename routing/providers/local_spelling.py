"""Words spelt as they sound or mistyped, led back to words that the examples know."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from routing.providers.local_lexicon import concepts
from routing.providers.local_text import folded
from routing.text import fold

_WORD = re.compile(r"[^\W\d_]{4,24}")
# Spellings that Portuguese does not have: an English word must not be taken for a Portuguese one that sounds alike.
_FOREIGN = re.compile(r"w|y|th|ck|oo|sh|ph|pp|ll|tt|gh|k(?=[aeiou]?$)|[bdfgjkptv]$|ing$|ed$")
_LEAST_LETTERS = 5
# Spoken Portuguese written down: letters that sound alike become one, in this order.
_SOUNDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"), (r"sch|sh|ch", "x"), (r"lh", "li"), (r"nh", "ni"), (r"qu(?=[ei])", "k"), (r"gu(?=[ei])", "g"),
        (r"g(?=[ei])", "j"), (r"c(?=[ei])", "s"), (r"[cq]", "k"), (r"ss|sc(?=[ei])|xc(?=[ei])|z", "s"), (r"h", ""),
        (r"m(?=[^aeiou]|$)", "n"), (r"ao$|aun$|an$|on$", "an"), (r"ei(?=[rxjs])", "e"), (r"ai(?=x)", "a"), (r"ou", "o"), (r"y", "i"), (r"w", "v"),
        (r"e", "i"), (r"o", "u"), (r"l(?=[^aeiou]|$)", "u"), (r"(.)\1+", r"\1"), (r"(?<=[aiu])r$", ""),
    )
)  # fmt: skip


@lru_cache(maxsize=16384)
def sound(word: str) -> str:
    """Return how a Portuguese word sounds, roughly: equal for words that are mistaken for each other."""
    word = fold(word.lower().replace("ç", "ss"))
    for pattern, letter in _SOUNDS:
        word = pattern.sub(letter, word)
    return word


@dataclass(frozen=True)
class Speller:
    """Known words as they are written, commonest first. A word that is not among them may stand for one that sounds or
    is typed alike.
    """

    words: tuple[str, ...]

    @cached_property
    def _known(self) -> dict[str, str]:
        return {fold(word): word for word in reversed(self.words)}

    @cached_property
    def _by_sound(self) -> dict[str, str]:
        return {sound(word): word for word in reversed(self.words)}

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for word in self._known:
            if len(word) > _LEAST_LETTERS and concepts(word):
                for shorter in (word, *_shorter(word)):
                    found[shorter].append(word)
        return dict(found)

    def correct(self, text: str, *, exists: Callable[[str], bool]) -> str:
        """Replace words that are not known and do not exist by the known ones that they stand for."""
        return _WORD.sub(lambda match: self._corrected(match.group(), exists), text)

    def _corrected(self, given: str, exists: Callable[[str], bool]) -> str:
        word = folded(given)
        if word in self._known or exists(given.lower()):
            return given
        alike = None if _FOREIGN.search(word) else self._by_sound.get(sound(given))
        return self._typed(word) or alike or given

    def _typed(self, word: str) -> str | None:
        """Return the commonest word of the trade that is one slip away: a letter more, less, other, or two swapped."""
        if len(word) < _LEAST_LETTERS or concepts(word):
            return None
        near = {known for shorter in (word, *_shorter(word)) for known in self._by_letters.get(shorter, ())}
        near = {known for known in near if known[0] == word[0] and _one_slip(word, known)}
        return (
            next((written for known, written in reversed(self._known.items()) if known in near), None) if near else None
        )


def learn_words(texts: Iterable[str], *, least: int = 3) -> Speller:
    """Collect the words that the texts use at least `least` times, each in its commonest spelling with accents."""
    counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for word, count in counts.items():
        spellings[fold(word)][word] += count
    often = {plain: written for plain, written in spellings.items() if written.total() >= least}
    ranked = sorted(often.values(), key=lambda written: (-written.total(), written.most_common(1)[0][0]))
    return Speller(tuple(written.most_common(1)[0][0] for written in ranked))


def _shorter(word: str) -> Sequence[str]:
    return [word[:place] + word[place + 1 :] for place in range(len(word))]


def _one_slip(given: str, known: str) -> bool:
    if abs(len(given) - len(known)) > 1:
        return False
    start = 0
    while start < min(len(given), len(known)) and given[start] == known[start]:
        start += 1
    a, b = given[start:], known[start:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and len(b) > 1 and a[2:] == b[2:])
