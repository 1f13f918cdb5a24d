"""Typed placeholders for what may not be told any further: secrets, documents, e-mails, phones, cards; and known values.

What has a form of its own is found anywhere. A name or a street has none: it is found where it is known (`Known`).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from routing.pattern import Pattern
from routing.sanitize_cards import without_cards
from routing.sanitize_secrets import CVV_TEXT, PASSWORD_TEXT, without_cvv, without_passwords

Kind = Literal["name", "email", "phone", "cpf", "cnpj", "cep", "address", "city", "card"]

SECRET = "<secret>"
_EDGE, _END = r"(?<![\w])", r"(?!\w)"
_SECRETS = (
    (Pattern(r"(?i)\b(bearer|basic)\s+[\w.~+/=\-]{8,}"), rf"\1 {SECRET}"),
    (Pattern(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"), SECRET),
    (Pattern(r"(?i)(?<![\w-])(?:sk|pk|rk|key|token|glpat|xox[abp])-[\w-]{8,}"), SECRET),
    (Pattern(r"(?<![\w-])(?:sk|pk|rk|gh[pousr]|github_pat)_(?=\w*\d)\w{8,}"), SECRET),
    (Pattern(r"\bAKIA[0-9A-Z]{12,}"), SECRET),
    (
        Pattern(
            r"(?i)((?<![a-z])(?:[a-z]{0,20}[_-])?(?:api[_-]?key|secret(?:[_-]?key)?|client[_-]?secret|password|passwd|pwd|senha|(?:access[_-]?|auth[_-]?)?token|authorization|cookie|signature)"
            r"['\"]?\s*(?:[:=]|=>)\s*['\"]?)(?!\[|<|bearer\b|basic\b)[^\s'\",;}&]{3,}"
        ),
        rf"\1{SECRET}",
    ),
    (Pattern(r"://[^\s:/@]{0,80}:[^\s@/]{1,200}@"), f"://{SECRET}@"),
)
_EMAIL = Pattern(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_CNPJ = Pattern(rf"{_EDGE}\d{{2}}\.?\d{{3}}\.?\d{{3}}/?\d{{4}}-\d{{2}}{_END}|{_EDGE}\d{{14}}{_END}")
_CPF = Pattern(rf"{_EDGE}\d{{3}}[. ]\d{{3}}[. ]\d{{3}}[-/. ]?\d{{2}}{_END}|{_EDGE}\d{{9}}-\d{{2}}{_END}")
_RG = Pattern(rf"{_EDGE}\d{{1,2}}\.\d{{3}}\.\d{{3}}-[\dXx]{_END}")
_CEP = Pattern(r"(?<![\w.-])\d{5}-\d{3}(?![\w-])")
_PHONE = Pattern(
    r"(?<![\w+.-])\+?(?:55[\s-]?)?\(?\d{2}\)?[\s-]?9?[\s-]?\d{4}[\s-]\d{4}(?![\w-])|(?<![\w.-])\(\d{2}\)\s?9?\d{8}(?!\w)|(?<!\w)\+\d{10,15}(?!\w)"
)
_LONG = Pattern(r"(?<![\w.+-])\d{10,13}(?![\w-]|\.\d)")
_CARD_TOLD = Pattern(r"cartão final \d{4}")


def masked(text: str) -> str:
    """Replace secrets and what looks like a personal number by `<secret>`, `<email>`, `<cpf>`, `<phone>`, `<card>` …

    Masking twice changes nothing.
    """
    for pattern, replacement in _SECRETS:
        text = pattern.compiled.sub(replacement, text)
    for step in _STEPS:
        text = step(text)
    return text


def _without_told_secrets(text: str) -> str:
    text = without_cvv(without_passwords(text))
    return text.replace(PASSWORD_TEXT, SECRET).replace(CVV_TEXT, SECRET)


def _bare_number(match: re.Match[str]) -> str:
    """Tell eleven digits that are a CPF or a mobile phone, and phones with a country code, from a number of ours."""
    from stdnum.br import cpf

    digits = match.group()
    if len(digits) == 11 and cpf.is_valid(digits):
        return "<cpf>"
    national = digits.removeprefix("55") if len(digits) > 11 else digits
    if len(national) in (10, 11) and "11" <= national[:2] <= "99" and national[1] != "0":
        return "<phone>"
    return digits


def _sub(pattern: Pattern, placeholder: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    return lambda text: pattern.sub(placeholder, text)


_STEPS: tuple[Callable[[str], str], ...] = (
    _without_told_secrets,
    _sub(_EMAIL, "<email>"),
    lambda text: _CARD_TOLD.sub("<card>", without_cards(text)),
    _sub(_CNPJ, "<cnpj>"),
    _sub(_CPF, "<cpf>"),
    _sub(_RG, "<rg>"),
    _sub(_PHONE, "<phone>"),
    _sub(_CEP, "<cep>"),
    _sub(_LONG, _bare_number),
)


class Known:
    """Values that are known to be somebody's, each with its kind; found in any spelling, accents, case and spacing aside."""

    def __init__(self, values: Iterable[tuple[Kind, str]]) -> None:
        found = {pattern: kind for kind, value in values for pattern in _spellings(kind, value)}
        # The longest first: a street with its number before the name that it is named after.
        self._patterns = [
            (re.compile(pattern, re.IGNORECASE), f"<{found[pattern]}>")
            for pattern in sorted(found, key=len, reverse=True)
        ]

    def replaced(self, text: str) -> str:
        """Return the text with placeholders for the known values, and for everything that `masked` finds."""
        text = unicodedata.normalize("NFC", text)
        for pattern, placeholder in self._patterns:
            text = pattern.sub(placeholder, text)
        return masked(text)


