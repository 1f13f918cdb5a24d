import asyncio
import re
from typing import get_args

import pytest

from routing.facts import Commitment, CommitmentOrigin, FactStatus
from routing.shop import OrderStatus, Request
from storage.database import Database
from storage.records.commitments import FollowUp
from storage.records.contacts import Contact
from storage.records.effects import State
from storage.records.messages import Role
from storage.records.packages import Package
from storage.records.proposals import Status as ProposalStatus
from storage.records.queue import QueueItem
from storage.records.turns import Status as TurnStatus
from storage.rows import Connection
from tests.storage.values import PROJECT, process

NEWEST = max(path.name[:4] for path in (PROJECT / "storage/migrations/versions").glob("[0-9]*.py"))
MIGRATE = """
import asyncio, os
from storage.database import Database

async def after(conn):
    # Fails when two do it at once, and when somebody waits for the lock with a snapshot.
    await conn.execute("create table if not exists extra (n int)")
    await conn.execute("create index concurrently if not exists extra_n on extra (n)")
    await conn.execute("insert into extra values (1)")

async def main():
    database = await Database.open(environ=os.environ)
    await database.migrate(after)
    async with database.connection() as conn:
        await conn.execute("select count(*) from turns")
    await database.close()

asyncio.run(main())
"""


@pytest.mark.slow
async def test_six_processes_migrate_an_empty_database_at_once(empty_database_url: str) -> None:
    runs = await asyncio.gather(*(process(MIGRATE, database_url=empty_database_url) for _ in range(6)))
    assert [code for code, _ in runs] == [0] * 6, "\n".join(output for _, output in runs)
    database = await Database.open(environ={"DATABASE_URL": empty_database_url})
    async with database.connection() as conn:
        cursor = await conn.execute(
            "select (select count(*) from extra) as after, (select array_agg(version_num) from bastao_migrations) as at"
        )
        assert await cursor.fetchone() == {"after": 6, "at": [NEWEST]}
    await database.close()


async def test_what_fails_under_the_lock_gives_it_back(db: Database) -> None:
    async def fail(conn: Connection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await db.migrate(fail)
    await asyncio.wait_for(db.migrate(), timeout=5)


async def test_a_database_of_a_newer_release_is_left_alone(own_db: Database) -> None:
    async with own_db.connection() as conn:
        await conn.execute("update bastao_migrations set version_num = '0999'")
    await own_db.migrate()
    async with own_db.connection() as conn:
        cursor = await conn.execute("select version_num from bastao_migrations")
        assert await cursor.fetchone() == {"version_num": "0999"}


@pytest.mark.parametrize(
    ("table", "column", "literal"),
    [
        ("turns", "status", TurnStatus),
        ("contacts", "status", Contact.model_fields["status"].annotation),
        ("messages", "role", Role),
        ("effects", "state", State),
        ("packages", "status", Package.model_fields["status"].annotation),
        ("facts", "status", FactStatus),
        ("commitments", "status", Commitment.model_fields["status"].annotation),
        ("commitments", "origin", CommitmentOrigin),
        ("follow_ups", "status", FollowUp.model_fields["status"].annotation),
        ("proposals", "status", ProposalStatus),
        ("human_queue", "status", QueueItem.model_fields["status"].annotation),
        ("shop.orders", "status", OrderStatus),
        ("shop.requests", "status", Request.model_fields["status"].annotation),
    ],
)
async def test_the_database_allows_exactly_the_words_of_the_code(
    db: Database, table: str, column: str, literal: object
) -> None:
    async with db.connection() as conn:
        cursor = await conn.execute(
            "select pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c'"
            " and conrelid = %s::regclass and conkey = array[(select attnum from pg_attribute"
            " where attrelid = %s::regclass and attname = %s)]",
            (table, table, column),
        )
        rules = [str(row["rule"]) for row in await cursor.fetchall()]
    assert len(rules) == 1
    assert set(re.findall(r"'(\w+)'", rules[0])) == set(get_args(literal))
