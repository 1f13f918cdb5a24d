"""How often something was tried within a window: one row per thing that is counted, for all processes together."""

from datetime import datetime, timedelta
from typing import Final

from storage.rows import Connection, Record, columns, must, one

_SWEPT: Final = 20
_MOST: Final = 1_000_000


class Window(Record):
    """`count` tries since the first one; the window is over at `until`."""

    count: int
    until: datetime


_COLUMNS: Final = columns(Window)


async def note(conn: Connection, *, scope: str, subject: str, within: timedelta, now: datetime) -> Window:
    """Count one try and return the window with it; the first one, or the first after the window, begins a new window.

    Whoever begins a window also sweeps a few that are over, so that nothing else has to.
    """
    window = await must(
        conn,
        Window,
        "insert into attempts as a (scope, subject, count, until) values (%(scope)s, %(subject)s, 1, %(until)s)"
        " on conflict (scope, subject) do update set"
        " count = case when a.until <= %(now)s then 1 else least(a.count + 1, %(most)s) end,"
        " until = case when a.until <= %(now)s then excluded.until else a.until end"
        f" returning {_COLUMNS}",
        {"scope": scope, "subject": subject, "until": now + within, "now": now, "most": _MOST},
    )
    if window.count == 1:
        await conn.execute(
            "delete from attempts where (scope, subject) in (select scope, subject from attempts where until < %(now)s"
            " limit %(swept)s for update skip locked)",
            {"now": now, "swept": _SWEPT},
        )
    return window


async def take_back(conn: Connection, *, scope: str, subject: str, now: datetime) -> None:
    """Uncount one try: it was none, or it was right."""
    await conn.execute(
        "update attempts set count = count - 1"
        " where scope = %(scope)s and subject = %(subject)s and until > %(now)s and count > 0",
        {"scope": scope, "subject": subject, "now": now},
    )


async def standing(conn: Connection, *, scope: str, subject: str, now: datetime) -> Window | None:
    """Return the window that is open, without counting."""
    return await one(
        conn,
        Window,
        f"select {_COLUMNS} from attempts where scope = %(scope)s and subject = %(subject)s and until > %(now)s",
        {"scope": scope, "subject": subject, "now": now},
    )
