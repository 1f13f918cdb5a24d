"""What has no form of its own: names, places, quotes, proper nouns, short answers, and every other typed identifier."""

import re

from routing.extraction_scan import Scan
from routing.extraction_words import COMMON, COURTESY, NARRATIVE

_WORD = r"[^\W\d_][\w'’.-]*"
_NAMED = re.compile(
    r"\b(?:(?:o |a )?(?:meu|minha) (?:nome|esposa|marido)(?: completo)? (?:e|eh)?:?|me chamo|pode me chamar de|nome(?: completo)?:"
    rf"|my (?:full |first |last )?name(?:'s| is|:)?|name is|call me|em nome d[eoa]|titular e:?)\s+(?:(?:o|a|is)\s+)?({_WORD}(?:\s+{_WORD}){{0,4}})"
)
_CALLED = re.compile(
    rf"\b(?:aqui e (?:o|a)|sou (?:o|a)|aqui quem fala e (?:o|a)|this is|i am|i'm|im)\s+({_WORD}(?:\s+{_WORD}){{0,3}})"
)
_CITY = re.compile(
    rf"\b(?:moro em|resido em|sou de|cidade(?: de| e|:)?|i live in|living in|city(?: is|:| of)?|based in|located in)\s+({_WORD}(?:[ ,]+{_WORD}){{0,3}})"
)
_COMPANY = re.compile(
    rf"\b(?:empresa(?: e|:)?|company(?: name)?(?: is|:)?|i work (?:at|for|in)|trabalho n[ao])\s+({_WORD}(?:\s+{_WORD}){{0,3}})"
)
_QUOTED = re.compile(r"[\"“”«']([^\"“”«»'\n]{2,120})[\"”»'](?!\w)")
_JOINER = r"(?:\s+(?:d[aeo]s?|e|of|the|and|in|a|to|on|for|by|with|you|is)){0,2}"
_CAPITAL = r"(?:[A-ZÀ-Ý][a-z]{0,2}\.(?=\s[A-ZÀ-Ý])|[A-ZÀ-Ý][\w'’&-]*)"
_PROPER = re.compile(rf"(?<![\w@#]){_CAPITAL}(?:{_JOINER},?\s+(?:{_CAPITAL}|\d{{1,4}}(?!\w))){{0,7}}")
_TOKEN = re.compile(r"\S{1,200}")
_CODE = re.compile(
    r"(?<!\S)(?:[a-z]{1,6} )?\d[\w-]{0,15}(?: (?:[a-z]{1,3}|[\w-]{0,15}\d[\w-]{0,15})){0,8}(?: \d[\w-]{0,15})|(?<!\S)[a-z]{2,7} \d{2,8}(?!\S)"
)
_GROUPS = re.compile(r"(?<!\S)\d{3,}(?: \d{3,})+(?!\S)")
_SPELLED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
    r"|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quarenta|cinquenta|cem|mil)\b"
)
_STATE = re.compile(
    r"(?:ing|ed|ble|ful|[aei]nd[oa]|[ai]d[oa]s?|os[oa])$|^(?:cliente|titular|dono|dona|angry|happy|sad|upset|sick|tired|bravo|brava|new)$"
)
_EDGES = ".,;:!?()[]{}\"'“”‘’«»…*<>"
_SPLIT = re.compile(r"[/,;:=+&()|#]+")
_GOES_ON = re.compile(r",? [a-zà-ÿ]")
_TAIL = re.compile(r" ([a-z]{3,20})(?![\w@'’])")
_WORDS = re.compile(r"[\w'’]+")
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n]\s*)[\"“'(\s]*$")


def find_names(scan: Scan) -> None:
    """Find names, towns and companies that are introduced as such."""
    for pattern, key in ((_NAMED, "name"), (_CALLED, "name"), (_CITY, "city"), (_COMPANY, "company")):
        for match in pattern.finditer(scan.flat):
            start, end = match.span(1)
            end = _until_common(scan, start, end)
            shown = scan.text[start:end]
            if (
                end > start
                and scan.free(start, end)
                and (pattern is not _CALLED or shown[:1].isupper() or _like_a_name(scan, start, end))
            ):
                scan.add(start, end, key, shown.rstrip(" ,."), take=False)


def _like_a_name(scan: Scan, start: int, end: int) -> bool:
    """Tell whether lower-case words after "i am" or "sou o" may be a name: few, and no state or activity."""
    words = scan.flat[start:end].split()
    return scan.asked == "name" or (len(words) <= 3 and not any(_STATE.search(word) for word in words))


def _until_common(scan: Scan, start: int, end: int) -> int:
    """Return where a name ends: before the first everyday word or the end of the sentence."""
    stop = start
    for match in _WORDS.finditer(scan.flat, start, end):
        gap = scan.text[stop : match.start()]
        if (match.group() in COMMON and match.group() not in ("da", "de", "do", "dos", "das")) or re.search(
            r"[.!?;\n]\s", gap
        ):
            break
        stop = match.end()
    return stop if stop > start and scan.flat[start:stop] not in COMMON else start


