"""A provider's prompt cache, simulated: what a request shares with an earlier one from its first character on is "cached"."""

import json
from collections import deque
from itertools import takewhile
from typing import Any

Json = dict[str, Any]

_LEAST, _STEP = 1_024, 128  # as OpenAI documents it: from 1,024 tokens on, in steps of 128
_KEPT = 50


class PrefixCache:
    """Remembers the last requests. Tools come before messages, as providers render them; four characters are a token."""

    def __init__(self) -> None:
        self._seen: deque[str] = deque(maxlen=_KEPT)

    def read(self, body: Json) -> int:
        """Return how many tokens of this request's messages were cached, and remember it."""
        tools = json.dumps([body.get("model"), body.get("tools") or []], ensure_ascii=False)
        asked = tools + "".join(f"\n{m.get('role')}: {m.get('content')}" for m in body["messages"])
        shared = max((_shared(asked, seen) for seen in self._seen), default=0)
        self._seen.append(asked)
        tokens = max(0, shared - len(tools)) // 4
        return tokens // _STEP * _STEP if tokens >= _LEAST else 0


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
