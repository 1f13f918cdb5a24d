"""Texts that service leads approve (sensitive topics, reasons), with every version that a customer may have read."""

from datetime import datetime

from routing.model import Language
from storage.rows import Connection


async def put(conn: Connection, topic: str, *, language: Language, text: str, now: datetime) -> int:
    """Store a text and return its version; the same text again adds none."""
    cursor = await conn.execute(
        "with last as (select version, text from policies where topic = %(topic)s and language = %(language)s"
        " order by version desc limit 1), added as ("
        " insert into policies (topic, language, version, text, at)"
        " select %(topic)s, %(language)s, coalesce((select version from last), 0) + 1, %(text)s, %(now)s"
        " where (select text from last) is distinct from %(text)s returning version)"
        " select coalesce((select version from added), (select version from last)) as version",
        {"topic": topic, "language": language, "text": text, "now": now},
    )
    row = await cursor.fetchone()
    if row is None:
        raise LookupError(topic)
    return int(row["version"])


async def get(conn: Connection, topic: str, *, language: Language) -> str | None:
    """Return the newest text."""
    cursor = await conn.execute(
        "select text from policies where topic = %(topic)s and language = %(language)s order by version desc limit 1",
        {"topic": topic, "language": language},
    )
    row = await cursor.fetchone()
    return None if row is None else str(row["text"])
