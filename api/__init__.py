"""Bastão over HTTP: `uvicorn api:app`. Importing this opens nothing; the app's lifespan does."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter

from api import conversations, health, metrics, operators, problems, turn_taking
from api.body_limit import BodyLimit
from api.cors import Cors
from api.delivery import Sends
from api.door import Door
from api.health import VERSION
from api.shutdown import drained_first
from api.tokens import identities_of
from graph.conversation import Bastao
from graph.events import Event
from ops.logs import configure_logs
from ops.problems import ClosingDown, DatabaseUnavailable
from settings import load_environment, load_settings, open_bastao

MAX_BODY_BYTES = 256 * 1024
MAINTAIN_EVERY_S = 60.0
_REF = "#/components/schemas/{model}"
_ABOUT = """A post-sale chat in which several specialists answer, one reply per turn, and pass the conversation on without dropping
what was learned. A message is answered as a stream of typed events, or as one JSON answer. Errors are problem documents
(RFC 9457)."""

Opener = Callable[[Mapping[str, str]], AbstractAsyncContextManager[Bastao]]
log = logging.getLogger(__name__)


class Api(FastAPI):
    """The app; its OpenAPI document names the problem documents and the events by what they are."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        _name_problems(document)
        _add_events(document)
        return document


def create_app(environ: Mapping[str, str] | None = None, *, opener: Opener | None = None) -> FastAPI:
    """Return the app. Its lifespan reads the environment (`environ`, else the process's with `.env`) and opens Bastão."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        given = load_environment() if environ is None else environ
        async with (opener or _open)(given) as bastao:
            identities = identities_of(given, demo=bastao.mode == "demo", demo_customers=bastao.services.demo_customers)
            sends = Sends()
            token = given.get(metrics.TOKEN) or None
            app.state.door = Door(bastao=bastao, identities=identities, sends=sends, metrics_token=token)
            sweeping = asyncio.create_task(_sweep(bastao))

            async def drain(within_s: float | None = None) -> None:
                sweeping.cancel()
                await asyncio.gather(sweeping, return_exceptions=True)
                await bastao.conversation.close(within_s=within_s)
                await sends.close()

            with drained_first(drain):
                try:
                    yield
                finally:  # whoever was told to end a second time does not wait again
                    await drain(0 if bastao.conversation.closing else None)

    app = Api(title="Bastão", version=VERSION, description=_ABOUT, lifespan=lifespan)
    app.add_middleware(BodyLimit, limit=MAX_BODY_BYTES)
    app.add_middleware(Cors)
    problems.install(app)
    for router in (turn_taking.router, conversations.router, operators.router, health.router, metrics.router):
        app.include_router(router)
    return app


def _open(environ: Mapping[str, str]) -> AbstractAsyncContextManager[Bastao]:
    settings = load_settings(environ)
    configure_logs(settings.logs, environ)
    return open_bastao(settings, environ, maintain_every_s=MAINTAIN_EVERY_S)


async def _sweep(bastao: Bastao) -> None:
    """Finish what a worker that died left behind, now and as often as a lease can run out."""
    while True:
        with suppress(DatabaseUnavailable, ClosingDown):
            if taken := await bastao.conversation.resume():
                log.info("finishing %d turns whose worker died", taken)
        await asyncio.sleep(bastao.services.limits.lease_s)


def _name_problems(document: dict[str, Any]) -> None:
    for operation in (o for path in document["paths"].values() for o in path.values()):
        for response in operation["responses"].values():
            content = response.get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            if schema.get("$ref", "").endswith("/ProblemDetail"):
                content[problems.MEDIA_TYPE] = content.pop("application/json")


def _add_events(document: dict[str, Any]) -> None:
    """Describe what an event stream carries (OpenAPI 3.2's itemSchema; older readers skip it)."""
    schemas = document["components"]["schemas"]
    events = TypeAdapter[Any](Event).json_schema(ref_template=_REF, mode="serialization")
    for name, schema in events.pop("$defs").items():
        schemas.setdefault(name, schema)
    schemas.setdefault("Event", events)
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"$ref": _REF.format(model="Event")},
    }
    for operation in (o for path in document["paths"].values() for o in path.values()):
        for response in operation["responses"].values():
            if stream := response.get("content", {}).get("text/event-stream"):
                stream["itemSchema"] = {
                    "type": "object",
                    "required": ["event", "data"],
                    "properties": {"event": {"enum": list(events["discriminator"]["mapping"])}, "data": data},
                }


def __getattr__(name: str) -> Any:
    """Make `app` when somebody asks for it, once."""
    if name != "app":
        raise AttributeError(name)
    globals()["app"] = create_app()
    return globals()["app"]
