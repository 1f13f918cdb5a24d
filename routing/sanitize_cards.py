"""Card numbers: found however they are written, told from the other long numbers of a shop, kept as their last four digits."""

import re
from dataclasses import dataclass
from itertools import pairwise

from routing.pattern import Pattern

CARD_TEXT = "cartão final {last4}"

# Between two digits of a card people put anything but a letter: spaces, dots, slashes, stars, line breaks, invisible marks.
# A comma and a space is how numbers are listed.
_GAP = r"(?:(?!,\s)[\W_]){0,12}"
_RUN = Pattern(rf"\d(?:{_GAP}\d){{12,}}")
_GROUP = Pattern(r"\d+")
_MARKS = Pattern(r"[^\x1e]+")
_SHORTEST, _LONGEST = 13, 19
_KEY_SIZES = (44, 47, 48)
_MODELS = ("55", "57", "58", "59", "62", "63", "65", "66", "67")
_CARD_GROUPS = (
    (4, 6, 5),
    (4, 6, 4),
    (4, 5, 6),
    (4, 4, 4, 1),
    (4, 4, 4, 2),
    (4, 4, 4, 3),
    (6, 4, 4, 2),
    (6, 4, 6),
    (6, 6, 4),
    (6, 10),
    (6, 13),
    (6, 7),
    (4, 12),
)
# Named just before the number: what else it is. A shop's own number is believed to be one unless it is of a network that
# nearly every card belongs to.
_DEVICE_BEFORE = Pattern(r"(?i)(?:imei|iccid|\bean|gtin)\W{0,4}(?:\w+\W{1,3}){0,2}$")
_KEY_BEFORE = Pattern(
    r"(?i)(?:chave|\bnf-?e?|nfc-?e|danfe|nota|c[óo]digo de barras|linha digit[áa]vel|boleto)\W{0,4}(?:(?!cart|card)\w+\W{1,3}){0,4}$"
)
_OWN_BEFORE = Pattern(
    r"(?i)(?:protocolo|pedidos?|orders?|compra|rastreio|rastreamento|tracking|encomenda|ticket|chamado)\W{0,4}(?:(?!cart|card)\w+\W{1,3}){0,2}$"
)
_PIX_BEFORE = Pattern(r"(?i)000201\S{0,400}$")
_BEFORE = 60
_PIX_LONGEST = 420
# After a card and its date, three or four digits are its code.
_CODE_AFTER = Pattern(
    r"(cartão final \d{4}[\W_]{1,12}(?:(?:val|validade|venc|exp)\w*[\W_]{1,6})?(?:0[1-9]|1[0-2])[\W_]{1,3}(?:20)?[2-4]\d[\W_]{1,12})\d{3,4}(?![\d,.]*\d|\w)"
)
_CODE_TEXT = "[CVV removido]"


def without_cards(text: str) -> str:
    """Replace every card by "cartão final 1234", and the bare code that follows a card and its date."""

    def hide(match: re.Match[str]) -> str:
        return _hide_in_run(match.group(), before=text[max(0, match.start() - _PIX_LONGEST) : match.start()])

    return _CODE_AFTER.sub(lambda match: match.group(1) + _CODE_TEXT, _RUN.sub(hide, text))


def luhn_valid(digits: str) -> bool:
    """Check the Luhn check digit of a string of ASCII digits."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of digit groups ("pedido 10405 4111 1111 1111 1111"). `own`: it was announced as a shop's own number.

    `taken` are the groups that belong to an invoice's access key or a boleto's line.
    """

    text: str
    groups: tuple[re.Match[str], ...]
    taken: frozenset[int]
    own: bool

    def gap(self, index: int) -> str:
        """Return what stands between group `index` and the next one."""
        return self.text[self.groups[index].end() : self.groups[index + 1].start()]

    def digits(self, first: int, last: int) -> str:
        # \d also matches the digits of other scripts; int() reads them all.
        return "".join(str(int(digit)) for group in self.groups[first:last] for digit in group.group())

    def lengths(self, first: int, last: int) -> tuple[int, ...]:
        return tuple(len(group.group()) for group in self.groups[first:last])


def _hide_in_run(text: str, *, before: str) -> str:
    near = before[-_BEFORE:]
    if _DEVICE_BEFORE.search(near) or _PIX_BEFORE.search(before):
        return text
    groups = tuple(_GROUP.finditer(text))
    run = _Run(text=text, groups=groups, taken=_taken(groups, near), own=_OWN_BEFORE.search(near) is not None)
    parts: list[str] = []
    first = written = 0
    while first < len(groups):
        last = _card_end(run, first)
        if last is None:
            first += 1
            continue
        number = run.digits(first, last)
        swallowed = text[groups[first].start() : groups[last - 1].end()]
        parts += [text[written : groups[first].start()], CARD_TEXT.format(last4=number[-4:]), _MARKS.sub("", swallowed)]
        written, first = groups[last - 1].end(), last
    return "".join([*parts, text[written:]])


