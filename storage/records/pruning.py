"""What grows old: rows that go, columns that are emptied, conversations that are forgotten. A batch at a time, beside traffic.

What belongs to a conversation is pruned under its lock and only while nothing is open in it; a conversation that somebody is
using is skipped and found again in the next round.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, LiteralString

from storage.records.erasing import forget_checkpoints, open_business
from storage.rows import Connection, changed

Kind = Literal[
    "facts", "packages", "proposals", "effects_personal", "queue_texts", "failures", "announcements", "alarms", "spend_links",
    "spend_totals", "audit", "erasures",
]  # fmt: skip
_BATCH: Final = "limit %(limit)s for update skip locked"
# Deletion by primary key, of rows that nobody else holds.
_ROWS: Final[Mapping[Kind, LiteralString]] = {
    "facts": f"delete from facts where (thread_id, id) in (select thread_id, id from facts where at < %(before)s {_BATCH})",
    "packages": f"delete from packages where id in (select id from packages where at < %(before)s {_BATCH})",
    "proposals": "delete from proposals where id in (select id from proposals where asked_at < %(before)s"
    f" and status not in ('pending', 'operator') {_BATCH})",
    "effects_personal": "update effects set args = '{}', personal = null where id in (select id from effects"
    " where claimed_at < %(before)s and state in ('done', 'refused') and (personal is not null or args <> '{}')"
    f" {_BATCH})",
    "queue_texts": "update human_queue set about = null, package = null, notes = '[]' where id in (select id from human_queue"
    " where status in ('resolved', 'withdrawn') and resolved_at < %(before)s"
    f" and (about is not null or package is not null or notes <> '[]') {_BATCH})",
    "failures": f"delete from failures where protocol in (select protocol from failures where at < %(before)s {_BATCH})",
    # An item that is still open would be announced anew.
    "announcements": "delete from webhook_deliveries where id in (select d.id from webhook_deliveries d"
    " where d.created_at < %(before)s and d.status <> 'pending' and (d.item_id is null or exists (select from human_queue q"
    " where q.id = d.item_id and q.status in ('resolved', 'withdrawn') and q.resolved_at < %(before)s))"
    " and not exists (select from webhook_deliveries p where p.item_id = d.item_id and p.status = 'pending')"
    f" {_BATCH})",
    "alarms": f"delete from alarms where id in (select id from alarms where closed_at < %(before)s {_BATCH})",
    "spend_links": "update spend set thread_id = null, customer_id = null, turn_id = null where id in (select id from spend"
    " where at < %(before)s and status <> 'reserved' and coalesce(thread_id, customer_id, turn_id) is not null"
    f" {_BATCH})",
    "spend_totals": "delete from spend_totals where (scope, subject) in (select scope, subject from spend_totals"
    f" where scope = 'customer' and left(subject, 10) < to_char(%(before)s::timestamptz, 'YYYY-MM-DD') {_BATCH})",
    "audit": f"delete from audit where id in (select id from audit where at < %(before)s {_BATCH})",
    "erasures": f"delete from erasures where id in (select id from erasures where done_at < %(before)s {_BATCH})",
}

KINDS: Final = tuple(_ROWS)


async def rows(conn: Connection, kind: Kind, *, before: datetime, limit: int) -> int:
    """Prune a batch of one kind; return how many rows it was."""
    return await changed(conn, _ROWS[kind], {"before": before, "limit": limit})


async def old_dialogues(conn: Connection, *, before: datetime, limit: int) -> list[str]:
    """Return conversations with messages from before then."""
    return await _threads(
        conn, "select distinct thread_id from messages where at < %(before)s limit %(limit)s", before, limit
    )


async def old_conversations(conn: Connection, *, before: datetime, limit: int) -> list[str]:
    """Return conversations in which nothing happened since then."""
    return await _threads(
        conn, "select thread_id from conversations where updated_at < %(before)s limit %(limit)s", before, limit
    )


async def old_checkpoints(conn: Connection, *, before: datetime, limit: int) -> list[str]:
    """Return conversations with a checkpoint from before then that a newer one superseded."""
    there = await changed(conn, "select 1 where to_regclass('checkpoints') is not null", {})
    if not there:
        return []
    cursor = await conn.execute(
        "select distinct thread_id from (select thread_id from checkpoints group by thread_id, checkpoint_ns"
        " having count(*) > 1 and min(checkpoint_id) < %(bound)s limit %(limit)s) old",
        {"bound": _id_at(before), "limit": limit},
    )
    return [str(row["thread_id"]) for row in await cursor.fetchall()]


async def _threads(conn: Connection, query: LiteralString, before: datetime, limit: int) -> list[str]:
    cursor = await conn.execute(query, {"before": before, "limit": limit})
    return [str(row["thread_id"]) for row in await cursor.fetchall()]


async def at_rest(conn: Connection, thread_id: str) -> bool:
    """Lock a conversation until the transaction ends. False when somebody holds it or something is open in it: not now."""
    locked = await changed(
        conn,
        "select 1 from conversations where thread_id = %(thread)s for update skip locked",
        {"thread": thread_id},
    )
    return bool(locked) and not await open_business(conn, thread_id)


async def dialogue(conn: Connection, thread_id: str, *, before: datetime) -> int:
    """Delete a conversation's old messages and empty the turns of that time; return how many messages it were.

    With the last message its title and its checkpoints go too: the next message then begins with the first number again.
    """
    values = {"thread": thread_id, "before": before}
    gone = await changed(conn, "delete from messages where thread_id = %(thread)s and at < %(before)s", values)
    await conn.execute(
        "update turns set action = null, reply = null, discarded_reply = null, trail = '[]', decision = decision - 'detail'"
        " where thread_id = %(thread)s and started_at < %(before)s",
        values,
    )
    if not await changed(conn, "select 1 from messages where thread_id = %(thread)s limit 1", values):
        await conn.execute("update conversations set title = null where thread_id = %(thread)s", values)
        await forget_checkpoints(conn, thread_id)
    return gone


async def conversation(conn: Connection, thread_id: str) -> int:
    """Delete a conversation with everything in it; the ledger keeps what it spent, without the link."""
    values = {"thread": thread_id}
    await conn.execute(
        "update spend set thread_id = null, customer_id = null, turn_id = null where thread_id = %(thread)s", values
    )
    await conn.execute("delete from spend_totals where scope = 'conversation' and subject = %(thread)s", values)
    await forget_checkpoints(conn, thread_id)
    return await changed(conn, "delete from conversations where thread_id = %(thread)s", values)


async def superseded_checkpoints(conn: Connection, thread_id: str, *, before: datetime) -> int:
    """Delete a conversation's old checkpoints but the newest, and the blobs that none of the others refers to."""
    values = {"thread": thread_id, "bound": _id_at(before)}
    gone = await changed(
        conn,
        "delete from checkpoints c where thread_id = %(thread)s and checkpoint_id < %(bound)s and exists (select from"
        " checkpoints n where n.thread_id = c.thread_id and n.checkpoint_ns = c.checkpoint_ns"
        " and n.checkpoint_id > c.checkpoint_id)",
        values,
    )
    await conn.execute(
        "delete from checkpoint_writes w where thread_id = %(thread)s and not exists (select from checkpoints c"
        " where c.thread_id = w.thread_id and c.checkpoint_ns = w.checkpoint_ns and c.checkpoint_id = w.checkpoint_id)",
        values,
    )
    await conn.execute(
        "delete from checkpoint_blobs b where thread_id = %(thread)s and not exists (select from checkpoints c"
        " where c.thread_id = b.thread_id and c.checkpoint_ns = b.checkpoint_ns"
        " and c.checkpoint -> 'channel_versions' ->> b.channel = b.version)",
        values,
    )
    return gone


def _id_at(at: datetime) -> str:
    """Return the smallest checkpoint id of a time: a UUID of version 6 begins with its 100 ns ticks since 1582-10-15."""
    ticks = int(at.timestamp() * 10_000_000) + 0x01B21DD213814000
    digits = f"{ticks >> 12:012x}6{ticks & 0xFFF:03x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}"
