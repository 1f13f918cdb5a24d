"""A worker process: a whole Bastão as `open_bastao` composes it, maintenance included, that obeys over a pipe."""

import asyncio
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from graph.people import NotPossible, PersonAction
from ops.problems import ClosingDown, DatabaseUnavailable
from routing.shop import Customer
from settings import load_settings, open_bastao

_ROUNDS_EVERY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What the driver wants. Answers carry its `number`."""

    number: int
    kind: str
    thread_id: str
    customer_id: str = ""
    message_id: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`kind`: up, accepted, end, asked, crash. `status` is the turn's ending, `code` an error's."""

    number: int = 0
    kind: str
    status: str | None = None
    reply: str | None = None
    code: str | None = None


def main(environ: Mapping[str, str], pipe: Connection) -> None:
    """Serve until the pipe's other end closes, or somebody kills us."""
    asyncio.run(_serve(environ, pipe))


async def _serve(environ: Mapping[str, str], pipe: Connection) -> None:
    inbox: asyncio.Queue[Command | None] = asyncio.Queue()

    def readable() -> None:
        try:
            while pipe.poll():
                inbox.put_nowait(pipe.recv())
        except (EOFError, OSError):
            asyncio.get_running_loop().remove_reader(pipe.fileno())
            inbox.put_nowait(None)

    async with open_bastao(load_settings(environ), environ, maintain_every_s=_ROUNDS_EVERY_S) as bastao:
        asyncio.get_running_loop().add_reader(pipe.fileno(), readable)
        pipe.send(Answer(kind="up"))
        tasks: set[asyncio.Task[None]] = set()
        while (command := await inbox.get()) is not None:
            task = asyncio.create_task(_obey(bastao.conversation, command, pipe))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks, return_exceptions=True)


async def _obey(conversation: Any, command: Command, pipe: Connection) -> None:
    try:
        await _carry_out(conversation, command, pipe)
    except (DatabaseUnavailable, ClosingDown, NotPossible, LookupError) as error:
        pipe.send(Answer(number=command.number, kind="end", code=type(error).__name__))
    except Exception:  # whatever else comes out of a door is what this test is there to find
        pipe.send(Answer(number=command.number, kind="crash", code=traceback.format_exc()))


async def _carry_out(conversation: Any, command: Command, pipe: Connection) -> None:
    match command.kind:
        case "send":
            await _send(conversation, command, pipe)
        case "stop":
            asked = await conversation.stop(command.thread_id)
            pipe.send(Answer(number=command.number, kind="end", status=str(asked)))
        case _:
            action = PersonAction.model_validate({"kind": command.kind, "text": command.text or None})
            async for _ in conversation.person(command.thread_id, action, operator="bia"):
                pass
            pipe.send(Answer(number=command.number, kind="end"))


async def _send(conversation: Any, command: Command, pipe: Connection) -> None:
    status = reply = code = None
    accepted = False
    sent = conversation.send(
        command.thread_id, [command.text], message_id=command.message_id,
        customer=Customer(id=command.customer_id, level="session"), channel="tests",
    )  # fmt: skip
    async for event in sent:
        if not accepted:
            accepted = True
            pipe.send(Answer(number=command.number, kind="accepted"))
        if event.type == "reply":
            reply = event.text
        elif event.type == "done":
            status = event.status
        elif event.type == "error":
            code = event.code
    pipe.send(Answer(number=command.number, kind="end", status=status, reply=reply, code=code))
