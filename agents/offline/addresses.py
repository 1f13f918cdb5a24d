"""The parts of a Brazilian address as a customer types them, each word for word."""

import re

from routing.values import flat

_STREET = re.compile(
    r"\b(?:rua|r\.|avenida|av\.?|travessa|tv\.|alameda|al\.|praca|pca\.?|rodovia|estrada|largo|viela|quadra)\s+"
    r"(?:[^\W\d_]|\d+ de|[ .'-])+"
)
_STREET_END = re.compile(r"\s*(?:,|\bn[.º°o]?\s|\bnumero\b|-\s|\bno bairro\b|\bbairro\b|\bcep\b|\bem\b).*$")
_CEP = re.compile(r"\b\d{2}\.?\d{3}-?\d{3}\b|(?<=cep )[\d.-]+|(?<=cep: )[\d.-]+")
_COMPLEMENT = re.compile(
    r"\b(?:apto?\.?|apartamento|bloco|bl\.|casa(?= \d)|sala|conjunto|cj\.?|fundos|sobrado|lote)\s*(?:n[ºo.]?\s*)?[\w-]*"
    r"(?:,? (?:bloco|bl\.|torre) \w+)?"
)
_DISTRICT = re.compile(r"\bbairro\s+(?:e\s+)?([^\W\d_][^,;.\n\d]*)")
_CITY = re.compile(r"\b(?:cidade(?: de| e|:)?|em)\s+((?:[^\W\d_]|[ '])+?)(?=\s*(?:[,;./\n-]|$|cep\b|n\b))")
_STATE = re.compile(
    r"(?<=[/,\s-])\b(ac|al|ap|am|ba|ce|df|es|go|ma|mt|ms|mg|pa|pb|pr|pe|pi|rj|rn|rs|ro|rr|sc|sp|se|to)\b(?=\s*(?:[,.;]|$|cep|\d))"
)
_NUMBER_AFTER_STREET = re.compile(r"^\s*,?\s*(?:n[.º°o]{0,2}\s*|numero\s+)?(\d{1,6}\s?[a-z]?)\b(?!-?\d)")
_NUMBER_SAID = (
    re.compile(r"\b(?:numero|n[º°.])\s*(?:da casa |da rua |certo |correto |novo |na verdade )*(?:e |eh |é |seria |:)?\s*(\d{1,6}[a-z]?)\b(?!-?\d)"),
    re.compile(r"\b(?:errei|engan\w+|certo|correto|verdade|dizer|corrigindo)\b[^\d\n]{0,25}\b(\d{1,6}[a-z]?)\b(?!-?\d)"),
    re.compile(r"^\D{0,12}\be\s+(?:o\s+)?(\d{1,6}[a-z]?)\b(?!-?\d)"),
)  # fmt: skip
_NOT_A_NUMBER = re.compile(r"\b(?:pedido|order|compra|n[º°o.]* do pedido)\s*#?\s*$")


def address_parts(text: str) -> dict[str, str]:
    """Return street, number, complement, district, city, state and cep where the text gives them, as it spells them."""
    plain = flat(text)
    parts: dict[str, str] = {}
    rest_from = 0
    if street := _STREET.search(plain):
        end = _STREET_END.sub("", street.group()).rstrip()
        stop = street.start() + len(end)
        parts["street"] = text[street.start() : stop].strip(" ,.-")
        rest_from = stop
        if number := _NUMBER_AFTER_STREET.match(plain[stop:]):
            parts["number"] = text[stop + number.start(1) : stop + number.end(1)].strip()
            rest_from = stop + number.end()
    elif number_at := _number(plain):
        parts["number"] = text[slice(*number_at)]
    for key, pattern in (("cep", _CEP), ("complement", _COMPLEMENT), ("district", _DISTRICT), ("city", _CITY)):
        for found in pattern.finditer(plain, rest_from):
            span = found.span(found.re.groups)
            parts[key] = text[slice(*span)].strip(" ,.-")
    if state := _STATE.search(plain, rest_from):
        parts["state"] = text[slice(*state.span(1))].upper()
    if "street" in parts:
        _by_position(text, plain, rest_from, parts)
    return {key: value for key, value in parts.items() if value}


def _number(plain: str) -> tuple[int, int] | None:
    for pattern in _NUMBER_SAID:
        for found in pattern.finditer(plain):
            if not _NOT_A_NUMBER.search(plain[: found.start(1)]):
                return found.span(1)
    return None


def _by_position(text: str, plain: str, start: int, parts: dict[str, str]) -> None:
    """Take what stands between commas and has no name: the last is the city, the one before it the district."""
    free: list[str] = []
    for piece in re.finditer(r"[^,;\n/]+?(?=\s-\s|[,;\n/]|$)", plain[start:]):
        words = text[start + piece.start() : start + piece.end()].strip(" .-")
        if (
            re.search(r"\d", words)
            or not words
            or any(flat(words) in flat(known) or flat(known) in flat(words) for known in parts.values())
        ):
            continue
        if re.match(r"(?:cep|bairro|cidade|por favor|obrigad|ta|ok|valeu|em )\b", flat(words)) or len(words) < 3:
            continue
        free.append(words)
    if free and "city" not in parts:
        parts["city"] = free.pop()
    if free and "district" not in parts:
        parts["district"] = free[-1]
