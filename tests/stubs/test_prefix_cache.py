"""The simulated prompt cache: from 1,024 tokens on, in steps of 128, and only from the first character on."""

from typing import Any

import pytest

from stubs.prefix_cache import PrefixCache

LONG = "a" * 4 * 1_200


def body(system: str, *, tools: list[Any] | None = None, said: str = "oi") -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": said}]
    return {"model": "m", "tools": tools, "messages": messages}


@pytest.mark.parametrize(
    ("first", "second", "cached"),
    [
        (body(LONG), body(LONG, said="tchau"), 1_152),
        (body("b" + LONG), body("c" + LONG), 0),
        (body("curto"), body("curto"), 0),
        (body(LONG, tools=[{"name": "x"}]), body(LONG, tools=[{"name": "y"}]), 0),
    ],
)
def test_what_is_shared_from_the_beginning_is_cached(first: Any, second: Any, cached: int) -> None:
    cache = PrefixCache()
    assert cache.read(first) == 0
    assert cache.read(second) == cached
