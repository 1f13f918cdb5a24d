"""The question that a reply of ours leaves open."""

import re

_AFTER_A_SENTENCE = re.compile(r"(?<=[.!?\n])\s+")


def last_question(text: str) -> str | None:
    """Return the last sentence of a reply where it is a question, as the graph remembers it; else None."""
    last = _AFTER_A_SENTENCE.split(text.strip())[-1]
    return last if last.endswith("?") else None
