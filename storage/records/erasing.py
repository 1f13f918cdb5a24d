"""Erasing one conversation: what the law wants kept moves, emptied, to an anonymous one; deleting the old one takes the rest.

A table that nobody thought of and that belongs to conversations is erased with it: erasing is the rule, keeping the exception.
Every function is a part of the caller's transaction.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final, Literal, LiteralString

from storage.records.holdings import Subject
from storage.rows import Connection, Json, Record, changed, many

CHECKPOINTS: Final[tuple[LiteralString, ...]] = ("checkpoint_writes", "checkpoint_blobs", "checkpoints")
Because = Literal["turn_running", "message_waiting", "queue_item_open", "effect_unsettled"]
ERASED_TEXT = "<erased>"

# Codes, ids and figures: what a column of JSON may keep.
_OF_DECISION: Final = (
    "target", "reason", "probabilities", "confidence", "margin", "threshold", "provider", "model", "calibrated", "latency_ms",
    "cost_usd", "hops", "options",
)  # fmt: skip
_OF_RECEIPT: Final = ("protocol", "kind", "at", "order_id")
_OF_OUTCOME: Final = ("by", "because", "ended_as")
_OF_AUDIT: Final = ("tool", "turn", "item", "items", "operator", "which")

_MOVES: Final[tuple[LiteralString, ...]] = (
    "update contacts set thread_id = %(to)s, closed_at = coalesce(closed_at, %(now)s),"
    " status = case status when 'open' then 'resolved' else status end,"
    ' outcome = case status when \'open\' then \'{"by": "privacy", "because": "erased"}\''
    " else coalesce((select jsonb_object_agg(key, value) from jsonb_each(outcome) where key = any(%(outcome)s)), '{}') end"
    " where thread_id = %(from)s",
    "update turns set thread_id = %(to)s, action = null, reply = null, discarded_reply = null, trail = '[]',"
    " decision = (select jsonb_object_agg(key, value) from jsonb_each(decision) where key = any(%(decision)s))"
    " where thread_id = %(from)s",
    "update effects set thread_id = %(to)s, args = '{}', personal = null,"
    " receipt = (select jsonb_object_agg(key, value) from jsonb_each(receipt) where key = any(%(receipt)s))"
    " where thread_id = %(from)s",
    "update proposals set thread_id = %(to)s, args = '{}', basis = '{}', digest = '', summary = '',"
    " status = case status when 'pending' then 'void' else status end where thread_id = %(from)s",
    "delete from webhook_deliveries where item_id in (select id from human_queue where thread_id = %(from)s)",
    "update human_queue set thread_id = %(to)s, key = 'erased:' || id, about = null, package = null, notes = '[]'"
    " where thread_id = %(from)s",
    "update failures set thread_id = %(to)s, detail = %(text)s where thread_id = %(from)s",
    "update audit set thread_id = %(to)s, customer_id = case when customer_id is not null then %(alias)s end,"
    " detail = coalesce((select jsonb_object_agg(key, value) from jsonb_each(detail) where key = any(%(audit)s)), '{}')"
    " where thread_id = %(from)s",
    "update spend set thread_id = null, customer_id = null, turn_id = null where thread_id = %(from)s",
    "delete from spend_totals where scope = 'conversation' and subject = %(from)s",
    "insert into commitments (id, thread_id, customer_id, text, by, at, due, status, origin)"
    " select id, %(to)s, %(alias)s, text, by, at, due, status, origin from commitments where thread_id = %(from)s",
    "update follow_ups set thread_id = %(to)s where thread_id = %(from)s",
)


_LOOSE: Final = "customer_id = %(customer)s and coalesce(thread_id, '') <> all(%(newer)s)"
_LOOSE_ENDS: Final[tuple[LiteralString, ...]] = (
    f"delete from facts where {_LOOSE}",
    f"update commitments set customer_id = %(alias)s where {_LOOSE}",
    f"update spend set customer_id = null, thread_id = null, turn_id = null where {_LOOSE}",
    "update audit set customer_id = %(alias)s where customer_id = %(customer)s and at <= %(until)s",
    "delete from spend_totals where scope = 'customer' and substr(subject, 12) = %(customer)s"
    " and left(subject, 10) <= to_char(%(until)s::timestamptz + interval '1 day', 'YYYY-MM-DD')",
)


class Open(Record):
    """Why a conversation cannot be erased yet: what is open in it, by the number that people know it by."""

    because: Because
    what: str


async def open_business(conn: Connection, thread_id: str) -> list[Open]:
    """Return what is still going on in a conversation. With its row locked, nothing new begins meanwhile."""
    return await many(
        conn,
        Open,
        "select 'turn_running' as because, id as what from turns where thread_id = %(thread)s and status = 'running'"
        " union all select 'message_waiting', 'message ' || seq from messages"
        " where thread_id = %(thread)s and turn_id is null and role = 'customer' and not given_back"
        " union all select 'queue_item_open', protocol from human_queue"
        " where thread_id = %(thread)s and status in ('waiting', 'claimed')"
        " union all select 'effect_unsettled', tool from effects"
        " where thread_id = %(thread)s and state in ('claimed', 'sent', 'unknown') order by 1, 2",
        {"thread": thread_id},
    )


class Owned(Record):
    thread_id: str
    created_at: datetime


async def threads_of(conn: Connection, customer_id: str) -> list[Owned]:
    """Return a customer's conversations, oldest first."""
    return await many(
        conn,
        Owned,
        "select thread_id, created_at from conversations where customer_id = %(customer)s order by created_at, thread_id",
        {"customer": customer_id},
    )


