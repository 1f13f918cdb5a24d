"""One message while it is read: its text, what is already taken, what was found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from routing.values import flat

MAX_CHARS = 100_000
MAX_FOUND = 400


@dataclass(frozen=True, slots=True)
class Found:
    start: int
    end: int
    key: str
    value: str


@dataclass(slots=True)
class Scan:
    """`taken` marks characters that belong to a found value, `secret` those that no fact may contain."""

    text: str
    asked: str | None = None
    question: bool = False
    country: str = "BR"
    today: date | None = None
    products: Sequence[str] = ()
    flat: str = field(init=False)
    taken: bytearray = field(init=False)
    secret: bytearray = field(init=False)
    found: list[Found] = field(init=False, default_factory=list[Found])

    def __post_init__(self) -> None:
        self.text = self.text[:MAX_CHARS]
        self.flat = flat(self.text)
        self.taken = bytearray(len(self.text))
        self.secret = bytearray(len(self.text))

    def hide(self, start: int, end: int) -> None:
        """Keep a stretch out of every fact."""
        self.secret[start:end] = self.taken[start:end] = b"\x01" * (end - start)

    def free(self, start: int, end: int) -> bool:
        return self.taken.find(1, start, end) < 0

    def hidden(self, start: int, end: int) -> bool:
        return self.secret.find(1, start, end) >= 0

    def add(self, start: int, end: int, key: str, value: str, *, take: bool = True) -> None:
        """Record a value. With `take`, nothing that is searched for later may overlap it."""
        value = value.strip()
        if not value or self.hidden(start, end) or len(self.found) >= MAX_FOUND:
            return
        self.found.append(Found(start, end, key, value))
        if take:
            self.taken[start:end] = b"\x01" * (end - start)

    def inside(self, start: int, end: int, *keys: str) -> bool:
        """Tell whether a stretch lies within a value of one of these keys."""
        return any(found.start <= start and end <= found.end for found in self.found if found.key in keys)

    def covered(self, start: int, end: int) -> int:
        """Return how many characters of a stretch lie within values found so far."""
        marks = bytearray(end - start)
        for found in self.found:
            low, high = max(start, found.start), min(end, found.end)
            if low < high:
                marks[low - start : high - start] = b"\x01" * (high - low)
        return sum(marks)

    def before(self, start: int, size: int = 24) -> str:
        """Return the flat text right before a position."""
        return self.flat[max(0, start - size) : start]
