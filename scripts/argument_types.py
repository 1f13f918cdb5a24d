"""What an argument may be, said the same way by every command that takes one: argparse exits with 2 and names the argument."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from urllib.parse import urlsplit


def whole(*, least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `least` on."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text!r} is no whole number") from error
        if number < least:
            raise ArgumentTypeError(f"must be {least} or more, not {number}")
        return number

    return read


def one_name(text: str) -> str:
    """Read a name; an empty one would quietly mean the default."""
    if not text.strip():
        raise ArgumentTypeError("must not be empty; leave it out for the default")
    return text


def some_names(text: str) -> list[str]:
    """Read names between commas, each once."""
    found = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not found:
        raise ArgumentTypeError(f"{text!r} names nothing")
    return found


def http_url(text: str) -> str:
    """Read the address of a server."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or any(char.isspace() for char in text):
        raise ArgumentTypeError(f"{text!r} is no address like http://127.0.0.1:11434/v1")
    return text
