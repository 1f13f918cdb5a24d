"""What the door does to a message before anything is stored: what must never be kept is taken out, visibly."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from routing.pattern import Pattern
from routing.text import storable

Removed = Literal["card", "cvv", "password", "control", "length"]

CARD_TEXT = "cartão final {last4}"
CVV_TEXT = "[CVV removido]"
PASSWORD_TEXT = "[senha removida]"
CUT_TEXT = " […mensagem cortada]"
_CUT_MARK = "[\u2026"
_HALF_WORD = Pattern(r"(?<=\s)\S{1,60}$")
_HALF_PLACEHOLDER = Pattern(r"\[[^\]\n]{0,20}$")
DEFAULT_LIMIT = 4000
_FAR = 8
_ROUNDS = 10

# Between two digits of a card: what people and invisible formatting put there.
_GAP = "[ .\\t\\r\\n\u00a0\u2007\u202f\u2009\u200b-\u200d\u2060\ufeff\u00ad\u2010-\u2015\u2212\\-]{0,3}"
_DIGITS = Pattern(rf"\d(?:{_GAP}\d){{12,}}")
_GROUP = Pattern(r"\d+")
_LONGEST = 19
_CARD_GROUPS = (
    (4, 4, 4, 4),
    (4, 4, 4, 4, 1),
    (4, 4, 4, 4, 2),
    (4, 4, 4, 4, 3),
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 1),
    (4, 4, 4, 2),
    (4, 4, 4, 3),
)
# Numbers that may pass Luhn by chance and are known to be something else.
_NOT_CARD_BEFORE = Pattern(
    r"(?i)(?:imei|chave|nf-?e|danfe|c[óo]digo de barras|linha digit[áa]vel|ean|gtin|protocolo)\W{0,4}(?:\w+\W{1,3}){0,2}$"
)

_SEPARATED = r"[\s:=\u00e9e#*\-\u2013]*"
_CVV_NAME = r"(?:c[óo]d(?:igo|\.)?\s*(?:de\s*)?(?:seguran[çc]a|verifica[çc][ãa]o)(?:\s*do\s*(?:meu\s*)?cart[ãa]o)?|cvv2?|cvc2?|cvn|cid do cart[ãa]o|security\s*code|(?:os\s*)?(?:3|tr[êe]s)\s*(?:n[úu]meros|d[íi]gitos)\s*(?:de\s*)?(?:atr[áa]s|do verso))"
_CVV = Pattern(
    rf"(?i)(?<!\w)({_CVV_NAME}(?:\s+(?:do|da|dele|is|[ée]|[ée]\s+o|eh|era|meu|cart[ãa]o))*{_SEPARATED})(\d(?:[ .-]?\d){{2,3}})(?!\d)"
)
_CVV_AFTER = Pattern(
    rf"(?i)(?<![\d\w-])(\d{{3,4}})(\s*(?:[ée]|eh|is)\s+(?:o\s+|meu\s+|the\s+|my\s+)*{_CVV_NAME})(?!\w)"
)

_PASSWORD_NAME = r"(?:senha|password|passwd|pwd|passcode|passphrase|contrase[ñn]a)"
_OWNER = r"(?:\s+(?:d[oae]s?|of|for|antiga|nova|atual|old|new|current|minha|meu|site|app|aplicativo|conta|cadastro|login|email|e-mail|loja|cart[ãa]o|banco|wifi|wi-fi|account|website|store|a|o|the|my)){0,5}"
# A quoted secret may hold spaces; a bare one ends at the first.
_SECRET = r"(\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|\u201c[^\u201d\n]{1,80}\u201d|\[senha removida\]|\S{1,200})"
_PASSWORD = Pattern(
    rf"(?i)(?<!\w)({_PASSWORD_NAME}{_OWNER}\s*(?:(?::|=|->|\u2192)\s*|\s(?:[ée]|eh|era|is|was)\s*:?\s+)){_SECRET}"
)
_PASSWORD_BARE = Pattern(rf"(?i)(?<!\w)({_PASSWORD_NAME}{_OWNER}\s+)((?=\S*\d)\S{{4,80}})")
_NEW_PASSWORD = Pattern(
    rf"(?i)(\[senha removida\][^\n]{{0,20}}?(?<!\w)(?:a\s+nova|agora|the\s+new\s+one)\s+(?:[ée]|eh|is)\s+){_SECRET}"
)
# "minha senha é muito fraca" tells nothing.
_NO_SECRET_WORDS = """
muito muita inválida invalida incorreta errada errado fraca forte curta longa difícil dificil fácil facil a o as os um uma de da do que a mesma mesmo mesma antiga nova secreta obrigatória obrigatoria necessária
necessaria recusada rejeitada aceita pedida solicitada segura insegura igual diferente pra para por só so não nao quando onde como qual invalid wrong incorrect weak strong too not the a required needed very same
expirada expirou bloqueada case sensitive válida valida qual? essa esta isso sempre rejected expired blocked
"""
_NO_SECRET = frozenset(_NO_SECRET_WORDS.split())


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A message as it may be stored, and what was taken out of it."""

    text: str
    removed: tuple[Removed, ...] = ()


