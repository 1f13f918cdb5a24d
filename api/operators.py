"""The operators' side: what waits for a person, and what a person does about it."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Query
from fastapi.openapi.models import Example
from pydantic import BaseModel, Field, model_validator

from api.door import Opened
from api.identity import OperatorAsks
from api.problems import Problem, busy, documented
from api.wire import Body as RequestBody
from api.wire import ConversationId, Id, Text, TurnAnswer, answer_of
from graph.people import BY_TURN, SETTLES, ActionKind, PersonAction
from ops.conversations import admit_operator, broken_off, has_item
from ops.degraded import Degraded, degraded
from ops.queue import QueueRow, Which, queue_rows
from routing.text import blank

router = APIRouter(tags=["operators"])


class Queue(BaseModel):
    """What waits (most urgent first), then what operators are working on."""

    items: list[QueueRow]


class ActionIn(RequestBody):
    """What a person does. `reply` and `note` need a text; `note`, `approve`, `reject`, `happened` and `did_not_happen` an item.

    `happened` and `did_not_happen` tell what the shop's system shows of an act that was in doubt; a text is its protocol.
    """

    kind: ActionKind
    item_id: Id | None = None
    text: Text | None = Field(default=None, max_length=20_000)

    @model_validator(mode="after")
    def _complete(self) -> "ActionIn":
        if self.kind in ("reply", "note") and blank(self.text or ""):
            raise ValueError(f"{self.kind} needs a text")
        if self.kind in ("note", *BY_TURN, *SETTLES) and self.item_id is None:
            raise ValueError(f"{self.kind} needs an item_id")
        return self


class Condition(BaseModel):
    """`degraded` is null while every provider answers."""

    degraded: Degraded | None


_ACTIONS: dict[str, Example] = {
    "claim": {"summary": "Take an item: the bot falls silent", "value": {"kind": "claim", "item_id": "q-1"}},
    "reply": {"summary": "Write to the customer", "value": {"kind": "reply", "text": "Oi, Ana! Já vi o que houve."}},
    "hand_back": {"summary": "Give the word back to the bot", "value": {"kind": "hand_back", "item_id": "q-1"}},
}


@router.get("/queue", responses=documented(401, 403, 422))
async def queue(
    door: Opened, operator: OperatorAsks, which: Which = "open", limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> Queue:
    """List what waits for a person. Who looked is noted."""
    rows = await queue_rows(door.services, operator=operator.id, which=which, limit=limit)
    return Queue(items=list(rows))


@router.get("/degraded", responses=documented(401, 403, 422))
async def condition(door: Opened, operator: OperatorAsks) -> Condition:
    """Tell which providers failed in the last minutes, and what became of the turns."""
    return Condition(degraded=await degraded(door.bastao.database, now=door.services.clock.now()))


@router.post("/conversations/{conversation_id}/person", responses=documented(400, 401, 403, 404, 409, 413, 422))
async def act(
    door: Opened, operator: OperatorAsks, conversation_id: ConversationId,
    body: Annotated[ActionIn, Body(openapi_examples=_ACTIONS)],
) -> TurnAnswer:  # fmt: skip
    """Carry out a person's action. An approval or rejection runs a turn, whose outcome is the answer."""
    await admit_operator(door.services, conversation_id, operator.id)
    if body.item_id is not None and not await has_item(door.services, conversation_id, body.item_id):
        raise Problem(404, "no_such_item", "there is no such item in this conversation")
    action = PersonAction(kind=body.kind, item_id=body.item_id, text=body.text)
    acting = door.sends.start(door.conversation.person(conversation_id, action, operator=operator.id))
    await acting.begin()
    explain = partial(broken_off, door.services)
    events = [event async for event in acting.events(explain=explain) if event is not None]
    answer = answer_of(events, thread_id=conversation_id, message_id=None)
    if answer.error is not None and answer.error.code == "busy":
        raise busy()
    return answer
