"""The examples that the embedded model learns from: one JSON Lines file per option, its name the option's id."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from routing.providers.local_encoder import Encoder


class BadExamples(ValueError):
    """An examples folder that cannot be learned from. The message names the file and the line."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A customer's message and the option that it belongs to; a context line also says what was said before it.

    `second` is the option of a second subject, which the same message asks about after the first.
    """

    text: str
    label: str
    current_agent: str | None = None
    last_customer: str | None = None
    last_agent: str | None = None
    second: str | None = None

    @property
    def in_context(self) -> bool:
        return self.last_agent is not None or self.last_customer is not None or self.current_agent is not None


def load_examples(folder: Path, further: Sequence[Path] = ()) -> tuple[Example, ...]:
    """Read every *.jsonl of the folders, in the order of file names; the first folder that has an option wins.

    Raises `BadExamples`.
    """
    files: dict[str, Path] = {}
    for place in (folder, *further):
        for path in place.glob("*.jsonl"):
            files.setdefault(path.stem, path)
    examples: list[Example] = []
    for _, path in sorted(files.items()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip():
                examples.append(_example(line, label=path.stem, where=f"{path.name}:{number}"))
    if len({example.label for example in examples}) < 2:
        raise BadExamples(f"examples of at least two options are needed in {folder.name}/")
    return tuple(examples)


def digest(examples: tuple[Example, ...], *, version: str) -> str:
    """Return a sha256 (hex) over the examples and the version of what learns from them."""
    rows = [[e.label, e.text, e.current_agent, e.last_customer, e.last_agent, e.second] for e in examples]
    return hashlib.sha256(json.dumps([version, rows]).encode()).hexdigest()


def away_from(
    examples: Sequence[Example], texts: Sequence[str], encoder: Encoder, *, limit: float = 0.9
) -> tuple[Example, ...]:
    """Return the examples whose message has a cosine below `limit` to each of the texts: an evaluation's held-out side."""
    if not texts:
        return tuple(examples)
    from routing.providers.local_text import spelt_out

    others = encoder.embed([spelt_out(text) for text in texts])
    own = encoder.embed([spelt_out(example.text) for example in examples])
    nearest = (own @ others.T).max(axis=1)
    return tuple(example for example, near in zip(examples, nearest, strict=True) if near < limit)


def _example(line: str, *, label: str, where: str) -> Example:
    try:
        row: dict[str, Any] = json.loads(line)
        text = row["text"]
    except (ValueError, KeyError, TypeError):
        raise BadExamples(f'{where}: not a line {{"text": …, "register": …}}') from None
    context = {name: row.get(name) for name in ("current_agent", "last_customer", "last_agent", "second")}
    if not isinstance(text, str) or not all(value is None or isinstance(value, str) for value in context.values()):
        raise BadExamples(f"{where}: texts must be strings")
    return Example(text=text, label=label, **context)