def clean(text: str, *, limit: int = DEFAULT_LIMIT) -> Cleaned:
    """Take out NUL and lone surrogates, cards (kept as "cartão final 1234"), CVV and passwords; bound the length.

    Cleaning twice changes nothing. `limit` counts characters, the marker included; it must hold the marker.
    """
    removed: list[Removed] = []
    # Far beyond the limit nothing will be kept, so nothing is searched; no card may be halved there.
    near = text if len(text) <= limit * _FAR else text[: limit * _FAR].rstrip("0123456789 .-\n")
    kept = storable(near)
    if kept != near:
        removed.append("control")
    steps: tuple[tuple[Removed, Callable[[str], str]], ...] = (
        ("password", _without_passwords),
        ("cvv", _without_cvv),
        ("card", _without_cards),
    )
    # What is left after a removal may be laid out like another card: repeated until nothing changes.
    for _ in range(_ROUNDS):
        before = kept
        for what, step in steps:
            cleaned = step(kept)
            if cleaned != kept and what not in removed:
                removed.append(what)
            kept = cleaned
        if kept == before:
            break
    if len(kept) > limit or len(near) < len(text):
        removed.append("length")
        kept = _cut(kept, max(limit - len(CUT_TEXT), 0)) + CUT_TEXT
    return Cleaned(text=kept, removed=tuple(removed))


def _cut(text: str, limit: int) -> str:
    """Cut at the last space: half a number or half a placeholder would read as something else."""
    kept = text[:limit]
    if len(text) > limit and not text[limit].isspace():
        kept = _HALF_WORD.sub("", kept)
    return _HALF_PLACEHOLDER.sub("", kept).rstrip()


def luhn_valid(digits: str) -> bool:
    """Check the Luhn check digit of a string of ASCII digits."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _without_passwords(text: str) -> str:
    def hide(match: re.Match[str]) -> str:
        secret = match.group(2)
        bare = secret.lower().strip(".,!?;:")
        if bare in _NO_SECRET or not bare or secret.startswith(_CUT_MARK):
            return match.group()
        return match.group(1) + PASSWORD_TEXT

    def hide_bare(match: re.Match[str]) -> str:
        # "errei a senha 3 vezes" has no digit-bearing word of four characters; "senha 1234" has.
        return match.group() if match.group(2).startswith("[") else match.group(1) + PASSWORD_TEXT

    return _NEW_PASSWORD.sub(hide, _PASSWORD_BARE.sub(hide_bare, _PASSWORD.sub(hide, text)))


def _without_cvv(text: str) -> str:
    text = _CVV.sub(lambda match: match.group(1) + CVV_TEXT, text)
    return _CVV_AFTER.sub(lambda match: CVV_TEXT + match.group(2), text)


def _without_cards(text: str) -> str:
    def hide(match: re.Match[str]) -> str:
        if _NOT_CARD_BEFORE.search(text[max(0, match.start() - 60) : match.start()]):
            return match.group()
        return _hide_in_run(match.group())

    return _DIGITS.sub(hide, text)


def _hide_in_run(run: str) -> str:
    """Replace what is laid out like a card in a run of digit groups ("pedido 10405 4111 1111 1111 1111")."""
    groups = list(_GROUP.finditer(run))
    parts: list[str] = []
    first = written = 0
    while first < len(groups):
        last = _card_end(groups, first)
        if last is None:
            first += 1
            continue
        number = "".join(_plain(group.group()) for group in groups[first:last])
        parts += [run[written : groups[first].start()], CARD_TEXT.format(last4=number[-4:])]
        written, first = groups[last - 1].end(), last
    return "".join([*parts, run[written:]])


def _card_end(groups: list[re.Match[str]], first: int) -> int | None:
    """Return where the card that begins with this group ends, the longest one, or None."""
    for last in range(min(first + _LONGEST, len(groups)), first, -1):
        lengths = tuple(len(group.group()) for group in groups[first:last])
        if 13 <= sum(lengths) <= _LONGEST and _laid_out(lengths, groups[first].group()):
            number = "".join(_plain(group.group()) for group in groups[first:last])
            if _is_card(number):
                return last
    return None


def _laid_out(lengths: tuple[int, ...], opening: str) -> bool:
    """Tell a card's grouping from three order numbers in a row, which pass Luhn one time in ten."""
    if len(lengths) == 1 or lengths in _CARD_GROUPS:
        return True
    if all(length % 4 == 0 for length in lengths[:-1]):
        return True
    # Any other spacing ("41 11 11 …"): short groups, and the first digit of a card network.
    return max(lengths) <= 4 and _plain(opening)[0] in "3456"


def _is_card(digits: str) -> bool:
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and luhn_valid(digits) and not _is_known_number(digits)


def _is_known_number(digits: str) -> bool:
    """Tell a Brazilian phone with country code, a CNPJ or a Brazilian EAN from a card."""
    if len(digits) == 13:
        return digits.startswith(("789", "790")) or (digits.startswith("55") and digits[4] == "9")
    diners = digits.startswith(("30", "36", "38", "39"))
    return len(digits) == 14 and not diners and _is_cnpj(digits)


def _is_cnpj(digits: str) -> bool:
    # Check digits modulo 11 with weights 2..9 from the right (Receita Federal).
    for size in (12, 13):
        total = sum(int(digit) * (2 + position % 8) for position, digit in enumerate(reversed(digits[:size])))
        rest = total % 11
        if int(digits[size]) != (0 if rest < 2 else 11 - rest):
            return False
    return True


def _plain(group: str) -> str:
    # \d also matches the digits of other scripts; int() reads them all.
    return "".join(str(int(digit)) for digit in group)