def _taken(groups: tuple[re.Match[str], ...], near: str) -> frozenset[int]:
    """Find the groups of an access key or a boleto's line, which are longer than a card, however they are cut."""
    whole = "".join(group.group() for group in groups)
    if len(whole) < min(_KEY_SIZES):
        return frozenset()
    if len(whole) <= max(_KEY_SIZES) and _KEY_BEFORE.search(near):
        return frozenset(range(len(groups)))
    taken: set[int] = set()
    for first in range(len(groups)):
        digits = ""
        for last in range(first, len(groups)):
            digits += "".join(str(int(digit)) for digit in groups[last].group())
            if len(digits) > max(_KEY_SIZES):
                break
            if _is_access_key(digits) or _is_boleto(digits):
                taken.update(range(first, last + 1))
    return frozenset(taken)


def _is_access_key(digits: str) -> bool:
    """Check an invoice's key: state, month, model and the check digit modulo 11 (NF-e, Manual de Orientação do Contribuinte)."""
    if len(digits) != 44 or not 11 <= int(digits[:2]) <= 53 or not 1 <= int(digits[4:6]) <= 12:
        return False
    total = sum(int(digit) * (2 + position % 8) for position, digit in enumerate(reversed(digits[:43])))
    rest = total % 11
    return digits[20:22] in _MODELS and int(digits[43]) == (0 if rest < 2 else 11 - rest)


def _is_boleto(digits: str) -> bool:
    """Check a typed line: of a bank by its three check digits modulo 10, of a bill by its first digit (FEBRABAN)."""
    if len(digits) == 48:
        return digits[0] == "8"
    return len(digits) == 47 and all(luhn_valid(field) for field in (digits[:10], digits[10:21], digits[21:32]))


def _card_end(run: _Run, first: int) -> int | None:
    """Return where the card that begins with this group ends, the longest one, or None."""
    size = 0
    longest = None
    for last in range(first + 1, min(first + _LONGEST, len(run.groups)) + 1):
        size += len(run.groups[last - 1].group())
        if size > _LONGEST or last - 1 in run.taken:
            break
        if size >= _SHORTEST and _is_card(run, first, last) and _laid_out(run, first, last):
            longest = last
    return longest


def _laid_out(run: _Run, first: int, last: int) -> bool:
    """Tell a card's grouping from other numbers in a row, which pass Luhn one time in ten."""
    lengths = run.lengths(first, last)
    if len(lengths) == 1 or lengths in _CARD_GROUPS or all(length % 4 == 0 for length in lengths[:-1]):
        return True
    if len(set(lengths[:-1])) == 1 and lengths[-1] <= lengths[0]:
        small = lengths[0] <= 3 and not _counts_up(run, first, last)
        return small or (lengths[0] <= 6 and lengths[-1] < lengths[0])
    # Any other spacing is believed only of a number that stands alone, with one kind of separator.
    alone = first == 0 and last == len(run.groups) and sum(lengths) in (15, 16) and max(lengths) <= 4
    gaps = {run.gap(index) for index in range(first, last - 1)}
    return alone and len(gaps) == 1 and gaps != {"/"}


def _counts_up(run: _Run, first: int, last: int) -> bool:
    """Sizes and days are listed in their order; the groups of a card hardly ever are."""
    numbers = [int(run.digits(index, index + 1)) for index in range(first, last)]
    return all(a < b for a, b in pairwise(numbers))


def _is_card(run: _Run, first: int, last: int) -> bool:
    digits = run.digits(first, last)
    if len(set(digits)) == 1 or not _of_a_network(digits) or not luhn_valid(digits) or _is_company(digits):
        return False
    return not (run.own and first == 0 and last == 1) or _of_a_common_network(digits)


def _is_company(digits: str) -> bool:
    """Tell a CNPJ of a head office or a branch (its check digits, and 00 before the branch) from a Diners card."""
    from stdnum.br import cnpj

    return len(digits) == 14 and digits[8:10] == "00" and cnpj.is_valid(digits)


def _of_a_common_network(digits: str) -> bool:
    return digits.startswith(("4", "51", "52", "53", "54", "55", "34", "37")) and len(digits) in (15, 16)


def _of_a_network(digits: str) -> bool:
    """Check the first digits against the networks' ranges and lengths (ISO/IEC 7812; Elo and Hipercard lie within them)."""
    size, head = len(digits), int(digits[:4])
    if digits[0] == "4":
        return size in (13, 16, 19)
    if 5100 <= head <= 5599 or 2221 <= head <= 2720:
        return size == 16
    if digits.startswith(("34", "37")):
        return size == 15
    if 3000 <= head <= 3059 or head == 3095 or digits.startswith(("36", "38", "39")):
        return 14 <= size <= 19
    if 3528 <= head <= 3589:
        return 16 <= size <= 19
    return digits.startswith(("50", "56", "57", "58", "6")) and 16 <= size <= 19
