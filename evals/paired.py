"""Two providers on the same cases: a difference is said only where it is larger than the noise."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Paired:
    """Of `n` cases, `first_only` were right by the first alone and `second_only` by the second alone."""

    n: int
    first_only: int
    second_only: int

    @property
    def p_value(self) -> float:
        """Return the exact two-sided p of McNemar's test (Psychometrika 12, 1947): a binomial over what differs; 1 of none."""
        differing, fewer = self.first_only + self.second_only, min(self.first_only, self.second_only)
        return min(1.0, 2 * sum(math.comb(differing, k) for k in range(fewer + 1)) / 2**differing)

    @property
    def is_noise(self) -> bool:
        return self.p_value >= ALPHA

    def sentence(self, first: str, second: str) -> str:
        """Say whether one is better, in words that do not promise more than the cases show."""
        differing = self.first_only + self.second_only
        if not differing:
            return f"{first} and {second} are right on the same cases of {self.n}."
        if self.is_noise:
            return f"{first} and {second}: {differing} cases of {self.n} differ ({self.first_only} to {self.second_only}); that is not evidence (p = {self.p_value:.2f})."
        ours = self.first_only > self.second_only
        better, other = (first, second) if ours else (second, first)
        more, less = max(self.first_only, self.second_only), min(self.first_only, self.second_only)
        return f"{better} is better than {other}: alone right {more} times, the other {less} times of {self.n} (p = {self.p_value:.2g})."

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "n": self.n,
            "first_only": self.first_only,
            "second_only": self.second_only,
            "p": round(self.p_value, 6),
            "noise": self.is_noise,
        }


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """Count the cases on which two disagree. Raises ValueError for runs of different lengths."""
    both = list(zip(first, second, strict=True))
    return Paired(
        n=len(both), first_only=sum(a and not b for a, b in both), second_only=sum(b and not a for a, b in both)
    )