def find_quotes(scan: Scan) -> None:
    for match in _QUOTED.finditer(scan.text):
        scan.add(*match.span(1), "quote", match.group(1), take=False)


def find_proper_nouns(scan: Scan) -> None:
    """Find runs of capitalised words; a lone one at the start of a sentence counts unless it is an everyday word."""
    shouting = sum(char.isupper() for char in scan.text) > 0.6 * max(1, sum(char.isalpha() for char in scan.text))
    if shouting:
        return
    for match in _PROPER.finditer(scan.text):
        start, end = match.span()
        words = list(_WORDS.finditer(scan.flat, start, end))
        while words and not scan.free(*words[0].span()):
            words.pop(0)
        while words and not scan.free(*words[-1].span()):
            words.pop()
        opens = bool(_SENTENCE_START.search(scan.text[max(0, start - 8) : start])) or start == 0
        while words and words[0].group() in COMMON and not _may_lead(scan, words, opens):
            words.pop(0)
            opens = False
        while words and words[-1].group() in COMMON and not scan.text[words[-1].start()].isupper():
            words.pop()
        if not words or (len(words) == 1 and (len(words[0].group()) < 2 or words[0].group() in COURTESY)):
            continue
        stop = words[-1].end()
        if opens and len(words) == 1 and _GOES_ON.match(scan.text, stop):
            continue
        tail = _TAIL.match(scan.flat, stop)
        if tail is not None and len(words) == 1 and tail.group(1) not in COMMON:
            stop = tail.end()
        first = words[0].start()
        if scan.free(first, stop) and not scan.inside(first, stop, "address", "name", "city", "company", "quote"):
            scan.add(first, stop, "mention", scan.text[first:stop], take=False)


def _may_lead(scan: Scan, words: list[re.Match[str]], opens: bool) -> bool:
    """Tell whether an everyday word in capitals opens a title ("The Angry Birds") or is an acronym ("LA")."""
    first = words[0]
    acronym = first.end() - first.start() > 1 and scan.text[first.start() : first.end()].isupper() and not opens
    return acronym or (
        first.group() in ("the", "a", "an", "o", "as", "os")
        and len(words) > 1
        and scan.text[words[1].start()].isupper()
    )


def find_identifiers(scan: Scan) -> None:
    """Find every typed token with a digit that nothing else took: three characters and more, else a number."""
    for match in _TOKEN.finditer(scan.text):
        start, end = match.span()
        if not any(char.isdigit() for char in match.group()) or scan.hidden(start, end):
            continue
        raw = match.group().strip(_EDGES)
        offset = start + match.group().find(raw)
        if scan.free(offset, offset + len(raw)):
            _identifier(scan, offset, raw)
        position = offset
        pieces = _SPLIT.split(raw)
        if len(pieces) > 1:
            for piece in pieces:
                position = scan.text.index(piece, position)
                if scan.free(position, position + len(piece)) and piece != raw:
                    _identifier(scan, position, piece.strip(_EDGES))
                position += len(piece)
    for match in _CODE.finditer(scan.flat):
        head = match.group().split(" ", 1)[0]
        start = match.start() + (len(head) + 1 if head in COMMON or head in NARRATIVE else 0)
        if " " in scan.text[start : match.end()] and scan.free(start, match.end()):
            scan.add(start, match.end(), "identifier", scan.text[start : match.end()], take=False)
            groups = _GROUPS.search(scan.flat, start, match.end())
            if groups is not None and groups.start() > start:
                scan.add(*groups.span(), "identifier", scan.text[groups.start() : groups.end()], take=False)
    for match in _SPELLED.finditer(scan.flat):
        if scan.free(*match.span()):
            scan.add(*match.span(), "number", match.group(), take=False)


def _identifier(scan: Scan, start: int, raw: str) -> None:
    if not any(char.isdigit() for char in raw):
        return
    if len(raw) >= 3:
        scan.add(start, start + len(raw), "identifier", raw, take=False)
    elif not scan.inside(start, start + len(raw), "address"):
        scan.add(start, start + len(raw), "number", raw, take=False)


def find_answer(scan: Scan) -> None:
    """Keep a short answer in the customer's words: what was asked for, or a message that is only a name for something."""
    words = list(_WORDS.finditer(scan.flat))
    content = [match for match in words if match.group() not in COURTESY]
    if not content or len(words) > 14:
        return
    nominal = len(content) <= 9 and not any(match.group() in NARRATIVE for match in content)
    if not (nominal or scan.question or scan.asked):
        return
    while content and content[0].group() in COMMON:
        content.pop(0)
    while content and content[-1].group() in COMMON:
        content.pop()
    if not content:
        return
    first = words.index(content[0])
    if first and words[first - 1].group() == "no" and content[0].group().isdigit():
        content.insert(0, words[first - 1])
    start, end = content[0].start(), content[-1].end()
    value = scan.text[start:end]
    if scan.hidden(start, end) or scan.covered(start, end) >= 0.6 * len(value) or len(value) < 2:
        return
    key = (
        scan.asked
        if nominal and scan.asked in ("name", "city", "product", "reason", "address", "company")
        else "answer"
    )
    scan.add(start, end, key, value, take=False)
