"""Alarms: what operators and engineers must see. One of a kind is open at a time and counts up."""

from datetime import datetime
from typing import Final

from storage.rows import Connection, Record, columns, many, must, one


class Alarm(Record):
    id: str
    kind: str
    detail: str
    at: datetime
    last_at: datetime
    count: int
    closed_at: datetime | None


_COLUMNS: Final = columns(Alarm)


async def raise_(conn: Connection, *, alarm_id: str, kind: str, detail: str, now: datetime) -> Alarm:
    """Open an alarm, or count up the open one of its kind, which then shows the newest detail."""
    return await must(
        conn,
        Alarm,
        "insert into alarms as a (id, kind, detail, at, last_at) values (%(id)s, %(kind)s, %(detail)s, %(now)s, %(now)s)"
        " on conflict (kind) where closed_at is null do update set count = a.count + 1, last_at = excluded.last_at,"
        f" detail = excluded.detail returning {columns(Alarm, 'a')}",
        {"id": alarm_id, "kind": kind, "detail": detail, "now": now},
    )


async def open_(conn: Connection) -> list[Alarm]:
    """Return the alarms that nobody has closed, the newest first."""
    return await many(
        conn, Alarm, f"select {_COLUMNS} from alarms where closed_at is null order by last_at desc, id", {}
    )


async def close(conn: Connection, kind: str, *, now: datetime) -> Alarm | None:
    """Close the open alarm of a kind; the next one of that kind is a new one."""
    return await one(
        conn,
        Alarm,
        f"update alarms set closed_at = %(now)s where kind = %(kind)s and closed_at is null returning {_COLUMNS}",
        {"now": now, "kind": kind},
    )
