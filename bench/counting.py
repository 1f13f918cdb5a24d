"""How many tokens a turn sends, and what of it a provider's prefix cache would already have."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.model import Request
from routing.tokens import approximate_tokens

# OpenAI's published rule: prefixes from 1,024 tokens, in steps of 128. Others are finer or ask for marks.
SHORTEST, STEP = 1024, 128
_LOOKED_AT = 8


@dataclass(slots=True)
class Counter:
    """Counts the requests of one conversation, turn by turn. A cache that never expires is assumed, which favours long prefixes."""

    _seen: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def turn(self, requests: Sequence[Request]) -> dict[str, int]:
        """Return requests, tokens sent, tokens without static prompt and schemas, and what would count at a discount."""
        sent = varying = cached = 0
        for request in requests:
            size = approximate_tokens(request.whole)
            sent, varying = sent + size, varying + approximate_tokens(request.varying)
            cached += self._cached(request)
        return {
            "requests": len(requests), "sent": sent, "varying": varying, "cached": cached,
            "at_50": round(sent - 0.5 * cached), "at_90": round(sent - 0.9 * cached),
        }  # fmt: skip

    def _cached(self, request: Request) -> int:
        earlier = self._seen.setdefault(request.agent, [])
        longest = max((_common(request.whole, other) for other in earlier), default=0)
        earlier.append(request.whole)
        del earlier[:-_LOOKED_AT]
        tokens = longest // 4
        return 0 if tokens < SHORTEST else tokens // STEP * STEP


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
