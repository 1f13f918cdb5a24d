"""Turns: who may act in a conversation, for how long, and what came of it.

A turn is owned under a lease. Its `fence` is the conversation's counter at the time: an owner that comes back after its lease
was taken over carries an old one and is refused. Leases are measured by the database's clock, so the hosts' clocks do not
matter.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from psycopg.types.json import Jsonb

from storage.notify import wrote
from storage.records import conversations
from storage.records.turn_begin import LEASE, begin, give_back, reopen_failed
from storage.records.turn_reads import discarded, expired, get, of_contact, of_message, running, trail, waiting
from storage.records.turn_values import (
    Beat,
    Begun,
    Busy,
    Ending,
    EpochMoved,
    NothingToTake,
    StaleFence,
    Status,
    Turn,
)
from storage.rows import Connection, Json, changed, columns, one

__all__ = [
    "Beat",
    "Begun",
    "Busy",
    "Ending",
    "EpochMoved",
    "NothingToTake",
    "StaleFence",
    "Status",
    "Turn",
    "begin",
    "check",
    "discarded",
    "end",
    "expired",
    "get",
    "heartbeat",
    "mark_effect",
    "of_contact",
    "of_message",
    "reopen_failed",
    "request_stop",
    "running",
    "trail",
    "waiting",
]

_COLUMNS: Final = columns(Turn)


async def heartbeat(conn: Connection, turn_id: str, *, fence: int, lease_s: float) -> Beat:
    """Extend the lease, unless it is over already, and learn whether somebody wants the turn to stop."""
    row = await one(
        conn,
        Beat,
        f"update turns t set lease_until = {LEASE} from conversations c"
        " where t.id = %(turn)s and t.fence = %(fence)s and t.status = 'running' and t.lease_until > clock_timestamp()"
        " and c.thread_id = t.thread_id returning true as ok, t.stop_requested, c.epoch",
        {"lease": lease_s, "turn": turn_id, "fence": fence},
    )
    return row or Beat(ok=False, stop_requested=False, epoch=-1)


async def check(conn: Connection, turn_id: str, *, fence: int, epoch: int | None) -> None:
    """Make sure, until the caller's transaction ends, that the turn may act. Call it inside one.

    Without an epoch it may act whoever has the word: for what is put before a person.

    Raises:
        StaleFence: it is another's, or its lease is over.
        EpochMoved: a person took the word.
    """
    turn = await get(conn, turn_id)
    if turn is None:
        raise StaleFence(turn_id)
    conversation = await conversations.lock(conn, turn.thread_id)
    held = await changed(
        conn,
        "select 1 from turns where id = %(turn)s and fence = %(fence)s and status = 'running'"
        " and lease_until > clock_timestamp() for no key update",
        {"turn": turn_id, "fence": fence},
    )
    if not held:
        raise StaleFence(turn_id)
    if epoch is not None and conversation.epoch != epoch:
        raise EpochMoved(turn_id)


async def end(
    conn: Connection,
    turn_id: str,
    *,
    fence: int,
    status: Ending,
    epoch: int | None = None,
    reply: str | None = None,
    reply_message_id: str | None = None,
    discarded_reply: str | None = None,
    trail: Sequence[Any] = (),
    decision: Json | None = None,
    cost_usd: Decimal | float = 0,
    tokens: Mapping[str, int] | None = None,
    versions: Json | None = None,
    error_protocol: str | None = None,
    contact_id: str | None = None,
    now: datetime,
) -> Turn:
    """End a turn, in the same transaction as what it leaves behind. An interrupted one gives its messages back.

    With `epoch` it is checked as by `check`: give it whenever the customer is about to see the reply. A reply that a person
    overtook is stored by a second call, `held` with `discarded_reply` and without `epoch`.

    Raises:
        StaleFence: it is another's by now, or has ended.
        EpochMoved: a person took the word.
    """
    async with conn.transaction():
        if epoch is not None:
            await check(conn, turn_id, fence=fence, epoch=epoch)
        ended = await one(
            conn,
            Turn,
            "update turns set status = %(status)s, ended_at = %(now)s, reply = %(reply)s,"
            " reply_message_id = %(message)s, discarded_reply = %(discarded)s, trail = %(trail)s,"
            " decision = %(decision)s, cost_usd = %(cost)s, tokens = %(tokens)s, versions = %(versions)s,"
            " error_protocol = %(protocol)s, contact_id = coalesce(%(contact)s, contact_id)"
            f" where id = %(turn)s and fence = %(fence)s and status = 'running' returning {_COLUMNS}",
            {
                "status": status,
                "now": now,
                "reply": reply,
                "message": reply_message_id,
                "discarded": discarded_reply,
                "trail": Jsonb(list(trail)),
                "decision": None if decision is None else Jsonb(decision),
                "cost": Decimal(str(cost_usd)),
                "tokens": Jsonb(dict(tokens or {})),
                "versions": Jsonb(versions or {}),
                "protocol": error_protocol,
                "contact": contact_id,
                "turn": turn_id,
                "fence": fence,
            },
        )
        if ended is None:
            raise StaleFence(turn_id)
        if status == "interrupted":
            await give_back(conn, turn_id)
        await wrote(conn, ended.thread_id)
        return ended


async def request_stop(conn: Connection, turn_id: str) -> bool:
    """Leave the mark that the owner, in whatever process, sees at its next heartbeat. False when it is not running."""
    return (
        await changed(
            conn,
            "update turns set stop_requested = true where id = %(turn)s and status = 'running'",
            {"turn": turn_id},
        )
        == 1
    )


async def mark_effect(conn: Connection, turn_id: str, *, now: datetime) -> None:
    """Note that the turn began to act on the world: from here on nothing cancels it."""
    await conn.execute(
        "update turns set first_effect_at = %(now)s where id = %(turn)s and first_effect_at is null",
        {"now": now, "turn": turn_id},
    )
