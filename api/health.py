"""Whether the process lives, whether it can serve, and what it is."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import JSONResponse

from api.door import Opened
from api.problems import RETRY_S
from ops.health import Check, is_ready, readiness

VERSION = "0.1.0"  # of the project, as pyproject.toml has it

router = APIRouter(tags=["health"])


class Live(BaseModel):
    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    """`checks` say what is missing where `ready` is false."""

    ready: bool
    checks: list[Check]


class Version(BaseModel):
    """What runs. `simulated` says that the chat model is the offline one.

    `release` is stored on every turn: a hash over code, configuration, prompts, reasons, examples and calibration; `parts`
    has one of each.
    """

    name: Literal["bastao"] = "bastao"
    version: str
    release: str | None
    parts: dict[str, str]
    mode: str
    roster: list[str]
    chat_model: str
    simulated: bool


@router.get("/health/live")
async def live() -> Live:
    """Answer while the process lives. It asks nothing of the database."""
    return Live()


@router.get("/health/ready", responses={503: {"model": Ready, "description": "not now; `checks` say why"}})
async def ready(door: Opened) -> JSONResponse:
    """Tell whether messages can be taken: the database answers, has every migration, and the process is not ending.

    Decision providers that are left alone after errors are named too; without them turns are still answered.
    """
    checks = await readiness(door.bastao.database, door.services.decider)
    if door.conversation.closing:
        checks = (*checks, Check(name="taking_turns", ok=False, why="this process is ending"))
    found = Ready(ready=is_ready(checks), checks=list(checks))
    headers = {} if found.ready else {"Retry-After": str(RETRY_S)}
    return JSONResponse(found.model_dump(mode="json"), 200 if found.ready else 503, headers=headers)


@router.get("/version")
@router.get("/health/version", operation_id="health_version")
async def version(door: Opened) -> Version:
    """Say what runs here."""
    services = door.services
    return Version(
        version=VERSION, release=services.release, parts=dict(services.versions), mode=door.bastao.mode, roster=list(services.roster.ids), chat_model=services.models.label,
        simulated=services.models.simulated,
    )  # fmt: skip
