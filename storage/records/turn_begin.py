"""The beginning of a turn: taking the messages that wait, or taking over from an owner that died."""

from datetime import datetime
from typing import Final

from psycopg.types.json import Jsonb

from storage.notify import wrote
from storage.records import conversations, messages
from storage.records.messages import Message
from storage.records.turn_reads import of_message, running
from storage.records.turn_values import Begun, Busy, NothingToTake, Turn
from storage.rows import Connection, Json, changed, columns, must

_COLUMNS: Final = columns(Turn)
LEASE: Final = "clock_timestamp() + make_interval(secs => %(lease)s)"


async def begin(
    conn: Connection,
    thread_id: str,
    *,
    owner: str,
    turn_id: str,
    lease_s: float,
    now: datetime,
    action: Json | None = None,
    release: str | None = None,
) -> Begun | Busy | NothingToTake:
    """Begin a turn over all messages that wait, or take over one whose owner died. One transaction. Raises LookupError.

    A dead turn is run again: same id, its messages and those that came since, the next fence. One that was asked to stop and
    did nothing is ended instead. Messages that an interrupted turn gave back do not begin a turn, they join one. `action`
    (an operator's approval, rejection, hand-back) begins a turn that takes no messages.
    """
    async with conn.transaction():
        conversation = await conversations.lock(conn, thread_id)
        current = await running(conn, thread_id)
        if current is not None:
            if not await _lease_is_over(conn, current.id):
                return Busy(turn_id=current.id, lease_until=current.lease_until)
            if not current.stop_requested or current.first_effect_at is not None:
                return await _own(
                    conn, current, owner=owner, lease_s=lease_s, attempts=current.attempts + 1, release=release
                )
            await _interrupt(conn, current.id, now=now)
            await wrote(conn, thread_id)
        if action is None and not await _somebody_waits(conn, thread_id):
            return NothingToTake()
        fence = await _next_fence(conn, thread_id)
        turn = await must(
            conn,
            Turn,
            "insert into turns (id, thread_id, number, action, owner, fence, epoch, lease_until, started_at, release) values"
            " (%(id)s, %(thread)s, (select coalesce(max(number), 0) + 1 from turns where thread_id = %(thread)s),"
            f" %(action)s, %(owner)s, %(fence)s, %(epoch)s, {LEASE}, %(now)s, %(release)s) returning {_COLUMNS}",
            {
                "id": turn_id,
                "thread": thread_id,
                "action": None if action is None else Jsonb(action),
                "owner": owner,
                "fence": fence,
                "epoch": conversation.epoch,
                "lease": lease_s,
                "now": now,
                "release": release,
            },
        )
        return Begun(turn=turn, messages=await _take(conn, turn), rerun=False)


async def reopen_failed(
    conn: Connection, thread_id: str, message_id: str, *, owner: str, lease_s: float, release: str | None = None
) -> Begun | Busy | NothingToTake:
    """Run the failed turn of a message again, because the customer sent that message again. One transaction.

    NothingToTake when the message belongs to no failed turn. Raises LookupError.
    """
    async with conn.transaction():
        await conversations.lock(conn, thread_id)
        turn = await of_message(conn, thread_id, message_id)
        if turn is None or turn.status != "failed":
            return NothingToTake()
        current = await running(conn, thread_id)
        if current is not None:
            return Busy(turn_id=current.id, lease_until=current.lease_until)
        return await _own(conn, turn, owner=owner, lease_s=lease_s, attempts=1, release=release)


async def _own(
    conn: Connection, turn: Turn, *, owner: str, lease_s: float, attempts: int, release: str | None
) -> Begun:
    fence = await _next_fence(conn, turn.thread_id)
    owned = await must(
        conn,
        Turn,
        "update turns t set status = 'running', owner = %(owner)s, fence = %(fence)s, epoch = c.epoch,"
        f" lease_until = {LEASE}, attempts = %(attempts)s, stop_requested = false, ended_at = null, reply = null,"
        " reply_message_id = null, error_protocol = null, release = coalesce(%(release)s, t.release) from conversations c"
        f" where t.id = %(turn)s and c.thread_id = t.thread_id returning {columns(Turn, 't')}",
        {"owner": owner, "fence": fence, "lease": lease_s, "attempts": attempts, "release": release, "turn": turn.id},
    )
    return Begun(turn=owned, messages=await _take(conn, owned), rerun=True)


async def _take(conn: Connection, turn: Turn) -> tuple[Message, ...]:
    if turn.action is not None:
        return ()
    await conn.execute(
        "update messages set turn_id = %(turn)s, given_back = false"
        " where thread_id = %(thread)s and turn_id is null and role = 'customer'",
        {"turn": turn.id, "thread": turn.thread_id},
    )
    return tuple(message for message in await messages.of_turn(conn, turn.id) if message.role == "customer")


async def give_back(conn: Connection, turn_id: str) -> None:
    await conn.execute(
        "update messages set turn_id = null, given_back = true where turn_id = %(turn)s and role = 'customer'",
        {"turn": turn_id},
    )


async def _interrupt(conn: Connection, turn_id: str, *, now: datetime) -> None:
    await conn.execute(
        "update turns set status = 'interrupted', ended_at = %(now)s where id = %(turn)s", {"now": now, "turn": turn_id}
    )
    await give_back(conn, turn_id)


async def _next_fence(conn: Connection, thread_id: str) -> int:
    cursor = await conn.execute(
        "update conversations set fence = fence + 1 where thread_id = %(thread)s returning fence", {"thread": thread_id}
    )
    row = await cursor.fetchone()
    if row is None:
        raise LookupError(thread_id)
    return int(row["fence"])


async def _lease_is_over(conn: Connection, turn_id: str) -> bool:
    return (
        await changed(
            conn, "select 1 from turns where id = %(turn)s and lease_until <= clock_timestamp()", {"turn": turn_id}
        )
        == 1
    )


async def _somebody_waits(conn: Connection, thread_id: str) -> bool:
    return (
        await changed(
            conn,
            "select 1 from messages where thread_id = %(thread)s and turn_id is null and role = 'customer'"
            " and not given_back limit 1",
            {"thread": thread_id},
        )
        == 1
    )
