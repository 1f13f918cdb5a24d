"""Typed placeholders for what a remote provider has no need to read: documents, e-mails, phones, cards."""

import re
from collections.abc import Callable

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_CPF = re.compile(r"(?<!\d)\d{3}\.\d{3}\.\d{3}[-\s]?\d{2}(?!\d)|(?<!\d)\d{9}-\d{2}(?!\d)")
_CNPJ = re.compile(r"(?<!\d)\d{2}\.?\d{3}\.?\d{3}/\d{4}-?\d{2}(?!\d)")
_CARD = re.compile(r"(?<!\d)\d{4}(?:[ .-]\d{4}){3}(?!\d)")
_PHONE = re.compile(
    r"(?<![\d+])(?:\+?\d{2}[\s-]?)?\(?\d{2}\)?[\s-]?9?[\s-]?\d{4}[\s-]\d{4}(?!\d)|\(\d{2}\)\s?9?\d{8}(?!\d)"
)
_LONG = re.compile(r"\+?(?<!\d)\d{10,60}(?!\d)")
_RG = re.compile(r"(?<![\d.])\d{1,2}\.\d{3}\.\d{3}-[\dXx](?!\w)")


def redact(text: str) -> str:
    """Replace personal identifiers by `<email>`, `<cpf>`, `<cnpj>`, `<rg>`, `<card>`, `<phone>` or `<number>`.

    Bare runs of ten digits and more are replaced whatever they are: a mistyped document is still one, and the choice
    of a specialist never depends on a number that long.
    """
    for pattern, placeholder in _STEPS:
        text = pattern.sub(placeholder, text)
    return text


def _bare_number(match: re.Match[str]) -> str:
    from stdnum.br import cpf

    digits = match.group().lstrip("+")
    mobile = len(digits) == 11 and digits[2] == "9" and not cpf.is_valid(digits)
    abroad = match.group().startswith("+") or (len(digits) in (12, 13) and digits.startswith("55"))
    if mobile or abroad:
        return "<phone>"
    kinds = {11: "<cpf>", 14: "<cnpj>", 15: "<card>", 16: "<card>"}
    return kinds.get(len(digits), "<number>")


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_EMAIL, "<email>"),
    (_CNPJ, "<cnpj>"),
    (_CPF, "<cpf>"),
    (_CARD, "<card>"),
    (_RG, "<rg>"),
    (_PHONE, "<phone>"),
    (_LONG, _bare_number),
)
