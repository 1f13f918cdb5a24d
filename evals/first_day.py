"""The same first day for every trial: the demo shop as it was seeded, no conversation, and a clock that stands."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from langchain_core.language_models import BaseChatModel
from psycopg import sql

from agents.spec import AgentSpec
from graph.build import build_graph
from graph.checkpoint import TurnSaver
from graph.conversation import Bastao, Conversation
from graph.services import Services
from routing.authority import AuthorityPolicy, Rule
from storage.database import Database
from storage.records import conversations
from storage.rows import Connection
from storage.seed import seed
from storage.shop import PgShop

# A Tuesday at 10:00 in São Paulo, in a week of five working days: dates in cases are counted from here.
FIRST_DAY = datetime(2026, 12, 1, 13, 0, tzinfo=UTC)
CHANNEL = "evals"
# What was spent stays: else a limit of the day would begin anew with every trial.
_KEPT = ("spend", "spend_totals")


class UsedDatabase(RuntimeError):
    """The database holds conversations, or the shop is not the demo's: a trial would delete what is somebody's."""


class StandingClock:
    """A clock that stands."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at


class OneForAll:
    """One chat model for every specialist."""

    name = label = "evaluated"
    simulated = True

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return self._model


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where trials are played. `conversation` is the door; `under` gives one with further rules of authority."""

    services: Services
    conversation: Conversation

    def under(self, rules: tuple[Rule, ...]) -> Conversation:
        if not rules:
            return self.conversation
        policy = AuthorityPolicy(rules=(*self.services.authority.rules, *rules))
        changed = replace(self.services, authority=policy)
        return Conversation(services=changed, graph=self.conversation.graph, owner=self.conversation.owner)

    async def clear(self) -> None:
        """Begin the first day again."""
        await _begin_again(
            self.services.database, today=self.services.clock.now().astimezone(self.services.zone).date()
        )


@asynccontextmanager
async def first_day(bastao: Bastao, *, model: BaseChatModel | None = None) -> AsyncGenerator[Ground]:
    """Give a ground over a demo's own database, and leave an empty demo shop behind.

    `model` speaks for every specialist instead of the Bastão's own. Raises `UsedDatabase`, and then nothing was touched.
    """
    services, database = bastao.services, bastao.database
    if bastao.mode != "demo" or not isinstance(services.shop, PgShop):
        raise UsedDatabase("trials delete what they find: they are played in the demo shop only")
    async with database.connection() as conn:
        if await conversations.any_at_all(conn):
            raise UsedDatabase(
                "DATABASE_URL names a database with conversations, and trials delete what they find: name a new one, or none"
            )
    real, clock = services.clock, StandingClock(FIRST_DAY)
    changed = replace(services, clock=clock, shop=PgShop(database, now=clock.now))
    if model is not None:
        changed = replace(changed, models=OneForAll(model), purse=None, spares=())
    graph = build_graph(changed).compile(checkpointer=TurnSaver(database.pool))  # pyright: ignore[reportUnknownMemberType] - LangGraph's generics
    conversation = Conversation(services=changed, graph=graph, owner=f"{bastao.conversation.owner}:{CHANNEL}")
    try:
        yield Ground(services=changed, conversation=conversation)
    finally:
        await conversation.close()
        await _begin_again(database, today=real.now().astimezone(services.zone).date())


async def _begin_again(database: Database, *, today: date) -> None:
    async with database.transaction() as conn:
        await _empty(conn)
        await seed(conn, today=today)


async def _empty(conn: Connection) -> None:
    """Delete every row but the migrations' and the money's, in one statement: references are checked at its end."""
    found = await conn.execute(
        "select schemaname, tablename from pg_tables where schemaname in ('public', 'shop')"
        " and tablename not like '%%migrations' and not tablename = any(%s)",
        (list(_KEPT),),
    )
    tables = [(str(row["schemaname"]), str(row["tablename"])) for row in await found.fetchall()]
    deletions = [
        sql.SQL("{} as (delete from {})").format(sql.Identifier(f"d{number}"), sql.Identifier(*table))
        for number, table in enumerate(tables)
    ]
    await conn.execute(sql.SQL("with {} select 1").format(sql.SQL(", ").join(deletions)))
