"""What the door does to a message before anything is stored: what must never be kept is taken out, visibly."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from routing.pattern import Pattern
from routing.sanitize_cards import CARD_TEXT, luhn_valid, without_cards
from routing.sanitize_secrets import CVV_TEXT, PASSWORD_TEXT, without_cvv, without_passwords
from routing.text import storable

__all__ = ["CARD_TEXT", "CUT_TEXT", "CVV_TEXT", "PASSWORD_TEXT", "Cleaned", "clean", "clean_parts", "luhn_valid"]

Removed = Literal["card", "cvv", "password", "control", "length"]

CUT_TEXT = " […mensagem cortada]"
DEFAULT_LIMIT = 4000
_HALF_WORD = Pattern(r"(?<=\s)\S{1,60}$")
_HALF_PLACEHOLDER = Pattern(r"\[[^\]\n]{0,20}$")
_FAR = 8
_ROUNDS = 10
_STEPS: tuple[tuple[Removed, Callable[[str], str]], ...] = (
    ("password", without_passwords),
    ("cvv", without_cvv),
    ("card", without_cards),
)
# Between two parts while they are cleaned as one text: a control character that counts as white space, so that a number or a
# sentence that runs over parts is seen whole. Whatever is taken out leaves the marks in place.
_PART_MARK = "\x1e"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A message as it may be stored, and what was taken out of it."""

    text: str
    removed: tuple[Removed, ...] = ()


def clean(text: str, *, limit: int = DEFAULT_LIMIT) -> Cleaned:
    """Take out NUL and lone surrogates, cards (kept as "cartão final 1234"), CVV and passwords; bound the length.

    Cleaning twice changes nothing. `limit` counts characters, the marker included; it must hold the marker.
    """
    return clean_parts((text,), limit=limit)[0]


def clean_parts(texts: Sequence[str], *, limit: int = DEFAULT_LIMIT) -> tuple[Cleaned, ...]:
    """Clean the parts of one message as what they are, one text: a card may be written half in one and half in the next.

    `limit` bounds each part.
    """
    near = [_near(text.replace(_PART_MARK, " "), limit) for text in texts]
    kept = [unicodedata.normalize("NFC", storable(text)) for text in near]
    removed: list[Removed] = []
    whole = _without_secrets(_PART_MARK.join(kept), removed)
    pieces = whole.split(_PART_MARK)
    assert len(pieces) == len(texts)
    return tuple(
        _bounded(piece, _noted(removed, shown=shown), far=len(shown) < len(text), limit=limit)
        for piece, shown, text in zip(pieces, near, texts, strict=True)
    )


def _near(text: str, limit: int) -> str:
    """Far beyond the limit nothing will be kept, so nothing is searched; no card may be halved there."""
    return text if len(text) <= limit * _FAR else text[: limit * _FAR].rstrip("0123456789 .-\n")


def _without_secrets(text: str, removed: list[Removed]) -> str:
    # What is left after a removal may be laid out like another card: repeated until nothing changes.
    for _ in range(_ROUNDS):
        before = text
        for what, step in _STEPS:
            cleaned = step(text)
            if cleaned != text and what not in removed:
                removed.append(what)
            text = cleaned
        if text == before:
            break
    return text


def _noted(removed: Sequence[Removed], *, shown: str) -> tuple[Removed, ...]:
    control: tuple[Removed, ...] = ("control",) if storable(shown) != shown else ()
    return (*control, *removed)


def _bounded(text: str, removed: tuple[Removed, ...], *, far: bool, limit: int) -> Cleaned:
    if len(text) <= limit and not far:
        return Cleaned(text=text, removed=removed)
    return Cleaned(text=_cut(text, max(limit - len(CUT_TEXT), 0)) + CUT_TEXT, removed=(*removed, "length"))


def _cut(text: str, limit: int) -> str:
    """Cut at the last space: half a number or half a placeholder would read as something else."""
    kept = text[:limit]
    if len(text) > limit and not text[limit].isspace():
        kept = _HALF_WORD.sub("", kept)
    return _HALF_PLACEHOLDER.sub("", kept).rstrip()
