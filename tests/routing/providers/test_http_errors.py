"""Statuses, codes and Retry-After as tables."""

import pytest

from routing.providers.errors import ErrorKind
from routing.providers.http_errors import from_status, retry_after_s

BODIES: list[tuple[int, object, ErrorKind, str]] = [
    (401, b'{"error":{"message":"Missing Authentication header","code":401}}', "ours", "HTTP 401"),
    (
        400,
        b'{"error":{"message":"HTTP 400: {\\"detail\\":{\\"error_type\\":\\"max_tokens_exceeded\\"}}","code":400}}',
        "ours",
        "HTTP 400 max_tokens_exceeded",
    ),
    (400, b'{"detail":{"error_type":"max_tokens_exceeded"}}', "ours", "HTTP 400 max_tokens_exceeded"),
    (400, b'{"detail":"Too many choices. Must have at most 255 choices."}', "ours", "HTTP 400"),
    (422, b'{"detail":[{"loc":["body"],"msg":"segredo","type":"missing"}]}', "ours", "HTTP 422"),
    (
        429,
        b'{"error":{"message":"x","type":"insufficient_quota","code":"insufficient_quota"}}',
        "payment",
        "HTTP 429 insufficient_quota",
    ),
    (429, b'{"error":{"code":"rate_limit_exceeded"}}', "retryable", "HTTP 429 rate_limit_exceeded"),
    (402, b"", "payment", "HTTP 402"),
    (403, {"error": {"message": "x"}}, "ours", "HTTP 403"),
    (301, b"", "ours", "HTTP 301"),
    (204, b"", "garbage", "HTTP 204"),
    (599, b"[1, 2", "retryable", "HTTP 599"),
    (500, b"[" * 100_000, "retryable", "HTTP 500"),
]


@pytest.mark.parametrize(("status", "body", "kind", "why"), BODIES)
def test_statuses_and_the_codes_in_their_bodies(status: int, body: object, kind: ErrorKind, why: str) -> None:
    error = from_status(status, headers={}, body=body)
    assert (error.kind, error.why) == (kind, why)


def test_a_text_of_the_body_is_in_no_error() -> None:
    body = b'{"error":{"code":"minha senha","message":"meu cpf","type":{"a":1}}}'
    assert str(from_status(400, headers={}, body=body)) == "ours: HTTP 400"


@pytest.mark.parametrize("metadata", [{"reasons": ["violence"]}, {"flagged_input": "x"}])
def test_a_moderated_message_says_nothing_about_the_key(metadata: dict[str, object]) -> None:
    body = {"error": {"code": 403, "message": "flagged", "metadata": metadata}}
    assert from_status(403, headers={}, body=body).retry_after_s is None
    assert from_status(403, headers={}, body={}).retry_after_s == 30.0


DATE = "Mon, 30 Nov 2026 15:00:00 GMT"
RETRY_AFTER: list[tuple[dict[str, str], float | None]] = [
    ({"Retry-After": "7"}, 7.0),
    ({"retry-after": "0"}, 0.0),
    ({"Retry-After": "1.5"}, 1.5),
    ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
    ({"Retry-After": "Mon, 30 Nov 2026 15:00:20 GMT", "Date": DATE}, 20.0),
    ({"Retry-After": "Mon, 30 Nov 2026 14:00:00 GMT", "Date": DATE}, 0.0),
    ({"Retry-After": "Mon, 30 Nov 2026 15:00:20 GMT"}, None),
    ({"Retry-After": "-3"}, None),
    ({"Retry-After": "nan"}, None),
    ({"Retry-After": "inf"}, None),
    ({"Retry-After": "soon", "Date": DATE}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), RETRY_AFTER)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds
