"""A circuit breaker per provider: one that is down is left alone for a while instead of being waited for each turn."""

from collections.abc import Callable

from routing.providers.errors import ErrorKind


class Breaker:
    """Closed, open until a time, then one probe at a time. Times are seconds of the given monotonic clock.

    A `retryable` error opens at once, for min(Retry-After, `longest_s`), or 2, 4, 8 … seconds when the server named no
    time; `garbage` opens at the third in a row; `ours` opens only where the error asks for it (a refused key);
    `payment` opens as `retryable` does and is remembered as such.
    """

    def __init__(self, *, clock: Callable[[], float], longest_s: float = 30.0, garbage_limit: int = 3) -> None:
        self._clock = clock
        self._longest_s = longest_s
        self._garbage_limit = garbage_limit
        self._failures = 0
        self._garbage = 0
        self._probing = False
        self.open_until: float | None = None
        self.because: ErrorKind | None = None

    def enter(self) -> bool:
        """Tell whether a call may be made now; after an open time only one caller at a time may try."""
        if self.open_until is None:
            return True
        if self._probing or self._clock() < self.open_until:
            return False
        self._probing = True
        return True

    def rests_s(self) -> float:
        """Return for how many seconds more the provider is left alone; 0 when it may be asked."""
        return 0.0 if self.open_until is None else max(self.open_until - self._clock(), 0.0)

    def leave(self) -> None:
        """Give the probe back without an outcome (the call was cancelled)."""
        self._probing = False

    def succeed(self) -> None:
        self._failures = self._garbage = 0
        self._probing = False
        self.open_until = self.because = None

    def fail(self, kind: ErrorKind, retry_after_s: float | None = None) -> None:
        """Count a failure and open where its kind says so."""
        self._probing = False
        self._garbage = self._garbage + 1 if kind == "garbage" else 0
        opens = kind in ("retryable", "payment") or retry_after_s is not None or self._garbage >= self._garbage_limit
        if not opens:
            return
        self._failures += 1
        wait = retry_after_s if retry_after_s is not None and retry_after_s >= 0 else 2.0 ** min(self._failures, 10)
        self.open_until = self._clock() + min(wait, self._longest_s)
        self.because = kind


class Breakers:
    """The breakers of a process, one per provider name, shared by all its chains."""

    def __init__(self, *, clock: Callable[[], float], longest_s: float = 30.0) -> None:
        self._clock = clock
        self._longest_s = longest_s
        self._by_name: dict[str, Breaker] = {}

    def of(self, name: str) -> Breaker:
        """Return the breaker of a provider, made at the first question."""
        if name not in self._by_name:
            self._by_name[name] = Breaker(clock=self._clock, longest_s=self._longest_s)
        return self._by_name[name]
