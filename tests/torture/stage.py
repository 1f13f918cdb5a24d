"""Where a case is played: a database, a shop of either kind, and the process (this one) that takes over from whoever dies."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from examples.shop_http.http_shop import HttpShop
from graph.checkpoint import setup_checkpoints
from graph.conversation import Conversation
from graph.events import Event
from storage.database import Database
from storage.seed import seed
from storage.shop import PgShop
from tests.conftest import drop_database
from tests.storage.values import kill_owner
from tests.stubs.shop import ServedShop, served_shop
from tests.torture import story
from tests.torture.building import ANA, build, utc_now
from tests.torture.child import Errand
from tests.torture.fuse import How
from tests.torture.snapshot import Snapshot, snapshot

Kind = Literal["postgres", "http"]
Story = Literal["hop", "yes"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A database, a shop, and the process (this one) that takes over from whoever dies."""

    database_url: str
    conversation: Conversation
    served: ServedShop | None
    thread_id: str = "th-1"

    async def say(self, text: str, *, message_id: str) -> list[Event]:
        sent = self.conversation.send(self.thread_id, [text], message_id=message_id, customer=ANA, channel="tests")
        return [event async for event in sent]

    async def before(self, told: Story) -> str:
        """Play what comes before the message that a child sends; return that message."""
        if told == "hop":
            return story.WITH_A_HOP
        await self.say(story.ASKS_FIRST, message_id="m-0")
        return story.YES

    def errand(self, text: str, *, point: str, how: How) -> Errand:
        return Errand(
            database_url=self.database_url, shop_url=self.served.url if self.served else None, thread_id=self.thread_id,
            message_id="m-1", text=text, point=point, how=how,
        )  # fmt: skip

    async def forsaken(self) -> None:
        """Let the lease of whoever runs the conversation's turn run out."""
        async with self.conversation.services.database.connection() as conn:
            cursor = await conn.execute("select id from turns where status = 'running'")
            for row in await cursor.fetchall():
                await kill_owner(conn, row["id"])

    async def left(self) -> Snapshot:
        return await snapshot(self.conversation, self.thread_id)


@asynccontextmanager
async def staged(database_url: str, kind: Kind, *, models: Any = None) -> AsyncIterator[Stage]:
    database = await Database.open(environ={"DATABASE_URL": database_url}, pool_size=4)
    try:
        await database.migrate(after=setup_checkpoints)
        async with database.connection() as conn:
            await seed(conn, today=utc_now().date())
        with served_shop() if kind == "http" else nothing() as served:
            shop: Any = PgShop(database, now=utc_now) if served is None else HttpShop(base_url=served.url)
            conversation = build(
                database, shop=shop, models=models or story.models(), decider=story.decider(), owner="heir"
            )
            yield Stage(database_url, conversation, served)
            if served is not None:
                await shop.aclose()
    finally:
        await database.close()


@contextmanager
def nothing() -> Iterator[None]:
    yield None


@contextmanager
def own_database(server: str, *, template: str) -> Iterator[tuple[str, str]]:
    """Give the name and the address of a database that is there as long as the block."""
    name = f"k_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template)))
    yield name, make_conninfo(server, dbname=name)
    drop_database(server, name)