@dataclass(frozen=True, slots=True)
class Masker:
    """Masks like `masked`, and also exact values: the secrets that a process was started with."""

    secrets: tuple[str, ...] = ()

    def __call__(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, SECRET)
        return masked(text)


_SHORTEST = 3
_PARTICLES = frozenset({"da", "de", "do", "das", "dos", "van", "von", "del", "della", "the", "and"})
_VARIANTS = {
    "a": "aáàâãä", "e": "eéèêë", "i": "iíìîï", "o": "oóòôõö", "u": "uúùûü", "c": "cç", "n": "nñ", "y": "yýÿ",
}  # fmt: skip


def _spellings(kind: Kind, value: str) -> list[str]:
    """Return the patterns that find a value of a kind."""
    value = value.strip()
    if kind in ("cpf", "cnpj", "phone", "cep", "card"):
        digits = re.sub(r"\D", "", value)
        local = digits.removeprefix("55") if kind == "phone" and len(digits) > 11 else digits
        return [_digits(local)] if len(local) >= 7 else []
    if len(value) < _SHORTEST:
        return []
    if kind == "name":
        single = [word for word in re.findall(r"[^\W\d_]+", value) if _is_own(word)]
        return [_loose(value), *(_loose(word) for word in single)]
    if kind == "address":
        street = re.split(r",|\s+\d", value, maxsplit=1)[0].strip()
        number = rf"(?:[\s,]*(?:n[ºo°.]*\s*)?\d{{1,6}}[a-z]?{_END})?"
        return [_loose(value), *([_loose(street) + number] if len(street) > _SHORTEST else [])]
    return [_loose(value)]


def _is_own(word: str) -> bool:
    return len(word) >= _SHORTEST and word.lower() not in _PARTICLES


def _digits(digits: str) -> str:
    return r"(?<!\d)\(?(?:\+?55[\W_]{0,3})?\(?" + r"[\W_]{0,3}".join(digits) + r"(?!\d)"


def _loose(value: str) -> str:
    """Return a pattern for a text in any case and accents, whatever stands between its words."""
    plain = "".join(c for c in unicodedata.normalize("NFD", value.lower()) if not unicodedata.combining(c))
    words = [
        "".join(f"[{_VARIANTS[char]}]" if char in _VARIANTS else re.escape(char) for char in word)
        for word in re.findall(r"\w+", plain)
    ]
    return _EDGE + r"[\W_]{1,4}".join(words) + _END if words else r"(?!)"
