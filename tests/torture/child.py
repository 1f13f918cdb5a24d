"""Messages from a process of its own: one that a fuse ends or stops on the way, or several at once."""

import asyncio
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from examples.shop_http.http_shop import HttpShop
from storage.database import Database
from storage.shop import PgShop
from tests.scripted import ScriptedDecider, ScriptedModels
from tests.torture import story
from tests.torture.building import ANA, build, utc_now
from tests.torture.fuse import Fuse, FusedShop, How, fused_connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What the child has to do. `shop_url` None is the shop in PostgreSQL."""

    database_url: str
    shop_url: str | None
    thread_id: str
    message_id: str
    text: str
    point: str
    how: How


def main(errand: Errand, out: Connection) -> None:
    """Send the message. Tells the point that was reached, and whoever gets to the end the reply."""
    asyncio.run(_send(errand, out))


async def _send(errand: Errand, out: Connection) -> None:
    fuse = Fuse(point=errand.point, how=errand.how, tell=out.send)
    database = await Database.open(
        environ={"DATABASE_URL": errand.database_url}, pool_size=3, stalled_s=1.0, connection_class=fused_connection(fuse)
    )  # fmt: skip
    inner: Any = HttpShop(base_url=errand.shop_url) if errand.shop_url else PgShop(database, now=utc_now)
    decider = story.decider()

    async def deciding() -> None:
        fuse.at("deciding")

    decider.meanwhile = deciding
    conversation = build(
        database, shop=FusedShop(inner, fuse), models=story.models(fuse.at), decider=decider, owner="child"
    )
    replies: list[str] = []
    sent = conversation.send(
        errand.thread_id, [errand.text], message_id=errand.message_id, customer=ANA, channel="tests"
    )
    async for event in sent:
        if event.type == "token":
            fuse.at("told")
        if event.type == "reply":
            replies.append(event.text)
    out.send(replies)
    await conversation.close()
    await database.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst:
    """Texts to send at once, each under itself as its id."""

    database_url: str
    thread_id: str
    texts: tuple[str, ...]


def burst(task: Burst, pipe: Connection) -> None:
    """Send the texts when told to; answer with the replies to each."""
    asyncio.run(_burst(task, pipe))


async def _burst(task: Burst, pipe: Connection) -> None:
    database = await Database.open(environ={"DATABASE_URL": task.database_url}, pool_size=8)
    echo = ScriptedModels({"support": lambda messages, kwargs: f"li: {messages[-1].text}"})
    decider = ScriptedDecider(lambda message, exchange: "support")
    conversation = build(
        database, shop=PgShop(database, now=utc_now), models=echo, decider=decider, owner=f"child {task.texts[0]}"
    )

    async def send(text: str) -> list[str]:
        sent = conversation.send(task.thread_id, [text], message_id=text, customer=ANA, channel="tests")
        return [event.text async for event in sent if event.type == "reply"]

    pipe.send("ready")
    await asyncio.to_thread(pipe.recv)
    pipe.send(dict(zip(task.texts, await asyncio.gather(*map(send, task.texts)), strict=True)))
    await conversation.close()
    await database.close()
