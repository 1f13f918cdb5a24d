"""A message as parts: text and media by reference, never bytes, and no part dropped in silence."""

from collections.abc import Sequence
from typing import Literal

from routing.model import Frozen

PartType = Literal["text", "image", "audio", "document", "button"]
_PLACEHOLDER = {"image": "[foto]", "audio": "[áudio]", "document": "[documento]", "button": ""}


class Part(Frozen):
    """One part. Media carry `ref` (an opaque reference of the caller's store) and a `name` to show."""

    type: PartType = "text"
    text: str | None = None
    ref: str | None = None
    name: str | None = None


def as_parts(parts: Sequence[Part | str]) -> tuple[Part, ...]:
    """Return parts; a plain string is a text part."""
    return tuple(Part(text=part) if isinstance(part, str) else part for part in parts)


def text_of(parts: Sequence[Part]) -> str:
    """Return what can be read of a message: its words, and a placeholder for every medium."""
    lines: list[str] = []
    for part in parts:
        placeholder = _PLACEHOLDER.get(part.type, "")
        label = f"{placeholder} {part.name or ''}".strip() if placeholder else ""
        lines.extend(piece for piece in (label, part.text or "") if piece)
    return "\n".join(lines)
