"""One line of a briefing: `kind head @entity = <JSON> | rest`, written so that no text can open, close or pose as one."""

import json
import re
from dataclasses import dataclass

OPEN, CLOSE = "<briefing>", "</briefing>"

_NOT_HEAD = re.compile(r"[^a-z0-9_:/.-]+")
_LINE = re.compile(r"([a-z]+)(?: ([a-z0-9_:/.-]+))?(?: @([a-z0-9_:/.-]+))? = (.*)", re.DOTALL)
_JSON_END = json.JSONDecoder()
# Angle brackets, line and paragraph separators, C0/C1 controls, soft hyphen, zero-width and bidi characters, the byte
# order mark, tags, variation selectors, and surrogates: whatever could hide in a line or end it.
_UNSAFE = re.compile(
    "[<>\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Record:
    kind: str
    head: str
    entity: str | None
    value: str | int
    rest: str


def quote(text: str) -> str:
    """Return the text as a JSON string that stays on its line whatever it holds."""
    return _UNSAFE.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def head_of(text: str) -> str:
    """Return a text as a head: [a-z0-9_:/.-] only, never empty."""
    return _NOT_HEAD.sub("-", text.lower()).strip("-")[:80] or "-"


def code_of(text: str) -> str:
    """Return a protocol as it is shown: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)[:40]


def record(kind: str, head: str, value: str | int, rest: str = "", *, entity: str | None = None) -> str:
    """Write one line. `rest` is ours: codes, names and times, each made safe by `head_of`."""
    about = f" @{head_of(entity)}" if entity is not None else ""
    name = f" {head_of(head)}" if head else ""
    shown = str(value) if isinstance(value, int) else quote(value)
    return f"{kind}{name}{about} = {shown}" + (f" | {rest}" if rest else "")


def read_record(line: str) -> Record:
    """Read one line. Raises ValueError for anything that `record` does not write."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a record: {line[:80]!r}")
    kind, head, entity, tail = match.groups()
    value, end = _JSON_END.raw_decode(tail)
    rest = tail[end:]
    if not isinstance(value, (str, int)) or (rest and not rest.startswith(" | ")):
        raise ValueError(f"not a record: {line[:80]!r}")
    return Record(kind=kind, head=head or "", entity=entity, value=value, rest=rest[3:])
