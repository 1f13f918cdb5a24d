"""Faults on order: what a remote provider does when it does not do its work, per model, over a real connection."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast, get_args

from pydantic import Field
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routing.model import Frozen
from stubs.connection import abort, again, body_of

Json = dict[str, Any]
# Of the connection: what arrives is no answer.
Broken = Literal["status", "delay", "hang", "reset", "half_body", "half_json", "html", "empty", "error_in_200"]
# Of the numbers: the answer has the right form and must not be believed, or (drift, rounded) must be.
Distorted = Literal[
    "drift", "rounded", "unknown_label", "over_one", "not_a_number", "no_probabilities", "low_sum", "wrong_winner",
    "missing_option", "refusal",
]  # fmt: skip
BROKEN: tuple[str, ...] = get_args(Broken)
DISTORTED: tuple[str, ...] = get_args(Distorted)
KINDS = (*BROKEN, *DISTORTED)

HTML = b"<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
_UNAVAILABLE = 503


class Fault(Frozen):
    """One fault. `status` is for status and html, `seconds` for delay, `retry_after` is sent as that header.

    The first `after` requests of the model pass, the next `times` are hit (None: all that follow).
    """

    kind: Broken | Distorted
    status: int = Field(default=_UNAVAILABLE, ge=200, le=599)
    seconds: float = Field(default=1.0, ge=0)
    retry_after: str | None = None
    after: int = Field(default=0, ge=0)
    times: int | None = Field(default=None, ge=1)


def outage(kind: str) -> Fault:
    """Return the fault of an outage as a demo names it: a status ("503", "429"), timeout, reset or garbage.

    Raises ValueError naming the kinds.
    """
    if kind.isdigit() and 400 <= int(kind) <= 599:
        return Fault(kind="status", status=int(kind))
    names: dict[str, Fault] = {
        "timeout": Fault(kind="hang"),
        "reset": Fault(kind="reset"),
        "garbage": Fault(kind="html", status=200),
    }
    if kind not in names:
        raise ValueError(f"unknown outage {kind!r}; known: an HTTP status from 400 to 599, {', '.join(names)}")
    return names[kind]


def parse_fault(text: str) -> tuple[str, Fault]:
    """Read `model=kind` or `model=kind:value` (a status, or seconds). Raises ValueError saying what would be right."""
    model, _, rest = text.partition("=")
    kind, _, value = rest.partition(":")
    if not model or kind not in KINDS:
        raise ValueError(f"not a fault: {text!r}; write model=kind or model=kind:value, kinds: {', '.join(KINDS)}")
    fields: Json = {"kind": kind}
    if value:
        fields["seconds" if kind == "delay" else "status"] = value
    return model, Fault.model_validate(fields)


class Faults:
    """The faults that wait for their requests, by the name of the model that a request asks for; "*" is any."""

    def __init__(self, given: Mapping[str, Fault] | None = None) -> None:
        self._by_model: dict[str, Fault] = {}
        self._seen: dict[str, int] = {}
        for model, fault in (given or {}).items():
            self.set(model, fault)

    def set(self, model: str, fault: Fault | None) -> None:
        """Put a fault on a model, or take it off. Counting starts anew."""
        self._seen[model] = 0
        if fault is None:
            self._by_model.pop(model, None)
        else:
            self._by_model[model] = fault

    def clear(self) -> None:
        self._by_model.clear()
        self._seen.clear()

    def listed(self) -> dict[str, Fault]:
        return dict(self._by_model)

    def take(self, model: str) -> Fault | None:
        """Return the fault that hits this request of a model, None if it is served."""
        name = model if model in self._by_model else "*"
        fault = self._by_model.get(name)
        if fault is None:
            return None
        place = self._seen[name]
        self._seen[name] += 1
        hit = place >= fault.after and (fault.times is None or place < fault.after + fault.times)
        return fault if hit else None


class FaultyConnection:
    """ASGI middleware that breaks connections. What distorts numbers is left in `scope["state"]["fault"]` for the endpoint."""

    def __init__(self, app: ASGIApp, *, faults: Faults, seen: Callable[[str, Json], None]) -> None:
        self._app = app
        self._faults = faults
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"].startswith("/stub/"):
            await self._app(scope, receive, send)
            return
        raw = await body_of(receive)
        asked = _json(raw)
        self._seen(scope["path"], asked)
        model = asked.get("model")
        fault = self._faults.take(model if isinstance(model, str) else "")
        scope.setdefault("state", {})["fault"] = fault
        if fault is None or fault.kind in DISTORTED:
            await self._app(scope, again(raw, receive), send)
        elif fault.kind == "delay":
            await asyncio.sleep(fault.seconds)
            await self._app(scope, again(raw, receive), send)
        elif fault.kind == "hang":
            while (await receive())["type"] != "http.disconnect":
                pass
        elif fault.kind == "reset":
            abort(receive)
        elif fault.kind in ("half_body", "half_json"):
            await self._app(scope, again(raw, receive), _halving(fault.kind, receive, send))
        else:
            await _answer(fault, scope["path"], send)


def _json(raw: bytes) -> Json:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return cast(Json, data) if isinstance(data, dict) else {}


def _halving(kind: str, receive: Receive, send: Send) -> Send:
    """Send half of the first piece. half_body announces the whole and cuts the connection, half_json ends properly."""
    start: list[Message] = []
    done = False

    async def half(message: Message) -> None:
        nonlocal done
        if message["type"] == "http.response.start":
            start.append(message)
            return
        if done:
            return
        done = True
        body = message.get("body", b"")[: max(1, len(message.get("body", b"")) // 2)]
        headers = [(name, value) for name, value in start[0]["headers"] if name != b"content-length"]
        if kind == "half_json":
            headers.append((b"content-length", str(len(body)).encode()))
            await send({**start[0], "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        await send(start[0])
        await send({"type": "http.response.body", "body": body, "more_body": True})
        abort(receive)

    return half


async def _answer(fault: Fault, path: str, send: Send) -> None:
    kind, status, body = b"application/json", 200, b""
    match fault.kind:
        case "html":
            kind, status, body = b"text/html; charset=utf-8", fault.status, HTML
        case "error_in_200":
            body = json.dumps(error_body(path, 502, "Provider returned error")).encode()
        case "status":
            status = fault.status
            body = json.dumps(error_body(path, status, "simulated fault")).encode()
        case _:
            pass
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    if fault.retry_after is not None:
        headers.append((b"retry-after", fault.retry_after.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def error_body(path: str, status: int, message: str, *, error_type: str = "api_error") -> Json:
    """Return an error in the shape of the API that owns the path: OpenRouter's, OpenAI's or System One's."""
    if path.startswith("/api/"):
        return {"error": {"message": message, "code": status}, "user_id": "user_simulado"}
    if path == "/v1/systemone" or path == "/v1/models":
        return {"detail": {"error_type": error_type, "message": message}}
    return {"error": {"message": message, "type": error_type, "param": None, "code": None}}
