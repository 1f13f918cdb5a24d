"""JSON over HTTP for decision providers: one client, one total deadline, every failure a `ProviderError`."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NoReturn, cast
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx
from pydantic import SecretStr

from routing.providers.errors import ProviderError
from routing.providers.http_errors import from_status, from_transport

Json = dict[str, Any]

# An answer to our questions has a few kilobytes. A server that sends more is not answering them.
_MOST_BYTES = 1_000_000
_IDLE_S = 60.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class JsonHttp:
    """Posts JSON and returns a JSON object. Connections are kept per event loop and shared by all providers.

    `transport` replaces the network. Without one, proxies of the environment are used, except towards loopback.
    """

    def __init__(self, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._transport = transport
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, httpx.AsyncClient]] = WeakKeyDictionary()

    async def post(self, url: str, *, body: Json, headers: Mapping[str, SecretStr | str], timeout_s: float) -> Json:
        """Return the body of a success. `timeout_s` covers everything from the connection to the last byte.

        Raises `ProviderError`. Nothing is retried here: the next provider of the chain is the retry.
        """
        try:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            plain = {name: _header(value) for name, value in headers.items()}
        except (ValueError, TypeError):  # NaN, a lone surrogate, a key that is no header
            raise from_transport("request refused") from None
        try:
            async with asyncio.timeout(timeout_s):
                status, received, raw = await self._send(url, content, plain)
        except TimeoutError:
            raise from_transport("timeout") from None
        if status != 200:
            raise from_status(status, headers=received, body=raw)
        return _object(raw)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.aclose()

    async def _send(self, url: str, content: bytes, headers: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        raw = bytearray()
        headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        try:
            async with self._client(url).stream("POST", url, content=content, headers=headers) as response:
                async for chunk in response.aiter_bytes():
                    raw += chunk
                    if len(raw) > _MOST_BYTES:
                        raise ProviderError("garbage", "answer too long", cost_usd=None)
                return response.status_code, response.headers, bytes(raw)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            _refuse(error)

    def _client(self, url: str) -> httpx.AsyncClient:
        ours = urlsplit(url).hostname in _LOOPBACK
        clients = self._clients.setdefault(asyncio.get_running_loop(), {})
        if ours not in clients:
            clients[ours] = httpx.AsyncClient(
                transport=self._transport,
                timeout=None,  # the total deadline above is the only one
                limits=httpx.Limits(max_connections=64, max_keepalive_connections=16, keepalive_expiry=_IDLE_S),
                trust_env=not ours,
                follow_redirects=False,
            )
        return clients[ours]


def secret_header(key: str, *, prefix: str = "") -> SecretStr:
    """Return a key as a header's value. Raises ValueError, which does not quote it, for one that no header can hold."""
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise ValueError("the key is empty or holds characters that no HTTP header can carry")
    return SecretStr(f"{prefix}{key}")


def _refuse(error: Exception) -> NoReturn:
    """Raise our error for httpx's. Its text is left behind: it may quote a header."""
    match error:
        case httpx.ConnectError() | httpx.ProxyError():
            raise from_transport("unreachable") from None
        case httpx.TimeoutException():
            raise from_transport("timeout") from None
        case httpx.DecodingError():
            raise from_transport("bad encoding") from None
        case httpx.LocalProtocolError() | httpx.UnsupportedProtocol() | httpx.InvalidURL():
            raise from_transport("request refused") from None
        case _:
            raise from_transport("connection lost") from None


def _header(value: SecretStr | str) -> str:
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    return plain.encode("ascii").decode()


def _object(raw: bytes) -> Json:
    """Return a JSON object that is an answer. An error inside a 200 is garbage: its status claimed a success."""
    try:
        data = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ProviderError("garbage", "not JSON", cost_usd=None) from None
    if not isinstance(data, dict):
        raise ProviderError("garbage", "not a JSON object", cost_usd=None)
    body = cast(Json, data)
    if body.get("error") is not None:
        raise ProviderError("garbage", "error inside a 200", cost_usd=None)
    return body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
