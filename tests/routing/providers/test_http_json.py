"""The HTTP client under what a server can do to it; the network is a transport of the test's."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from pydantic import SecretStr

from routing.providers.errors import ProviderError
from routing.providers.http_json import JsonHttp, secret_header

Handler = Callable[[httpx.Request], httpx.Response]


async def post(
    handler: Handler, *, timeout_s: float = 5.0, body: dict[str, object] | None = None, key: str = "k"
) -> dict[str, object]:
    http = JsonHttp(transport=httpx.MockTransport(handler))
    return await http.post(
        "http://x/y", body=body or {}, headers={"Authorization": SecretStr(key)}, timeout_s=timeout_s
    )


def raising(error: Exception) -> Handler:
    def handler(_: httpx.Request) -> httpx.Response:
        raise error

    return handler


def answering(status: int = 200, **kwargs: object) -> Handler:
    return lambda _: httpx.Response(status, **kwargs)  # pyright: ignore[reportArgumentType]


class Dripping(httpx.AsyncByteStream):
    """A body of which a byte comes now and then, for ever."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.01)


CASES: list[tuple[str, Handler, str, str, float | None]] = [
    ("no route", raising(httpx.ConnectError("x")), "retryable", "unreachable", 0.0),
    ("read time-out", raising(httpx.ReadTimeout("x")), "retryable", "timeout", None),
    ("reset", raising(httpx.ReadError("x")), "retryable", "connection lost", None),
    ("half a response", raising(httpx.RemoteProtocolError("x")), "retryable", "connection lost", None),
    ("a header that is none", raising(httpx.LocalProtocolError("Bearer sk-1")), "ours", "request refused", 0.0),
    ("drips for ever", answering(stream=Dripping()), "retryable", "timeout", None),
    ("megabytes", answering(content=b" " * 1_000_001), "garbage", "answer too long", None),
    ("a redirect", answering(302, headers={"location": "http://z"}), "ours", "HTTP 302", 0.0),
    (
        "broken gzip",
        answering(content=b"no gzip", headers={"content-encoding": "gzip"}),
        "garbage",
        "bad encoding",
        None,
    ),
    ("a list", answering(json=[]), "garbage", "not a JSON object", None),
    ("NaN", answering(content=b'{"a": NaN}'), "garbage", "not JSON", None),
    ("not UTF-8", answering(content=b'{"a": "\xff"}'), "garbage", "not JSON", None),
    ("deep", answering(content=b'{"a":' + b"[" * 200_000), "garbage", "not JSON", None),
    ("an error in a 200", answering(json={"error": {"code": 429}}), "garbage", "error inside a 200", None),
    ("nothing in a 204", answering(204), "garbage", "HTTP 204", 0.0),
]


@pytest.mark.parametrize(
    ("handler", "kind", "why", "cost"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
async def test_no_answer(handler: Handler, kind: str, why: str, cost: float | None) -> None:
    with pytest.raises(ProviderError) as raised:
        await post(handler, timeout_s=0.1)
    assert (raised.value.kind, raised.value.why, raised.value.cost_usd) == (kind, why, cost)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


@pytest.mark.parametrize("body", [{"a": float("nan")}, {"a": "\ud800"}, {"a": object()}])
async def test_what_cannot_be_sent_is_ours(body: dict[str, object]) -> None:
    with pytest.raises(ProviderError) as raised:
        await post(answering(json={}), body=body)
    assert raised.value.kind == "ours"


async def test_a_null_error_is_no_error() -> None:
    assert await post(answering(json={"error": None, "a": 1})) == {"error": None, "a": 1}


async def test_a_cancelled_call_stays_cancelled() -> None:
    task = asyncio.create_task(post(answering(stream=Dripping()), timeout_s=60))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_one_client_serves_several_event_loops() -> None:
    http = JsonHttp(transport=httpx.MockTransport(answering(json={"a": 1})))
    for _ in range(2):
        assert asyncio.run(http.post("http://x", body={}, headers={}, timeout_s=5)) == {"a": 1}


@pytest.mark.parametrize("key", ["", "  ", "chave-ção", "a\nb", "a\x00b"])
def test_a_key_that_no_header_can_hold_is_refused_unquoted(key: str) -> None:
    with pytest.raises(ValueError, match="the key is empty or holds") as raised:
        secret_header(key)
    assert not key.strip() or key not in str(raised.value)


def test_a_key_loses_its_line_break() -> None:
    assert secret_header(" sk-1\n", prefix="Bearer ").get_secret_value() == "Bearer sk-1"
