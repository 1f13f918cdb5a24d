"""The parts of a Brazilian address as a customer types them, each word for word."""

import re

from routing.answers import bare_identifier, read_answer
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
# A later line goes on with an address only where it looks like one: a name in capitals, or a part that says what it is.
_GOES_ON = re.compile(
    r"^\W*(?:cep|bairro|cidade|apto?|apartamento|bloco|casa|numero|n[º°.])\b|\d{5}-?\d{3}|[/,-]\s*[a-z]{2}\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"^\W*[A-ZÀ-Ý][\w']*(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w']*){0,3}\W*$")
_NO_CITY = re.compile(
    r"(?:oi|ola|hum+|obrigad\w*|valeu|ajuda|ok|nao|sim|o que|como|qual|quem|por que|para que|pode|quero|esper\w+|help|hello|thanks|what|why|how|please|i)\b"
)
_NOT_A_NUMBER = re.compile(r"\b(?:pedido|order|compra|n[º°o.]* do pedido)\s*#?\s*$")


def address_parts(text: str) -> dict[str, str]:
    """Return street, number, complement, district, city, state and cep where the text gives them, as it spells them.

    Lines are statements of their own: one that is an answer or an order number is no part of an address.
    """
    text = _statements(text)
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


def city_alone(text: str, question: str) -> str | None:
    """Return a city that was given as the missing part: a name and nothing else, where our question was of an address."""
    line = text.strip()
    if read_answer(line) is not None or not re.search(r"endereco|address|cidade|city", flat(question)):
        return None
    name = re.sub(r"\s*[/,-]\s*[A-Za-z]{2}\W*$", "", line).strip(" .!")
    asked = re.search(r"cidade|\bcity\b", flat(question)) and not _NO_CITY.match(flat(name))
    plain = re.fullmatch(r"[^\W\d_]{3,}(?: [^\W\d_']+){0,3}", name)
    return name if plain and (_NAME.match(name) or asked) and not _NO_CITY.match(flat(name)) else None


def _statements(text: str) -> str:
    """Keep the lines that speak of the address; a lone line is always kept."""
    lines = [line for line in text.splitlines() if line.strip()]
    spoken = [
        line for line in lines if read_answer(line) is None and bare_identifier(line) in (None, "cep", "number")
    ] if len(lines) > 1 else lines  # fmt: skip
    kept: list[str] = []
    for line in spoken:
        begun = any(_STREET.search(flat(earlier)) for earlier in kept)
        if not begun or _STREET.search(flat(line)) or _GOES_ON.search(line) or _NAME.match(line):
            kept.append(line)
    return "\n".join(kept)


def _number(plain: str) -> tuple[int, int] | None:
    for pattern in _NUMBER_SAID:
        for found in pattern.finditer(plain):
            if not _NOT_A_NUMBER.search(plain[: found.start(1)]):
                return found.span(1)
    return None


def _without_codes(words: str, state: str | None) -> str:
    """Cut a CEP and a state from the end of a city: "Campinas SP 13010-000"."""
    words = re.sub(r"(?:\bcep\W*)?\b\d{2}\.?\d{3}-?\d{3}\b", "", words, flags=re.IGNORECASE).strip(" .-")
    return re.sub(rf"[\s/-]+{state}$", "", words, flags=re.IGNORECASE).strip(" .-") if state else words


def _by_position(text: str, plain: str, start: int, parts: dict[str, str]) -> None:
    """Take what stands between commas and has no name: the last is the city, the one before it the district."""
    free: list[str] = []
    for piece in re.finditer(r"[^,;\n/]+?(?=\s-\s|[,;\n/]|$)", plain[start:]):
        words = _without_codes(text[start + piece.start() : start + piece.end()], parts.get("state"))
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
