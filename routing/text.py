"""Text as the rules see it: folded for matching, never for storing or showing."""

import unicodedata
from functools import lru_cache

from routing.pattern import Pattern

_APOSTROPHES = Pattern("['\u2019\u2018`\u00b4]")
_NOT_WORD = Pattern(r"[\W_]+")
_STRETCHED = Pattern(r"([a-z])\1{2,}")
# Zero-width characters, soft hyphen, bidi marks and controls, variation selectors: invisible, and they split words.
_SHORT_FORMS = {
    "n": "nao", "naum": "nao", "q": "que", "qro": "quero", "qria": "queria", "eh": "e", "mt": "muito", "msm": "mesmo",
    "axo": "acho", "pq": "porque", "cmg": "comigo", "ngm": "ninguem", "alg": "alguem", "hj": "hoje", "atd": "atendente",
}  # fmt: skip
_INVISIBLE = Pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
# What `visible` keeps and nobody sees all the same: the blank braille cell, Khmer's inherent vowels, variation selectors beyond the BMP.
_UNSEEN = Pattern("[\u2800\u17b4\u17b5\U000e0100-\U000e01ef]")
_UNSEEN_KINDS = ("Cc", "Cf", "Zs", "Zl", "Zp")


def storable(text: str) -> str:
    """Drop what no database column takes: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def visible(text: str) -> str:
    """Return what a person sees: NFKC, without NUL, lone surrogates, zero-width and bidi characters."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", storable(text)))


def blank(text: str) -> bool:
    """Tell whether nobody would see anything of it: empty, white space, or characters without a shape."""
    return all(unicodedata.category(char) in _UNSEEN_KINDS or _UNSEEN.match(char) for char in visible(text))


@lru_cache(maxsize=512)  # a turn's rules ask for the same few texts dozens of times
def fold(text: str) -> str:
    """Lower the case and drop accents, keeping punctuation and line breaks: for patterns that need them."""
    decomposed = unicodedata.normalize("NFD", visible(text).casefold())
    plain = decomposed
    if not decomposed.isascii():
        plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _APOSTROPHES.sub("'", plain)


@lru_cache(maxsize=512)
def normalise(text: str) -> str:
    """Fold accents, case and punctuation to single spaces; letters typed three times or more count once ("simmm")."""
    bare = _NOT_WORD.sub(" ", fold(text).replace("'", "")).strip()
    return _STRETCHED.sub(r"\1", bare)


def words(text: str) -> list[str]:
    """Return the normalised words."""
    return normalise(text).split()


def spelled_out(text: str) -> str:
    """Normalise and write common short forms out ("n quero" → "nao quero")."""
    return " ".join(_SHORT_FORMS.get(word, word) for word in words(text))


_HIDDEN = dict.fromkeys([0x00, 0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)])


def presentable(text: str) -> str:
    """Return a model's text as it may be stored and shown: no NUL, lone surrogate, zero-width or bidi control."""
    return text.translate(_HIDDEN).encode("utf-8", "ignore").decode("utf-8")
