"""A message as parts: text and media by reference, never bytes, and no part dropped in silence."""

from collections.abc import Sequence
from typing import Literal

from routing.model import Frozen
from routing.sanitize import CUT_TEXT, clean, clean_parts
from routing.text import blank

PartType = Literal["text", "image", "audio", "document", "button"]
_PLACEHOLDER = {"image": "[foto]", "audio": "[áudio]", "document": "[documento]", "button": ""}


NOTHING_SAID = "a message needs text that can be seen, or a part with text or ref"


class NothingSaid(ValueError):
    """A message in which nobody would find anything to read or to look at; it is no message."""

    def __init__(self) -> None:
        super().__init__(NOTHING_SAID)


class Part(Frozen):
    """One part. Media carry `ref` (an opaque reference of the caller's store) and a `name` to show.

    `cut`: its text was longer than the limit, and only the beginning was kept.
    """

    type: PartType = "text"
    text: str | None = None
    ref: str | None = None
    name: str | None = None
    cut: Literal[True] | None = None


def as_parts(parts: Sequence[Part | str]) -> tuple[Part, ...]:
    """Return parts; a plain string is a text part."""
    return tuple(Part(text=part) if isinstance(part, str) else part for part in parts)


def says_nothing(parts: Sequence[Part]) -> bool:
    """Tell whether a message holds neither words that can be seen nor a medium: the one rule of every door."""
    return all(blank(part.text or "") and blank(part.ref or "") for part in parts)


def text_of(parts: Sequence[Part]) -> str:
    """Return what can be read of a message: its words, and a placeholder for every medium."""
    lines: list[str] = []
    for part in parts:
        placeholder = _PLACEHOLDER.get(part.type, "")
        label = f"{placeholder} {part.name or ''}".strip() if placeholder else ""
        lines.extend(piece for piece in (label, part.text or "") if piece)
    return "\n".join(lines)


def cleaned_parts(parts: Sequence[Part], *, limit: int) -> tuple[Part, ...]:
    """Return the parts without what may not be stored: in their texts together, in names and references one by one.

    `limit` bounds the message's words together; a part of which only the beginning was kept is marked as cut.
    """
    kept: list[Part] = []
    left = limit
    for part, text in zip(parts, clean_parts([part.text or "" for part in parts], limit=limit), strict=True):
        shown = text if len(text.text) <= left else clean(text.text, limit=max(left, len(CUT_TEXT)))
        left -= len(shown.text)
        changed = {name: clean(value, limit=limit).text for name, value in _names_of(part).items()}
        cut = True if "length" in (*text.removed, *shown.removed) else None
        kept.append(part.model_copy(update={**changed, "cut": cut} | ({"text": shown.text} if part.text else {})))
    return tuple(kept)


def _names_of(part: Part) -> dict[str, str]:
    return {name: value for name, value in (("name", part.name), ("ref", part.ref)) if value}
