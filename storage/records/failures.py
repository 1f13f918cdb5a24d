"""Failures: what a protocol number in an apology finds. The caller takes secrets and personal data out of it first."""

from datetime import datetime
from typing import Final

from storage.rows import Connection, Record, columns, one


class Failure(Record):
    """`kind` is the exception's name, `detail` its traceback."""

    protocol: str
    at: datetime
    thread_id: str | None
    turn_id: str | None
    kind: str
    detail: str


_COLUMNS: Final = columns(Failure)


async def write(
    conn: Connection,
    *,
    protocol: str,
    kind: str,
    detail: str,
    thread_id: str | None = None,
    turn_id: str | None = None,
    now: datetime,
) -> None:
    await conn.execute(
        f"insert into failures ({_COLUMNS}) values (%(protocol)s, %(now)s, %(thread)s, %(turn)s, %(kind)s, %(detail)s)",
        {
            "protocol": protocol,
            "now": now,
            "thread": thread_id,
            "turn": turn_id,
            "kind": kind,
            "detail": detail,
        },
    )


async def find(conn: Connection, protocol: str) -> Failure | None:
    return await one(
        conn,
        Failure,
        f"select {_COLUMNS} from failures where protocol = %(protocol)s",
        {"protocol": protocol},
    )
