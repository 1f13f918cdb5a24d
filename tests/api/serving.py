"""The API over a real socket, over a Bastão of scripted models or over the demo as a shop would start it."""

import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import jwt
import uvicorn
from fastapi import FastAPI

from graph.build import build_graph
from graph.checkpoint import TurnSaver, setup_checkpoints
from graph.conversation import Bastao, Conversation
from graph.limits import Limits
from graph.services import Services
from routing.authority import AuthorityPolicy
from routing.calendar import OpeningHours
from routing.decision import Thresholds
from routing.ports import Decider
from routing.sensitive import DEFAULT_TOPICS
from storage.database import Database
from storage.seed import seed
from storage.shop import PgShop
from tests.graph.conftest import ROSTER, ZONE, SystemUtc
from tests.scripted import ScriptedModels
from tools.registry import TOOLS, confirming_keys

CUSTOMER_KEYS = {
    kid: f"a customer key for the tests long enough for any HMAC of the family: {kid}" for kid in ("k1", "k2")
}
OPERATOR_KEYS = {"o1": "an operator key for the tests long enough for any HMAC of the family: o1"}


def keys_text(keys: Mapping[str, str]) -> str:
    return ",".join(f"{kid}:{secret}" for kid, secret in keys.items())


def token(
    sub: str = "c1", *, kid: str | None = "k1", key: str | None = None, algorithm: str = "HS256", ttl_s: float = 600, **claims: Any
) -> dict[str, str]:  # fmt: skip
    """Return the Authorization header of a token; a claim given as None is left out."""
    secret = key if key is not None else {**CUSTOMER_KEYS, **OPERATOR_KEYS}[kid or "k1"]
    body = {"sub": sub, "exp": int(time.time() + ttl_s), **claims}
    headers = {"kid": kid} if kid else None
    signed = jwt.encode({k: v for k, v in body.items() if v is not None}, secret, algorithm=algorithm, headers=headers)
    return {"Authorization": f"Bearer {signed}"}


def operator(name: str = "bia") -> dict[str, str]:
    return token(name, kid="o1", role="operator")


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an app, lifespan included, on a free loopback port; give the base address."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="on", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        while not server.started:  # a first start trains the local model beside it, on a busy machine for minutes
            thread.join(timeout=0.02)
            assert thread.is_alive(), "the app did not start"
        yield address
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()
        assert not thread.is_alive()


def scripted(
    scripts: Any, decider: Decider, *, mode: str = "demo", limits: Limits | None = None, **more: Any
) -> Callable[[Mapping[str, str]], AbstractAsyncContextManager[Bastao]]:
    """Return what opens a Bastão of scripted models on the DATABASE_URL of its environment, in the loop that asks."""

    @asynccontextmanager
    async def open_it(environ: Mapping[str, str]) -> AsyncIterator[Bastao]:
        database = await Database.open(environ=environ)
        await database.migrate(after=setup_checkpoints)
        async with database.connection() as conn:
            await seed(conn, today=datetime.now(ZONE).date())
        values: dict[str, Any] = {
            "database": database, "roster": ROSTER, "models": ScriptedModels(scripts), "decider": decider,
            "shop": PgShop(database, now=lambda: datetime.now(UTC)), "tools": TOOLS, "reasons": ROSTER.reasons(),
            "authority": AuthorityPolicy(), "thresholds": lambda provider, calibrated=True: Thresholds(), "limits": limits or Limits(),
            "sensitive": DEFAULT_TOPICS, "hours": OpeningHours(), "secret": b"a secret of the tests", "zone": ZONE,
            "clock": SystemUtc(), "new_id": lambda prefix: f"{prefix}-{uuid4().hex}", "shop_name": "Loja Aurora", "demo_customers": ("c1", "c2", "c3"),
            "tool_keys": confirming_keys(),
        } | more  # fmt: skip
        services = Services(**values)
        graph = build_graph(services).compile(checkpointer=TurnSaver(database.pool))
        conversation = Conversation(services=services, graph=graph, owner="tests")
        try:
            yield Bastao(conversation=conversation, services=services, database=database, mode=mode)
        finally:
            await conversation.close()
            await database.close()

    return open_it


@dataclass
class Client:
    """One caller: a base address and who it says it is."""

    base: str
    headers: dict[str, str] = field(default_factory=lambda: {"X-Demo-Customer": "c1"})

    def call(self, method: str, path: str, *, json: Any = None, headers: Mapping[str, str] | None = None, **more: Any) -> httpx.Response:  # fmt: skip
        given = {**self.headers, **(headers or {})}
        return httpx.request(method, self.base + path, json=json, headers=given, timeout=30, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.call("GET", path, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.call("POST", path, json=json, **more)

    def create(self) -> str:
        made = self.post("/conversations")
        assert made.status_code == 201, made.text
        return made.json()["conversation_id"]

    def say(self, conversation: str, text: str, **body: Any) -> dict[str, Any]:
        """Send a message and return the one JSON answer."""
        path = f"/conversations/{conversation}/messages"
        got = self.post(path, {"text": text, **body}, headers={"Accept": "application/json"})
        assert got.status_code == 200, got.text
        return got.json()

    def stream(self, conversation: str, text: str, **body: Any) -> list[dict[str, Any]]:
        """Send a message and return the events of its stream."""
        got = self.post(f"/conversations/{conversation}/messages", {"text": text, **body})
        assert got.status_code == 200, got.text
        assert got.headers["content-type"].startswith("text/event-stream")
        return events_of(got.text)


def events_of(text: str) -> list[dict[str, Any]]:
    """Read a stream's events; the `event` line and the event's own type must agree."""
    found: list[dict[str, Any]] = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            event = json.loads(lines["data"])
            assert lines["event"] == event["type"]
            found.append(event)
    return found


def problem(got: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that a response is this problem, and return it."""
    assert got.status_code == status, got.text
    assert got.headers["content-type"] == "application/problem+json"
    body = got.json()
    assert (body["status"], body["code"]) == (status, code)
    return body
