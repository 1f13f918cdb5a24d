"""What an HTTP status or a broken connection means for a chain of providers.

No text of a response gets into an error: bodies quote messages, and some servers quote keys. `why` is made of the status and
of codes from a closed list.
"""

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Literal, cast

from routing.providers.errors import ErrorKind, ProviderError

# How long a refused key is left alone. It will not get better by itself, and each try costs the customer its round trip.
_REFUSED_KEY_S = 30.0
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "insufficient_credits")
_KNOWN_CODES = (
    *_QUOTA_CODES, "max_tokens_exceeded", "api_usage_error", "authentication_error", "rate_limit_error", "overloaded_error",
    "context_length_exceeded", "model_not_found", "content_filter", "invalid_api_key", "rate_limit_exceeded",
)  # fmt: skip


def from_status(status: int, *, headers: Mapping[str, str], body: bytes | str | object = b"") -> ProviderError:
    """Return the error for a response that is no success. `body` is the raw body or what it was parsed to."""
    data = _parsed(body)
    code = _code(data)
    kind = _kind(status, code)
    why = f"HTTP {status}" if code is None else f"HTTP {status} {code}"
    wait = retry_after_s(headers) if kind in ("retryable", "payment") else None
    if kind == "ours" and status in (401, 403) and not _is_moderation(data):
        wait = _REFUSED_KEY_S
    return ProviderError(kind, why, wait)


def from_transport(
    problem: Literal["timeout", "unreachable", "connection lost", "request refused", "bad encoding"],
) -> ProviderError:
    """Return the error for a request that got no whole response. Only one that never left is known to be free."""
    match problem:
        case "unreachable":
            return ProviderError("retryable", problem)
        case "request refused":
            return ProviderError("ours", problem)
        case "bad encoding":
            return ProviderError("garbage", problem, cost_usd=None)
        case "timeout" | "connection lost":
            return ProviderError("retryable", problem, cost_usd=None)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to be left alone: `retry-after-ms`, or `Retry-After` as seconds or as a date.

    A date counts from the response's own `Date`, so that no clock of ours is needed. Nonsense is None.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _seconds(given.get(name), scale)
        if seconds is not None:
            return seconds
    try:
        until, since = parsedate_to_datetime(given["retry-after"]), parsedate_to_datetime(given["date"])
        return max(0.0, (until - since).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def _kind(status: int, code: str | None) -> ErrorKind:
    if status == 402 or (status in (403, 429) and code in _QUOTA_CODES):
        return "payment"
    if status in (408, 425, 429) or status >= 500:
        return "retryable"
    if status < 300:
        return "garbage"
    return "ours"


def _seconds(value: str | None, scale: float) -> float | None:
    try:
        seconds = float(value or "") * scale
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < 1e9 else None


def _parsed(body: bytes | str | object) -> object:
    if not isinstance(body, bytes | str):
        return body
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _code(data: object) -> str | None:
    """Return a code that we know, from `error`, `detail` or an upstream body that OpenRouter quotes inside a message."""
    if not isinstance(data, dict):
        return None
    body = cast(dict[str, Any], data)
    for part in (body.get("error"), body.get("detail"), body):
        if not isinstance(part, dict):
            continue
        fields = cast(dict[str, Any], part)
        for name in ("code", "error_type", "type"):
            if fields.get(name) in _KNOWN_CODES:
                return str(fields[name])
        message = fields.get("message")
        if isinstance(message, str):
            quoted = [code for code in _KNOWN_CODES if f'"{code}"' in message]
            if quoted:
                return quoted[0]
    return None


def _is_moderation(data: object) -> bool:
    """Tell whether a 403 is about this one message (OpenRouter's moderation) and not about the key."""
    match data:
        case {"error": {"metadata": {"reasons": _} | {"flagged_input": _}}}:
            return True
        case _:
            return False