async def lock_for_good(conn: Connection, thread_id: str, *, customer_id: str) -> bool:
    """Lock a conversation against everything that writes into it; False when it is not (or no more) this customer's."""
    return (
        await changed(
            conn,
            "select 1 from conversations where thread_id = %(thread)s and customer_id = %(customer)s for update",
            {"thread": thread_id, "customer": customer_id},
        )
        == 1
    )


async def move_out(
    conn: Connection, thread_id: str, *, to: str, alias: str, mask: Callable[[str], str], now: datetime
) -> None:
    """Move what is kept to the anonymous conversation `to` of `alias`, and delete the conversation with all the rest.

    `mask` replaces personal values in a promise. The caller holds the row by `lock_for_good`.
    """
    values: Json = {
        "from": thread_id, "to": to, "alias": alias, "now": now, "text": ERASED_TEXT, "decision": list(_OF_DECISION),
        "receipt": list(_OF_RECEIPT), "outcome": list(_OF_OUTCOME), "audit": list(_OF_AUDIT),
    }  # fmt: skip
    await conn.execute(
        "insert into conversations (thread_id, customer_id, channel, brand, epoch, fence, created_at, updated_at)"
        " select %(to)s, %(alias)s, channel, brand, epoch, fence, created_at, updated_at from conversations"
        " where thread_id = %(from)s",
        values,
    )
    for move in _MOVES:
        await conn.execute(move, values)
    await _mask_promises(conn, to, mask)
    await forget_checkpoints(conn, thread_id)
    await conn.execute("delete from conversations where thread_id = %(from)s", values)


async def _mask_promises(conn: Connection, thread_id: str, mask: Callable[[str], str]) -> None:
    cursor = await conn.execute("select id, text from commitments where thread_id = %(thread)s", {"thread": thread_id})
    for row in await cursor.fetchall():
        if (masked := mask(row["text"])) != row["text"]:
            await conn.execute(
                "update commitments set text = %(text)s where thread_id = %(thread)s and id = %(id)s",
                {"text": masked, "thread": thread_id, "id": row["id"]},
            )


async def forget_checkpoints(conn: Connection, thread_id: str) -> None:
    """Delete a conversation's checkpoints. Their tables are the saver's, and are there once it was set up."""
    for table in CHECKPOINTS:
        if await _exists(conn, table):
            await conn.execute(f"delete from {table} where thread_id = %(thread)s", {"thread": thread_id})


async def _exists(conn: Connection, table: str) -> bool:
    return await changed(conn, "select 1 where to_regclass(%(table)s) is not null", {"table": table}) == 1


async def loose_ends(conn: Connection, subject: Subject, *, alias: str) -> None:
    """Do the same to what names the customer outside of their conversations."""
    values = {**subject.params, "alias": alias}
    for statement in _LOOSE_ENDS:
        await conn.execute(statement, values)
