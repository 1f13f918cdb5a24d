"""A customer's conversations: create, send, stop, and read what happened."""

from functools import partial
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Body, Query, Request, Response
from fastapi.openapi.models import Example
from pydantic import BaseModel, Field, model_validator
from starlette.responses import StreamingResponse

from api.delivery import as_stream, stop_when_left
from api.door import Door, Opened
from api.identity import CustomerAsks, Operator, ReaderAsks
from api.problems import Problem, busy, documented
from api.wire import Body as RequestBody
from api.wire import ConversationId, Id, PartIn, Text, TurnAnswer, answer_of
from graph.parts import says_nothing
from ops.conversations import admit, admit_operator, broken_off, must_wait, open_conversation, turn_of
from ops.problems import NothingSaid
from ops.reading import (
    ConversationRow,
    HistoryLine,
    PackageRow,
    TurnRow,
    conversations_of,
    history,
    trail,
    transfers,
)
from ops.waiting import Waiting, what_waits
from routing.shop import Customer

router = APIRouter(prefix="/conversations", tags=["conversations"])

_LAST_SEQ = 2**62
After = Annotated[int, Query(ge=0, le=_LAST_SEQ, description="only messages after this `seq`; 0: the latest ones")]
Limit = Annotated[int, Query(ge=1, le=200)]
OnDisconnect = Literal["finish", "cancel"]


class CreateIn(RequestBody):
    """`channel` names where the conversation takes place; config.json gives channels their quiet time."""

    channel: str = Field(default="api", pattern=r"^[a-z0-9_-]{1,32}$")


class Created(BaseModel):
    conversation_id: str
    channel: str


class MessageIn(RequestBody):
    """A message: `text`, or `parts` (media by reference). The same `message_id` again yields the stored answer."""

    message_id: Id | None = None
    text: Text | None = Field(default=None, max_length=20_000)
    parts: list[PartIn] = Field(default_factory=list, max_length=20)
    agent_override: str | None = Field(
        default=None,
        max_length=64,
        description="a specialist that shall answer; never bypasses a person or a confirmation",
    )

    @model_validator(mode="after")
    def _says_something(self) -> "MessageIn":
        if says_nothing([part.part() for part in self.all_parts()]):
            raise NothingSaid
        return self

    def all_parts(self) -> list[PartIn]:
        return [*([PartIn(text=self.text)] if self.text else []), *self.parts]


class Stopping(BaseModel):
    """`stopping` is false where no turn ran. After its first effect a turn goes on to its end."""

    stopping: bool


class Mine(BaseModel):
    conversations: list[ConversationRow]


class History(BaseModel):
    """`last_seq` is what to give as `after` next time; `waiting` is what is open right now."""

    messages: list[HistoryLine]
    last_seq: int
    waiting: Waiting


class Trail(BaseModel):
    turns: list[TurnRow]


class Transfers(BaseModel):
    transfers: list[PackageRow]


_MESSAGES: dict[str, Example] = {
    "text": {"summary": "A text", "value": {"message_id": "m-1", "text": "cadê meu pedido 10405?"}},
    "photo": {
        "summary": "A photo with words",
        "value": {
            "message_id": "m-2",
            "parts": [{"type": "image", "ref": "upload/77.jpg", "name": "77.jpg"}, {"type": "text", "text": "veio assim"}],
        },
    },
    "override": {
        "summary": "For an agent that the front end chose",
        "value": {"message_id": "m-3", "text": "e o reembolso?", "agent_override": "billing"},
    },
}  # fmt: skip
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "model": TurnAnswer,
        "description": "The turn's events as they happen, or with `Accept: application/json` one answer when it has ended",
        "content": {"text/event-stream": {"example": "event: status\ndata: {…}\n\n"}},
    }
}


@router.post("", status_code=201, responses=documented(400, 401, 403, 413, 422))
async def create(door: Opened, customer: CustomerAsks, response: Response, body: CreateIn | None = None) -> Created:
    """Create an empty conversation of the customer who asks."""
    made = await open_conversation(door.services, customer, channel=(body or CreateIn()).channel)
    response.headers["Location"] = f"/conversations/{made.thread_id}"
    return Created(conversation_id=made.thread_id, channel=made.channel)


@router.get("", responses=documented(401, 403, 422))
async def mine(door: Opened, customer: CustomerAsks, limit: Limit = 50) -> Mine:
    """List the customer's conversations, the one last used first."""
    return Mine(conversations=list(await conversations_of(door.bastao.database, customer.id or "", limit=limit)))


