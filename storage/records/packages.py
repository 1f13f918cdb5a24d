"""Packages: the snapshot of every transfer, as it was handed over."""

from datetime import datetime
from typing import Final, Literal

from psycopg.types.json import Jsonb

from storage.rows import Connection, Json, Record, changed, columns, many


class Package(Record):
    """`body` is the package itself, `schema_version` how to read it, `tokens` the size of its rendering.

    `failed`: the destination could not take it, and the customer was not told that anybody had.
    """

    id: str
    thread_id: str
    turn_id: str
    contact_id: str | None = None
    from_agent: str | None
    to_agent: str
    reason: str
    schema_version: int
    body: Json
    tokens: int
    at: datetime
    status: Literal["taken", "failed"] = "taken"


_COLUMNS: Final = columns(Package)


async def save(conn: Connection, package: Package) -> None:
    """Store a package; the same id again changes nothing."""
    await conn.execute(
        f"insert into packages ({_COLUMNS}) values (%(id)s, %(thread_id)s, %(turn_id)s, %(contact_id)s, %(from_agent)s,"
        " %(to_agent)s, %(reason)s, %(schema_version)s, %(body)s, %(tokens)s, %(at)s, %(status)s)"
        " on conflict (id) do nothing",
        {**package.model_dump(), "body": Jsonb(package.body)},
    )


async def set_status(conn: Connection, package_id: str, *, status: Literal["taken", "failed"]) -> bool:
    return (
        await changed(
            conn,
            "update packages set status = %(status)s where id = %(id)s",
            {"status": status, "id": package_id},
        )
        == 1
    )


async def of_thread(conn: Connection, thread_id: str) -> list[Package]:
    """Return a conversation's packages, oldest first."""
    return await many(
        conn,
        Package,
        f"select {_COLUMNS} from packages where thread_id = %(thread)s order by at, id",
        {"thread": thread_id},
    )


async def of_turn(conn: Connection, turn_id: str) -> list[Package]:
    """Return the packages that a turn handed over, oldest first."""
    return await many(
        conn, Package, f"select {_COLUMNS} from packages where turn_id = %(turn)s order by at, id", {"turn": turn_id}
    )
