"""Words spelt as they sound or mistyped, led back to words that the examples know."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from routing.providers.local_lexicon import concepts
from routing.text import fold

_WORD = re.compile(r"[^\W\d_]{4,24}")
# Spellings that Portuguese does not have: an English word must not be taken for a Portuguese one that sounds alike.
_FOREIGN = re.compile(r"w|y|th|ck|ee|oo|sh|ph|pp|ll|tt|gh|k(?=[aeiou]?$)|[bdfgjkptv]$|ing$|ed$")
_LEAST_SOUND, _LEAST_LETTERS = 4, 5
# Spoken Portuguese written down: letters that sound alike become one, in this order.
_SOUNDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"), (r"sch|sh|ch", "x"), (r"lh", "li"), (r"nh", "ni"), (r"qu(?=[ei])", "k"), (r"gu(?=[ei])", "g"),
        (r"g(?=[ei])", "j"), (r"c(?=[ei])", "s"), (r"[cq]", "k"), (r"ss|sc(?=[ei])|xc(?=[ei])|z", "s"), (r"h", ""),
        (r"m(?=[^aeiou]|$)", "n"), (r"ao$|aun$|an$|on$", "an"), (r"ei(?=[rxjs])", "e"), (r"ou", "o"), (r"y", "i"), (r"w", "v"),
        (r"e", "i"), (r"o", "u"), (r"l(?=[^aeiou]|$)", "u"), (r"(.)\1+", r"\1"), (r"(?<=[aiu])r$", ""),
    )
)  # fmt: skip


def sound(word: str) -> str:
    """Return how a folded Portuguese word sounds, roughly: equal for words that are mistaken for each other."""
    for pattern, letter in _SOUNDS:
        word = pattern.sub(letter, word)
    return word


@dataclass(frozen=True)
class Speller:
    """Known words, commonest first. A word that is not among them may stand for one that sounds or is typed alike."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        by_sound: dict[str, str] = {}
        by_letters: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            by_sound.setdefault(sound(word), word)
            if len(word) > _LEAST_LETTERS and concepts(word):
                for shorter in (word, *_shorter(word)):
                    by_letters[shorter].append(word)
        object.__setattr__(self, "_known", frozenset(self.words))
        object.__setattr__(self, "_by_sound", by_sound)
        object.__setattr__(self, "_by_letters", dict(by_letters))

    def correct(self, text: str, *, exists: Callable[[str], bool]) -> str:
        """Replace words that are not known and do not exist by the known ones that they stand for."""
        return _WORD.sub(lambda match: self._corrected(match.group(), exists), text)

    def _corrected(self, given: str, exists: Callable[[str], bool]) -> str:
        word = fold(given)
        known: frozenset[str] = self._known  # pyright: ignore[reportAttributeAccessIssue]
        if word in known or exists(given.lower()):
            return given
        sounds: dict[str, str] = self._by_sound  # pyright: ignore[reportAttributeAccessIssue]
        alike = None if _FOREIGN.search(word) else sounds.get(sound(word))
        return self._typed(word) or alike or given

    def _typed(self, word: str) -> str | None:
        """Return the commonest word of the lexicon that is one slip away: a letter more, less, other, or two swapped."""
        letters: dict[str, list[str]] = self._by_letters  # pyright: ignore[reportAttributeAccessIssue]
        if len(word) < _LEAST_LETTERS or concepts(word):
            return None
        near = {known for shorter in (word, *_shorter(word)) for known in letters.get(shorter, ())}
        near = {known for known in near if known[0] == word[0] and _one_slip(word, known)}
        return next((known for known in self.words if known in near), None) if near else None


def learn_words(texts: Iterable[str], *, least: int = 3) -> Speller:
    """Collect the words that the texts use at least `least` times: often enough to be no slip themselves."""
    counts = Counter(fold(word) for text in texts for word in _WORD.findall(text))
    return Speller(tuple(word for word, count in counts.most_common() if count >= least and len(word) >= _LEAST_SOUND))


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
