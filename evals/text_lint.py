"""How a reply reads: money, dates, language, nothing of the machinery, and its length. Pure, over one text."""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from routing.claims_internals import internal_ids, internals, names_a_tool
from routing.model import Language
from tools.registry import TOOLS

Rule = Literal["money", "date", "english", "internal", "length", "blank"]
# Four sentences and what a receipt, a policy text or a second subject add to them.
LONGEST = 900

_AMOUNT = re.compile(r"R\$[ \u00a0]\d{1,3}(?:\.\d{3})*,\d{2}(?!\d|[.,]\d)")
_MONEY = re.compile(
    r"(?<!\w)(?:R|US)?\$\s*-?\d[\d.,]*\d|(?<!\w)(?:R|US)?\$\s*\d|\b(?:BRL|USD|EUR)\s*\d[\d.,]*"
    r"|\b\d[\d.,]*\s*(?:reais|real|BRL|USD|d[oó]lares|euros?)\b",
    re.IGNORECASE,
)
_DAY = r"(?:0[1-9]|[12]\d|3[01])/(?:0[1-9]|1[0-2])(?:/\d{4})?"
_GOOD_DAY = re.compile(rf"{_DAY}(?![/\d])")
_MONTHS = "jan(?:uary|eiro)?|feb(?:ruary)?|fev(?:ereiro)?|mar(?:ch|[cç]o)?|apr(?:il)?|abr(?:il)?|may|maio?|june?|jun(?:ho)?|july?|jul(?:ho)?|aug(?:ust)?|ago(?:sto)?|sep(?:t|tember)?|set(?:embro)?|oct(?:ober)?|out(?:ubro)?|nov(?:ember|embro)?|dec(?:ember)?|dez(?:embro)?"
_DATE = re.compile(
    r"(?<![\w/.-])\d{1,4}/\d{1,2}(?:/\d{1,4})?(?![\w/])|(?<![\w.-])\d{4}-\d{2}-\d{2}|(?<![\w.-])\d{1,2}[-.]\d{1,2}[-.]\d{4}(?![\w-]|\.\d)"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\b\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTHS})\b|\b\d{{1,2}}h?\d{{0,2}} ?[ap]m\b",
    re.IGNORECASE,
)
# A 24 h clock, a fraction of a day ("24/7") and sizes ("38/40") are no dates.
_NO_DATE = re.compile(r"24/7|\d{2}/\d{2}(?= cm| mm)")
_ENGLISH = re.compile(
    r"\b(?:the|your|you|yours|our|we|is|are|was|were|has|have|had|been|will|would|should|please|sorry|thanks?|hello|with|from|about|this|that"
    r"|which|where|when|what|order|orders|delivery|delivered|shipped|shipping|tracking|refund|refunded|charge|charged|charges|ticket|request"
    r"|pending|overdue|preparing|paid|cancelled|canceled|returned|returns|exchange|invoice|address|carrier|business|days?|weeks?|open"
    r"|support|billing|none|null|true|false|undefined|error|unknown)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”\n]{0,400}”|\"[^\"\n]{0,400}\"|«[^»\n]{0,400}»|https?://\S+|\S+@\S+")
# Tickets of specialists and their ids are English words that a customer never sees; in an English reply they may be words.
_IDS = re.compile(r"\b(?:c\d{1,2}|ch-\d+-\d+|[a-z]{1,2}-[0-9a-f]{12,32}|out[_ ]of[_ ]scope|needs[_ ]question)\b")


def lint(text: str, *, language: Language, longest: int = LONGEST) -> tuple[str, ...]:
    """Return what is wrong with a reply: "<rule>: <what was found>", in the order of the rules."""
    return tuple(
        f"{rule}: {found}"
        for rule, check in CHECKS.items()
        if rule not in _ONLY_PT or language == "pt"
        for found in dict.fromkeys(check(text))
    ) + tuple(f"length: {len(text)} characters" for _ in range(1) if len(text) > longest)


def _money(text: str) -> Iterator[str]:
    """Find amounts that are not written R$ 1.234,56: the shop writes them so in English too."""
    good = [match.span() for match in _AMOUNT.finditer(text)]
    for match in _MONEY.finditer(text):
        if not any(start <= match.start() and match.end() <= end for start, end in good):
            yield match.group()


def _dates(text: str) -> Iterator[str]:
    """Find dates that are not written dd/mm or dd/mm/yyyy."""
    for match in _DATE.finditer(_QUOTED.sub(" ", text)):
        if not _GOOD_DAY.fullmatch(match.group()) and not _NO_DATE.match(match.group()):
            yield match.group()


def _english(text: str) -> Iterator[str]:
    """Find English words; what is quoted, a link and an e-mail address are somebody else's words."""
    for match in _ENGLISH.finditer(_QUOTED.sub(" ", text)):
        yield match.group()


def _internal(text: str) -> Iterator[str]:
    """Find what belongs to the machinery: tool names, JSON, ids, traces."""
    bare = re.sub(r"https?://\S+", " ", text)
    for pattern in (internals(), internal_ids(), _IDS):
        yield from (match.group() for match in pattern.finditer(bare))
    if names_a_tool(text, tuple(TOOLS)):
        yield "a tool's name"


def _blank(text: str) -> Iterator[str]:
    """Find texts without words, and gaps that a value should have filled."""
    if not text.strip():
        yield "nothing is said"
    for match in re.finditer(r"[^\S\n]{2,}|\n{3,}|[^\S\n][,;!?]|\.\.(?!\.)|\(\s*\)|\bNone\b", text):
        yield repr(match.group())


CHECKS: dict[Rule, Callable[[str], Iterator[str]]] = {
    "money": _money,
    "date": _dates,
    "english": _english,
    "internal": _internal,
    "blank": _blank,
}
_ONLY_PT: tuple[Rule, ...] = ("date", "english")
