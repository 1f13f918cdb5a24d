"""The examples of what a person must see: one JSON Lines file a sign, its messages and those that only look like them.

A sign is a sensitive topic, or the wish to speak with a person (`routing.sensing.ASKED`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from routing.providers.local_examples import BadExamples


@dataclass(frozen=True, slots=True)
class Labelled:
    """A customer's message and its sign; None for a look-alike or an ordinary message."""

    text: str
    sign: str | None


def load_labelled(folders: Sequence[Path]) -> tuple[Labelled, ...]:
    """Read every *.jsonl of the folders, in the order of folders and names. Raises `BadExamples`.

    A line is {"text", "sign"}; its sign is the file's name or null. A folder that does not exist holds nothing.
    """
    found = [
        _labelled(line, sign=path.stem, where=f"{path.name}:{number}")
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.strip()
    ]
    signs = {example.sign for example in found}
    if not signs - {None} or None not in signs:
        raise BadExamples("examples of at least one sign and of look-alikes are needed")
    return tuple(found)


def _labelled(line: str, *, sign: str, where: str) -> Labelled:
    try:
        row = json.loads(line)
        text, named = row["text"], row["sign"]
    except (ValueError, KeyError, TypeError):
        raise BadExamples(f'{where}: not a line {{"text": …, "sign": … or null}}') from None
    if not isinstance(text, str) or not text.strip():
        raise BadExamples(f"{where}: the text must be a sentence")
    if named not in (sign, None):
        raise BadExamples(f"{where}: the sign must be {sign!r} (the file's name) or null, not {named!r}")
    return Labelled(text=text, sign=named)