@router.post(
    "/{conversation_id}/messages",
    response_model=None,
    responses=_STREAM | documented(400, 401, 403, 404, 409, 413, 422),
)
async def send(
    door: Opened, customer: CustomerAsks, request: Request, conversation_id: ConversationId,
    body: Annotated[MessageIn, Body(openapi_examples=_MESSAGES)],
    wait: Annotated[bool, Query(description="false: 409 with Retry-After where a turn runs, and nothing is stored")] = True,
    on_disconnect: Annotated[
        OnDisconnect | None, Query(description="what a lost connection does to the turn; config.json says what is usual")
    ] = None,
) -> Response:  # fmt: skip
    """Store a message and have it answered: `text/event-stream` with the typed events, or one JSON answer.

    Events: queued, status, decision, handoff, tool, confirmation, person, token, reply, discarded, error, done.
    """
    found = await admit(door.services, conversation_id, customer)
    _check_override(door, body.agent_override)
    message_id = body.message_id or f"m-{uuid4().hex}"
    if not wait and await must_wait(door.services, conversation_id, message_id):
        raise busy()
    sending = door.sends.start(
        door.conversation.send(
            conversation_id, [part.part() for part in body.all_parts()], message_id=message_id, customer=customer,
            channel=found.channel, override=body.agent_override,
        )
    )  # fmt: skip
    if (on_disconnect or door.services.on_disconnect) == "cancel":
        turn = partial(turn_of, door.services, conversation_id, message_id)
        stop = partial(door.conversation.stop, conversation_id)
        door.sends.keep(stop_when_left(request, sending, turn_of=turn, stop=stop))
    await sending.begin()
    explain = partial(broken_off, door.services)
    headers = {"X-Message-Id": message_id, "Cache-Control": "no-cache"}
    if not wants_json(request):
        stream = as_stream(sending, explain=explain)
        return StreamingResponse(stream, media_type="text/event-stream", headers={**headers, "X-Accel-Buffering": "no"})
    events = [event async for event in sending.events(explain=explain) if event is not None]
    answer = answer_of(events, thread_id=conversation_id, message_id=message_id)
    if answer.error is not None and answer.error.code == "busy":
        raise busy("the turn before this message took too long; the message is stored, send it again by its message_id")
    return Response(answer.model_dump_json(), media_type="application/json", headers=headers)


@router.post("/{conversation_id}/stop", responses=documented(401, 403, 404, 422))
async def stop(
    door: Opened, customer: CustomerAsks, conversation_id: ConversationId, turn_id: Annotated[Id | None, Query()] = None
) -> Stopping:
    """Ask the running turn to stop, or only this one."""
    await admit(door.services, conversation_id, customer)
    return Stopping(stopping=await door.conversation.stop(conversation_id, turn_id))


@router.get("/{conversation_id}/messages", responses=documented(401, 403, 404, 422))
async def read_messages(
    door: Opened, reader: ReaderAsks, conversation_id: ConversationId, after: After = 0, limit: Limit = 200
) -> History:
    """Return the messages after a given one: what a page needs that reconnects."""
    await _admitted(door, reader, conversation_id, reads="history")
    database = door.bastao.database
    lines = await history(database, conversation_id, customer=None, after=after, limit=limit)
    waiting = await what_waits(database, conversation_id, now=door.services.clock.now())
    return History(messages=list(lines), last_seq=lines[-1].seq if lines else after, waiting=waiting)


@router.get("/{conversation_id}/trail", responses=documented(401, 403, 404, 422))
async def read_trail(
    door: Opened, reader: ReaderAsks, conversation_id: ConversationId, limit: Limit = 50
) -> Trail:  # fmt: skip
    """Return the last turns: who decided and why, which tools ran, what was handed over.

    What was never said to the customer (a discarded reply, the checks of a reply) is for operators only.
    """
    await _admitted(door, reader, conversation_id, reads="trail")
    turns = await trail(door.bastao.database, conversation_id, limit=limit)
    if not isinstance(reader, Operator):
        turns = tuple(turn.model_copy(update={"discarded_reply": None, "checks": ()}) for turn in turns)
    return Trail(turns=list(turns))


@router.get("/{conversation_id}/transfers", responses=documented(401, 403, 404, 422))
async def read_transfers(door: Opened, reader: ReaderAsks, conversation_id: ConversationId) -> Transfers:
    """Return the package of every transfer, oldest first."""
    await _admitted(door, reader, conversation_id, reads="transfers")
    return Transfers(transfers=list(await transfers(door.bastao.database, conversation_id)))


def wants_json(request: Request) -> bool:
    """Tell whether the caller asked for one JSON answer; a stream is what it gets otherwise."""
    accept = request.headers.get("accept", "")
    return "application/json" in accept and "text/event-stream" not in accept


async def _admitted(door: Door, reader: Customer | Operator, thread_id: str, *, reads: str) -> None:
    if isinstance(reader, Operator):
        await admit_operator(door.services, thread_id, reader.id, reads=reads)
    else:
        await admit(door.services, thread_id, reader)


def _check_override(door: Door, override: str | None) -> None:
    known = door.services.roster.ids
    if override is not None and override not in known:
        raise Problem(422, "unknown_agent", "agent_override names no specialist of the roster", known=known)
