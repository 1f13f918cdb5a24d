"""How two spellings of one value are recognised as the same: accents, separators, money, a few synonyms."""

import re
import unicodedata
from functools import lru_cache


class _Flat(dict[int, str]):
    """A translation table that fills itself: one character in, one lower-case character without accent out."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKD", chr(code))[:1].lower()
        self[code] = plain if len(plain) == 1 else chr(code)
        return self[code]


_FLAT = _Flat()
_NOT_ALNUM = re.compile(r"[\W_]+")
_SPELLING = re.compile(r" \(([^()]*)\)$")
_MONEY = re.compile(r"(?<![\w.,])(?:r\$|us\$|\$)?\s?(\d[\d.,]*)")

_PAYMENT = {
    "pix": ("pix",),
    "boleto": ("boleto", "bank slip"),
    "card": ("cartao", "card", "credito", "debito", "credit", "debit"),
}
_STATUS = {
    "not_received": ("nao chegou", "nao recebi", "nao veio", "nunca chegou", "never arrived", "not arrived", "hasn't arrived",
                     "not received", "didn't arrive", "didn't receive", "haven't received", "did not receive"),
    "delayed": ("atrasad", "delayed", "late", "demorando"),
    "cancelled": ("cancel",),
    "returned": ("devolvi", "devolvido", "returned"),
    "in_transit": ("em transito", "in_transit", "in transit", "a caminho", "on its way"),
    "delivered": ("entregue", "chegou", "recebi", "delivered", "arrived", "received"),
    "paid": ("pago", "paid"),
    "preparing": ("em preparacao", "preparing", "preparando"),
    "awaiting_payment": ("aguardando", "awaiting"),
}  # fmt: skip


def flat(text: str) -> str:
    """Return the text without accents and in lower case, with every character at its old position."""
    return text.translate(_FLAT)


def compact(text: str) -> str:
    """Return only the letters and digits, flat: what makes "#W-12 3" and "w123" the same identifier."""
    plain = flat(text)
    return plain if plain.isalnum() else _NOT_ALNUM.sub("", plain)


def spelled(normal: str, original: str) -> str:
    """Return the normal form with the customer's own spelling behind it where the two differ."""
    original = original.strip().replace("(", "").replace(")", "")
    return normal if compact(normal) == compact(original) else f"{normal} ({original})"


def unspelled(value: str) -> str:
    """Return the normal form of what `spelled` wrote."""
    return _SPELLING.sub("", value)


def cents(text: str) -> int | None:
    """Read the first amount of a text in hundredths: "R$ 1.234,56", "89,90 reais", "$12.50", "1234"; None without one."""
    match = _MONEY.search(flat(text))
    return None if match is None else _hundredths(match.group(1).rstrip(".,"))


def _hundredths(digits: str) -> int:
    whole, decimals = digits, ""
    for position in (-3, -2):
        if len(digits) > -position and digits[position] in ".,":
            whole, decimals = digits[:position], digits[position + 1 :]
            break
    return int(re.sub(r"\D", "", whole) or "0") * 100 + int(decimals.ljust(2, "0") or "0")


def normalised(key: str, value: str) -> str:
    """Return the form in which two values of a key are compared."""
    plain = flat(unspelled(value)).strip()
    if key == "payment_method":
        return _named(plain, _PAYMENT)
    if key == "order_status":
        return _named(plain, _STATUS)
    if key == "amount":
        amount = cents(plain)
        return str(amount) if amount is not None else compact(plain)
    return compact(plain)


def _named(plain: str, table: dict[str, tuple[str, ...]]) -> str:
    if plain in table:
        return plain
    for name, words in table.items():
        if any(word in plain for word in words):
            return name
    return compact(plain)


def tokens(text: str) -> list[str]:
    """Return the words of a text as compact tokens, in order."""
    return list(_tokens(text))


@lru_cache(maxsize=512)  # a turn reads the customer's last messages again in every check
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(token for token in (compact(word) for word in text.split()) if token)


def holds(value: str, wanted: str) -> bool:
    """Tell whether a fact's value contains the wanted one as whole words, whatever their accents and separators."""
    have, want = tokens(value), tokens(wanted)
    if not want:
        return False
    if compact(unspelled(value)) == "".join(want):
        return True
    size = len(want)
    return any(have[start : start + size] == want for start in range(len(have) - size + 1))
