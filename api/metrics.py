"""The running day for Prometheus. Not in the API's document: it is for who runs the shop, not for who integrates it."""

import hmac
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from api.door import Opened
from api.health import VERSION
from api.problems import Problem
from ops.prometheus import CONTENT_TYPE, exposition, read_day

TOKEN = "BASTAO_METRICS_TOKEN"

router = APIRouter(tags=["metrics"])


@router.get("/metrics", include_in_schema=False)
async def metrics(door: Opened, authorization: Annotated[str, Header()] = "") -> Response:
    """Answer a scrape, the same in every worker.

    With BASTAO_METRICS_TOKEN whoever asks must bear it; without one, production keeps what is spent to itself.
    """
    _may_scrape(authorization, token=door.metrics_token, demo=door.identities.demo)
    services = door.services
    day = await read_day(door.bastao.database, now=services.clock.now(), zone=services.zone)
    return Response(exposition(day, version=VERSION, release=services.release), media_type=CONTENT_TYPE)


def _may_scrape(authorization: str, *, token: str | None, demo: bool) -> None:
    if token is None:
        if not demo:
            raise Problem(403, "metrics_off", f"{TOKEN} must be set, and sent as a bearer token")
        return
    if not hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode()):
        raise Problem(
            401, "unauthenticated", f"{TOKEN} is needed, as a bearer token", headers={"WWW-Authenticate": "Bearer"}
        )
