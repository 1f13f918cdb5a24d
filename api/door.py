"""What the routers reach: the opened Bastão, who may ask, and the sends that are on their way."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from api.delivery import Sends
from api.tokens import Identities
from graph.conversation import Bastao, Conversation
from graph.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Opened by the app's lifespan, closed with it."""

    bastao: Bastao
    identities: Identities
    sends: Sends
    metrics_token: str | None = None

    @property
    def services(self) -> Services:
        return self.bastao.services

    @property
    def conversation(self) -> Conversation:
        return self.bastao.conversation


def door_of(request: Request) -> Door:
    """Return what the lifespan opened."""
    return cast(Door, request.app.state.door)


Opened = Annotated[Door, Depends(door_of)]
