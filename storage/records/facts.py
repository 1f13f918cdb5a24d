"""Facts: everything that a conversation learned, replaced values included. What a prompt shows is a part of it."""

from collections.abc import Sequence
from typing import Final, Literal

from routing.facts import Fact
from storage.rows import Connection, changed, columns, many

Scope = Literal["conversation", "customer"]

_COLUMNS: Final = columns(Fact)


async def save(
    conn: Connection, thread_id: str, customer_id: str | None, facts: Sequence[Fact], *, scope: Scope = "conversation"
) -> None:
    """Store facts, numbered within the conversation; the same id again is a fact read again or confirmed.

    One of scope `customer` is also found from the customer's other conversations.
    """
    async with conn.transaction(), conn.cursor() as cursor:
        await cursor.executemany(
            f"insert into facts ({_COLUMNS}, thread_id, customer_id, scope) values (%(id)s, %(key)s, %(entity)s,"
            " %(value)s, %(source)s, %(status)s, %(at)s, %(turn)s, %(max_age_s)s, %(thread)s, %(customer)s, %(scope)s)"
            " on conflict (thread_id, id) do update set status = excluded.status, at = excluded.at, max_age_s = excluded.max_age_s",
            [{**fact.model_dump(), "thread": thread_id, "customer": customer_id, "scope": scope} for fact in facts],
        )


async def subject(
    conn: Connection, thread_id: str, *, entities: Sequence[str], limit: int = 40, customer_id: str | None = None
) -> list[Fact]:
    """Return the standing facts about these entities and about the customer as a whole, newest first.

    Each (key, entity, value, source) once: sources that disagree are all there. With `customer_id`, also what other
    conversations stored for that customer.
    """
    return await many(
        conn,
        Fact,
        f"select {_COLUMNS} from (select distinct on (key, entity, value, source) {_COLUMNS} from facts"
        " where (thread_id = %(thread)s or (scope = 'customer' and customer_id = %(customer)s))"
        " and status <> 'replaced' and (entity is null or entity = any(%(entities)s))"
        " order by key, entity, value, source, at desc, id) standing order by at desc, turn desc, id limit %(limit)s",
        {"thread": thread_id, "customer": customer_id, "entities": list(entities), "limit": limit},
    )


async def index(conn: Connection, thread_id: str) -> dict[str, int]:
    """Count the values of each key, as `recall` would list them."""
    cursor = await conn.execute(
        "select key, count(distinct (entity, value)) as values from facts where thread_id = %(thread)s"
        " group by key order by key",
        {"thread": thread_id},
    )
    return {str(row["key"]): int(row["values"]) for row in await cursor.fetchall()}


async def recall(
    conn: Connection, thread_id: str, *, key: str, entity: str | None = None, limit: int = 20
) -> list[Fact]:
    """Return a key's values, of one entity or of all, newest first and replaced ones too; each (entity, value) once."""
    return await many(
        conn,
        Fact,
        f"select {_COLUMNS} from (select distinct on (entity, value) {_COLUMNS} from facts"
        " where thread_id = %(thread)s and key = %(key)s and (%(entity)s::text is null or entity = %(entity)s)"
        " order by entity, value, at desc, turn desc, id) latest order by at desc, turn desc, id limit %(limit)s",
        {"thread": thread_id, "key": key, "entity": entity, "limit": limit},
    )


async def replace(conn: Connection, thread_id: str, ids: Sequence[str], *, by: str) -> int:
    """Mark facts as replaced by fact `by`; they stay in the store. Return how many were standing."""
    return await changed(
        conn,
        "update facts set status = 'replaced', replaced_by = %(by)s"
        " where thread_id = %(thread)s and id = any(%(ids)s) and status <> 'replaced'",
        {"by": by, "thread": thread_id, "ids": list(ids)},
    )


async def all_of(conn: Connection, thread_id: str) -> list[Fact]:
    """Return every fact of a conversation, oldest first."""
    return await many(
        conn,
        Fact,
        f"select {_COLUMNS} from facts where thread_id = %(thread)s order by at, turn, id",
        {"thread": thread_id},
    )
