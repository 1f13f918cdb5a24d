"""What the encoder blurs, as sparse weighted rows: pieces of words, words, pairs of words, and concepts of the lexicon."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from routing.providers.local_lexicon import concepts
from routing.providers.local_text import folded

Row = tuple[NDArray[np.int64], NDArray[np.float32]]

# Letters and digits; \w would take the underscore too.
_ALNUM = re.compile(r"[^\W_]+")
_SIZES = (3, 4)
_LONGEST_WORD = 24
# Weight of a concept, of a pair of concepts, beside rows of n-grams of unit length.
_CONCEPT, _PAIR = 0.7, 0.35


def pieces(plain: str) -> Counter[str]:
    """Count the n-grams of letters within words; a space marks a word's edge."""
    counts: Counter[str] = Counter()
    for word in _words(plain):
        counts.update(_pieces_of(word))
    return counts


@lru_cache(maxsize=16384)
def _pieces_of(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    found: list[str] = []
    for size in _SIZES:
        if size >= len(padded):
            return (*found, padded)
        found += [padded[start : start + size] for start in range(len(padded) - size + 1)]
    return tuple(found)


def phrases(plain: str) -> Counter[str]:
    """Count words and pairs of neighbours, each word after "="."""
    words = _words(plain)
    counts = Counter(f"={word}" for word in words)
    counts.update(f"={first}={second}" for first, second in itertools.pairwise(words))
    return counts


def ideas(plain: str) -> dict[str, float]:
    """Weigh the concepts and their ordered pairs, each after "@"; a negated concept counts under its own name too."""
    named = concepts(plain)
    weights = {f"@{name}": _CONCEPT for name in named}
    weights |= {f"@{name.lstrip('!')}": _CONCEPT for name in named}
    weights |= {f"@{first}>{second}": _PAIR for first, second in itertools.combinations(named, 2)}
    return weights or {"@none": _CONCEPT}


@dataclass(frozen=True)
class Vocabulary:
    """The terms that enough examples hold, with their inverse document frequencies."""

    index: dict[str, int]
    idf: NDArray[np.float32]

    @property
    def terms(self) -> list[str]:
        return list(self.index)

    def row(self, text: str) -> Row:
        """Return column numbers and weights of a text: (1 + log count) * idf, pieces and phrases each of unit length."""
        plain = folded(text)
        named = {self.index[term]: weight for term, weight in ideas(plain).items() if term in self.index}
        columns = [np.fromiter(named.keys(), np.int64, len(named))]
        weights = [np.fromiter(named.values(), np.float32, len(named))]
        for counts in (pieces(plain), phrases(plain)):
            known = {self.index[term]: count for term, count in counts.items() if term in self.index}
            found = np.fromiter(known.keys(), np.int64, len(known))
            values = (1.0 + np.log(np.fromiter(known.values(), np.float32, len(known)))) * self.idf[found]
            columns.append(found)
            weights.append(values / (math.sqrt(float(values @ values)) or 1.0))
        return np.concatenate(columns), np.concatenate(weights).astype(np.float32)


def learn_vocabulary(texts: Sequence[str], *, least: int = 2) -> Vocabulary:
    """Collect the terms that occur in at least `least` of the texts."""
    seen: Counter[str] = Counter()
    for text in texts:
        plain = folded(text)
        seen.update(pieces(plain).keys() | phrases(plain).keys() | ideas(plain).keys())
    kept = sorted(term for term, count in seen.items() if count >= least)
    idf = [math.log((1 + len(texts)) / (1 + seen[term])) + 1.0 for term in kept]
    return Vocabulary({term: place for place, term in enumerate(kept)}, np.asarray(idf, dtype=np.float32))


def _words(plain: str) -> list[str]:
    return [word[:_LONGEST_WORD] for word in _ALNUM.findall(plain)]
