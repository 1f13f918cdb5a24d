"""A shop's own log of customers' messages, read from JSONL or CSV whatever its columns are called; documents are masked on reading."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from evals.datasets import BadCases
from routing.providers.redaction import redact
from routing.sanitize import clean
from routing.text import storable

_LONGEST = 8_000
_FIELD_LIMIT = 1_000_000
_NO_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column holds what. Only the message is needed; `thread` keeps a conversation's lines together."""

    message: str = "message"
    previous: str | None = None
    reply: str | None = None
    current: str | None = None
    thread: str | None = None
    expected: str | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        return tuple(
            c for c in (self.message, self.previous, self.reply, self.current, self.thread, self.expected) if c
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One customer's message with what the log says about the moment. `line` counts from 1 in the file."""

    line: int
    message: str
    previous: str | None = None
    reply: str | None = None
    current: str | None = None
    thread: str | None = None
    expected: str | None = None


@dataclass(slots=True)
class Log:
    """What was read, how it was encoded, and what was skipped: why → the lines."""

    lines: list[Logged] = field(default_factory=list[Logged])
    encoding: str = "utf-8"
    skipped: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def skip(self, why: str, line: int) -> None:
        self.skipped.setdefault(why, []).append(line)


def read_log(path: Path, columns: Columns) -> Log:
    """Read a log. Raises `BadCases` where it cannot be read, has no such column, or holds no message."""
    text, encoding = _decoded(path)
    log = Log(encoding=encoding)
    for number, row in (
        _json_rows(text, log) if path.suffix.lower() in (".jsonl", ".ndjson") else _csv_rows(text, path, columns, log)
    ):
        _take(log, number, row, columns)
    if not log.lines:
        why = "; ".join(f"{why} ({len(lines)})" for why, lines in log.skipped.items()) or "it is empty"
        raise BadCases(f"{path}: no message to compare: {why}")
    return log


def _decoded(path: Path) -> tuple[str, str]:
    """Decode UTF-8, else Windows' Latin-1, in which every byte has a meaning: what spreadsheets export."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadCases(f"{path}: cannot be read ({error.strerror})") from error
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return raw.decode(encoding), "utf-8" if encoding == "utf-8-sig" else encoding
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1"), "latin-1"


def _json_rows(text: str, log: Log) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            log.skip("not JSON", number)
            continue
        if isinstance(row, dict):
            yield number, cast(dict[str, Any], row)
        else:
            log.skip("not a JSON object", number)


def _csv_rows(text: str, path: Path, columns: Columns, log: Log) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a table; its separator is the one of comma, semicolon and tab that its head uses most.

    A head without any is one column, whose texts may hold all three.
    """
    csv.field_size_limit(_FIELD_LIMIT)
    head = text.split("\n", 1)[0]
    separator = Counter(c for c in head if c in ",;\t").most_common(1)
    reader = csv.DictReader(
        text.splitlines(keepends=True), delimiter=separator[0][0] if separator else _NO_SEPARATOR, restkey=""
    )
    names = [name.strip() for name in reader.fieldnames or []]
    reader.fieldnames = names
    if missing := [column for column in columns.wanted if column not in names]:
        raise BadCases(
            f"{path}: no column {missing[0]!r}; there are: {', '.join(names) or 'none'} (map them by --column)"
        )
    try:
        for row in reader:
            if row.get(""):
                log.skip("more fields than the head has", reader.line_num)
                continue
            yield reader.line_num, row
    except csv.Error as error:
        raise BadCases(f"{path}:{reader.line_num}: {error}") from error


def _take(log: Log, number: int, row: dict[str, Any], columns: Columns) -> None:
    raw = row.get(columns.message)
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        log.skip("no message", number)
        return
    if not isinstance(raw, str):
        log.skip("the message is no text", number)
        return
    masked = _masked(raw)
    if not masked:
        log.skip("no message", number)
        return
    log.lines.append(
        Logged(
            line=number, message=masked, previous=_text(row, columns.previous), reply=_text(row, columns.reply),
            current=_text(row, columns.current), thread=_text(row, columns.thread), expected=_text(row, columns.expected),
        )
    )  # fmt: skip


def _text(row: dict[str, Any], column: str | None) -> str | None:
    value = row.get(column) if column else None
    return _masked(str(value)) or None if value not in (None, "") else None


def _masked(text: str) -> str:
    return redact(clean(storable(text), limit=_LONGEST).text).strip()
