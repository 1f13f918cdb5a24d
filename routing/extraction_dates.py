"""Dates and times in Portuguese and English, also the relative ones, which are kept as they were said."""

import re
from datetime import date

from routing.extraction_scan import Scan
from routing.values import spelled

_MONTH_NAMES = (
    ("janeiro", "january", "jan"), ("fevereiro", "february", "fev", "feb"), ("marco", "march", "mar"),
    ("abril", "april", "abr", "apr"), ("maio", "may", "mai"), ("junho", "june", "jun"), ("julho", "july", "jul"),
    ("agosto", "august", "ago", "aug"), ("setembro", "september", "set", "sept", "sep"),
    ("outubro", "october", "out", "oct"), ("novembro", "november", "nov"), ("dezembro", "december", "dez", "dec"),
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_AHEAD_DAYS = 60
_ORDINAL = r"(?:\s?(?:st|nd|rd|th|o|a)\b)?"
_YEAR = r"(?:,?\s+(?:de\s+|of\s+|do\s+)?(\d{4}|\d{2}(?!\d|:)))?"

_ISO = re.compile(r"(?<![\w.])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_SLASHED = re.compile(r"(?<![\w./])(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?![\w/])")
_DOTTED = re.compile(r"(?<![\w./-])(\d{1,2})[.-](\d{1,2})[.-](\d{4}|\d{2})(?![\w/.-])")
_DAY_MONTH = re.compile(rf"(?<![\w.,])(\d{{1,2}}){_ORDINAL}\s*(?:de\s+|of\s+|/\s?)?{_MONTH}\b\.?{_YEAR}(?!\w)")
_MONTH_DAY = re.compile(rf"\b{_MONTH}\.?\s*(?:the\s+)?(\d{{1,2}})(?!\d|:){_ORDINAL}{_YEAR}(?!\w)")
_MONTH_GLUED = re.compile(rf"\b{_MONTH}\.?\s*(\d{{1,2}})((?:19|20)\d{{2}})(?!\w)")

_EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PT_DAY = r"(?:segunda|terca|quarta|quinta|sexta)(?:[- ]feira)?|sabado|domingo"
_RELATIVE = re.compile(
    r"\b(?:"
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)(?! (?:street|st|avenue|ave|road|rd|cross|floor|time)\b)(?: of (?:this|next|the) month)?|dia \d{1,2}(?: (?:deste|do) mes| do mes que vem)?"
    rf"|(?:(?:next|this|last|coming) )?{_EN_DAY}(?: (?:this|next) week)?"
    r"|(?:later |earlier )?today|tonight|(?:the )?day after tomorrow|tomorrow(?: (?:morning|afternoon|evening|night))?|yesterday"
    r"|(?:next|last|this) (?:week|month|weekend|year)|\d+ (?:days?|weeks?|months?) (?:ago|before|back)"
    r"|depois de amanha|amanha|anteontem|ontem|hoje"
    rf"|(?:proxim[ao]|ultim[ao]|nest[ae]|ess[ae]|ate|na|no|desde) (?:{_PT_DAY})(?: (?:que vem|passad[ao]))?(?! (?:via|vez|opcao))"
    r"|(?:segunda|terca|quarta|quinta|sexta)-feira(?: passada| que vem)?"
    r"|(?:semana|mes|ano) (?:passad[ao]|que vem)|(?:ha|faz) (?:\d+|um|uma|dois|duas|tres|quatro|cinco) (?:dias?|semanas?|mes(?:es)?)"
    r")\b"
)
_HOUR = (
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)"
)
_PART = r"(?:in the (?:morning|afternoon|evening)|at night|da (?:manha|tarde|noite)|o'?clock(?: in the (?:morning|afternoon|evening))?)"
_TIME = re.compile(
    r"(?<![\w.,/$])(?:"
    rf"(?:half past|quarter (?:to|past)) {_HOUR}(?: {_PART}| ?[ap]\.?m\b\.?)?"
    rf"|(?:morning|afternoon|evening|night) (?:at )?\d{{1,2}}(?::\d{{2}})?(?: ?[ap]\.?m\b\.?)?"
    rf"|(?:[01]?\d|2[0-3]):[0-5]\d(?::\d{{2}})?(?: ?[ap]\.?m\b\.?| ?h\b| {_PART})?"
    rf"|\d{{1,4}} ?[ap]\.?m\b\.?|{_HOUR} (?:[ap]\.?m\b\.?|{_PART})"
    r"|(?:[01]?\d|2[0-3]) ?h(?:s|oras?)?(?: ?[0-5]\d)?|meio[- ]dia|meia[- ]noite|noon|midnight"
    r")(?![\w/])"
)
_CALENDAR = (
    (_ISO, "ymd"), (_SLASHED, "dmy"), (_DOTTED, "dmy"), (_DAY_MONTH, "dmy"), (_MONTH_GLUED, "mdy"), (_MONTH_DAY, "mdy"),
)  # fmt: skip


def find_dates(scan: Scan) -> None:
    """Find calendar dates (normal form and spelling), then times and relative dates (as they were said)."""
    for pattern, order in _CALENDAR:
        for match in pattern.finditer(scan.flat):
            american = scan.country == "US" and pattern is not _DAY_MONTH
            value = _calendar(dict(zip(order, match.groups(), strict=True)), today=scan.today, american=american)
            if value is not None and scan.free(*match.span()):
                original = scan.text[match.start() : match.end()].strip(" ,.")
                scan.add(*match.span(), "date", spelled(value, original))
    for pattern, key in ((_TIME, "time"), (_RELATIVE, "date")):
        for match in pattern.finditer(scan.flat):
            if scan.free(*match.span()):
                scan.add(*match.span(), key, scan.text[match.start() : match.end()])


def _calendar(parts: dict[str, str | None], *, today: date | None, american: bool) -> str | None:
    raw_month = parts["m"] or ""
    day, month = int(parts["d"] or 0), _MONTHS.get(raw_month) or int(raw_month)
    year_first = next(iter(parts)) == "y"
    if raw_month.isdigit() and not year_first and (month > 12 or (american and day <= 12)):
        day, month = month, day
    year = _year(parts.get("y"), month, day, today)
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    if year is None:
        return f"{month:02d}-{day:02d}"
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _year(given: str | None, month: int, day: int, today: date | None) -> int | None:
    """Return the year that was said; else the latest that is not more than two months ahead of today, or None."""
    if given:
        return int(given) + (2000 if len(given) == 2 else 0)
    if today is None:
        return None
    for year in (today.year + 1, today.year, today.year - 1):
        try:
            if (date(year, month, day) - today).days <= _AHEAD_DAYS:
                return year
        except ValueError:
            continue
    return None
