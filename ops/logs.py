"""Logs as JSON lines: every line names its turn, and no line holds a secret, a document, an e-mail, a phone or a card.

Standard `logging` all through; python-json-logger only writes the JSON. The masks are our own (`routing.masking`, over the
check digits of python-stdnum): recognisers that know names and places bring a language model of hundreds of megabytes and still
miss some, so nothing that a customer wrote is ever logged in the first place, and the masks are the second line.
"""

import json
import logging
import re
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, TextIO

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from pydantic import BaseModel, ConfigDict
from pythonjsonlogger.json import JsonFormatter

from graph.turn_mark import current_turn
from routing.masking import SECRET, Masker

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
OURS = frozenset(
    ("agents", "api", "app", "evals", "examples", "graph", "ops", "routing", "scripts", "settings", "storage", "stubs", "tools", "ui")
)  # fmt: skip
_SERVER = ("uvicorn", "uvicorn.access", "uvicorn.error", "uvicorn.asgi")
_SECRET_NAME = re.compile(r"(?i)(?:key|keys|secret|token|password|passwd|login|authorization|cookie|dsn|database_url)$")
_SHORTEST_SECRET = 6
log = logging.getLogger(__name__)


class LogSettings(BaseModel):
    """How much is logged, and as what. `level` is of our own code: other libraries speak up from WARNING on, because below
    that they quote what they send."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    level: Level = "INFO"
    format: Literal["json", "text"] = "json"


TERMINAL = LogSettings(level="WARNING", format="text")
"""For a command that a person runs."""


class JsonLines(JsonFormatter):
    """One JSON object a line: `at`, `level`, `logger`, `turn`, `message`, what was given as `extra`, `exception`."""

    def __init__(self, mask: Masker) -> None:
        super().__init__(json_ensure_ascii=False)
        self._mask = mask

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        super().add_fields(log_data, record, message_dict)
        own = {"exception": log_data.pop("exc_info", None), "stack": log_data.pop("stack_info", None)}
        extra = {key: value for key, value in log_data.items() if key not in ("message", "taskName")}
        log_data.clear()
        log_data |= {"at": _at(record), "level": record.levelname, "logger": record.name, "turn": current_turn.get()}
        log_data |= {"message": self._mask(record.message)}
        log_data |= {key: masked_value(value, self._mask, name=key) for key, value in extra.items()}
        log_data |= {key: self._mask(str(value)) for key, value in own.items() if value}


class TextLines(logging.Formatter):
    """The same for a person at a terminal."""

    def __init__(self, mask: Masker) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        turn = current_turn.get()
        where = f"{record.name} {turn}" if turn else record.name
        return f"{_at(record)} {record.levelname} {where}: {self._mask(super().format(record))}"


class _Handler(logging.Handler):
    """Writes to `stream`, or to whatever standard error is at the time."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        stream = self._stream or sys.stderr
        try:
            line = self.format(record)
        except Exception as error:  # a door: what cannot be formatted is not printed raw, as the standard handler would
            line = json.dumps(
                {
                    "level": "ERROR",
                    "logger": __name__,
                    "message": f"lost a line of {record.name}: {type(error).__name__}",
                }
            )
        with suppress(OSError, ValueError):  # standard error may be closed
            stream.write(line + "\n")
            stream.flush()


def _wanted(record: logging.LogRecord) -> bool:
    """Keep what our own code says, and of others only what is wrong, whatever level they were set to."""
    top = record.name.partition(".")[0]
    return record.levelno >= logging.WARNING or top in OURS or record.name in _SERVER or record.name == "__main__"


def handler_of(settings: LogSettings, *, mask: Masker, stream: TextIO | None = None) -> logging.Handler:
    """Return a handler that writes masked lines, to standard error where no stream is given."""
    handler = _Handler(stream)
    handler.setFormatter(JsonLines(mask) if settings.format == "json" else TextLines(mask))
    handler.addFilter(_wanted)
    return handler


def configure_logs(settings: LogSettings, environ: Mapping[str, str]) -> None:
    """Make this process log as `settings` say. For the entry of a process: it takes the root logger over."""
    root = logging.getLogger()
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    root.addHandler(handler_of(settings, mask=Masker(secrets_of(environ))))
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(settings.level)
    for name in _SERVER:  # it has handlers of its own, which mask nothing
        server = logging.getLogger(name)
        server.handlers.clear()
        server.propagate = True
        server.setLevel(settings.level)
    logging.captureWarnings(True)
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _uncaught
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = lambda args: _uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is None or issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
        return
    log.critical("uncaught %s", kind.__name__, exc_info=(kind, error, trace))


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the secrets that a process was started with, the longest first: exact values, whatever they look like."""
    found: set[str] = set()
    for name, value in environ.items():
        if not _SECRET_NAME.search(name):
            continue
        try:
            found.add(str(conninfo_to_dict(value).get("password") or ""))
        except ProgrammingError:
            found |= {value, *(piece.rpartition(":")[2].strip() for piece in value.split(","))}
    return tuple(sorted((secret for secret in found if len(secret) >= _SHORTEST_SECRET), key=len, reverse=True))


def masked_value(value: Any, mask: Masker, *, name: str = "") -> Any:
    """Mask whatever is given beside a message: strings anywhere in it, and all of what is named like a secret."""
    match value:
        case str():
            return SECRET if _SECRET_NAME.search(name) else mask(value)
        case dict():
            return {str(key): masked_value(inner, mask, name=str(key)) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - JSON of any shape
        case list() | tuple() | set() | frozenset():
            return [masked_value(inner, mask, name=name) for inner in value]  # pyright: ignore[reportUnknownVariableType] - as above
        case None | bool() | int() | float():
            return value
        case _:
            return mask(str(value))


def _at(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
