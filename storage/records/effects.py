"""Effects: everything that a turn does to the world, claimed before it happens and settled after.

claimed -> sent -> done | refused | unknown. The key is what makes it the same act; it is unique, so an act that was done is
told as done and never done twice.
"""

import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from psycopg.types.json import Jsonb

from storage.records import turns
from storage.rows import Connection, Json, Record, changed, columns, many, must, one

State = Literal["claimed", "sent", "done", "refused", "unknown"]


class Effect(Record):
    """`receipt` is what a reply may state because of it; `personal` the part that erasure empties, like `args`."""

    id: str
    key: str
    thread_id: str
    turn_id: str
    tool: str
    args: Json
    state: State
    receipt: Json | None
    personal: Json | None
    fence: int
    attempts: int
    claimed_at: datetime
    settled_at: datetime | None


class Claimed(Record):
    """The caller's to do; also one that was refused before."""

    effect: Effect


class Repeated(Record):
    """Done before: here is its receipt."""

    effect: Effect


class Unfinished(Record):
    """A turn died between the claim and the receipt. The caller's by now: ask the other side before doing it again."""

    effect: Effect


class Unknown(Record):
    """Nobody knows whether it happened. Never done again by us: a person finds out."""

    effect: Effect


Claim = Claimed | Repeated | Unfinished | Unknown

_COLUMNS: Final = columns(Effect)


def effect_key(secret: bytes, parts: Sequence[str]) -> str:
    """Name an act without telling what it is: an HMAC-SHA256 in hex, each part with its length before it."""
    mac = hmac.new(secret, digestmod="sha256")
    for part in parts:
        encoded = part.encode()
        mac.update(len(encoded).to_bytes(8, "big") + encoded)
    return mac.hexdigest()


async def claim(
    conn: Connection,
    *,
    effect_id: str,
    key: str,
    thread_id: str,
    turn_id: str,
    tool: str,
    args: Json,
    fence: int,
    epoch: int,
    now: datetime,
) -> Claim:
    """Claim an act for a turn, in one transaction with the check that the turn may act, and mark its first effect.

    The effect that is returned has the id to settle: an act that was claimed before keeps its first one.

    Raises:
        StaleFence, EpochMoved: as `turns.check`.
    """
    values = {
        "id": effect_id,
        "key": key,
        "thread": thread_id,
        "turn": turn_id,
        "tool": tool,
        "args": Jsonb(args),
        "fence": fence,
        "now": now,
    }
    async with conn.transaction():
        await turns.check(conn, turn_id, fence=fence, epoch=epoch)
        fresh = await one(
            conn,
            Effect,
            "insert into effects (id, key, thread_id, turn_id, tool, args, state, fence, claimed_at) values (%(id)s,"
            " %(key)s, %(thread)s, %(turn)s, %(tool)s, %(args)s, 'claimed', %(fence)s, %(now)s)"
            f" on conflict (key) do nothing returning {_COLUMNS}",
            values,
        )
        if fresh is not None:
            await turns.mark_effect(conn, turn_id, now=now)
            return Claimed(effect=fresh)
        known = await must(conn, Effect, f"select {_COLUMNS} from effects where key = %(key)s for update", {"key": key})
        if known.state == "done":
            return Repeated(effect=known)
        if known.state == "unknown":
            return Unknown(effect=known)
        await turns.mark_effect(conn, turn_id, now=now)
        if known.state == "refused":
            return Claimed(effect=await _claim_again(conn, values))
        return Unfinished(effect=await _take_over(conn, values))


async def mark_sent(conn: Connection, effect_id: str, *, fence: int) -> bool:
    """Note, just before the call, that the other side may get it. False when the claim is another's by now: do not call."""
    return (
        await changed(
            conn,
            "update effects set state = 'sent' where id = %(id)s and fence = %(fence)s and state in ('claimed', 'sent')",
            {"id": effect_id, "fence": fence},
        )
        == 1
    )


async def settle(
    conn: Connection,
    effect_id: str,
    *,
    state: Literal["done", "refused", "unknown"],
    receipt: Json | None = None,
    personal: Json | None = None,
    fence: int | None = None,
    now: datetime,
) -> Effect:
    """Write what came of an effect, and return it as it then stands. Raises LookupError.

    Done is final, and proof counts whoever brings it. A refusal or a doubt counts only from whom the effect belongs to: with
    `fence`, one of an owner that was taken over is ignored; a person's needs none.
    """
    settled = await one(
        conn,
        Effect,
        "update effects set state = %(state)s, receipt = %(receipt)s, personal = %(personal)s, settled_at = %(now)s"
        " where id = %(id)s and state <> 'done'"
        " and (%(state)s = 'done' or %(fence)s::bigint is null or fence = %(fence)s)"
        f" returning {_COLUMNS}",
        {
            "state": state,
            "receipt": None if receipt is None else Jsonb(receipt),
            "personal": None if personal is None else Jsonb(personal),
            "now": now,
            "id": effect_id,
            "fence": fence,
        },
    )
    return settled or await must(conn, Effect, f"select {_COLUMNS} from effects where id = %(id)s", {"id": effect_id})


async def get(conn: Connection, effect_id: str) -> Effect | None:
    return await one(conn, Effect, f"select {_COLUMNS} from effects where id = %(id)s", {"id": effect_id})


async def of_thread(conn: Connection, thread_id: str) -> list[Effect]:
    """Return a conversation's effects, oldest first."""
    return await many(
        conn,
        Effect,
        f"select {_COLUMNS} from effects where thread_id = %(thread)s order by claimed_at, id",
        {"thread": thread_id},
    )


async def of_turn(conn: Connection, turn_id: str) -> list[Effect]:
    """Return a turn's effects, oldest first."""
    return await many(
        conn,
        Effect,
        f"select {_COLUMNS} from effects where turn_id = %(turn)s order by claimed_at, id",
        {"turn": turn_id},
    )


async def unsettled(
    conn: Connection, *, before: datetime, doubted_since: datetime | None = None, limit: int = 100
) -> list[Effect]:
    """Return effects claimed before then of which nobody knows the end, oldest first: somebody must ask.

    Those of a running turn are its own. An unknown one comes after the others; it is asked about as long as a person has it
    open, and where it is not older than `doubted_since` also after the person closed it without saying what happened.
    """
    return await many(
        conn,
        Effect,
        f"select {columns(Effect, 'e')} from effects e where e.state in ('claimed', 'sent', 'unknown')"
        " and e.claimed_at < %(before)s"
        " and not exists (select from turns t where t.id = e.turn_id and t.status = 'running')"
        " and (e.state <> 'unknown' or e.claimed_at >= %(since)s::timestamptz or not exists (select from human_queue q where q.key = 'unknown:' || e.id"
        " and q.status not in ('waiting', 'claimed')))"
        " order by (e.state = 'unknown'), e.claimed_at limit %(limit)s",
        {"before": before, "since": doubted_since, "limit": limit},
    )


async def _claim_again(conn: Connection, values: Json) -> Effect:
    """Claim a refused act anew: it belongs to the turn that tries again, wherever that is."""
    return await must(
        conn,
        Effect,
        "update effects set state = 'claimed', thread_id = %(thread)s, turn_id = %(turn)s, args = %(args)s,"
        " fence = %(fence)s, attempts = attempts + 1, receipt = null, personal = null, claimed_at = %(now)s,"
        f" settled_at = null where key = %(key)s returning {_COLUMNS}",
        values,
    )


async def _take_over(conn: Connection, values: Json) -> Effect:
    """Take over what another turn began. It stays in that turn's conversation, where the act was asked for first."""
    return await must(
        conn,
        Effect,
        "update effects set fence = %(fence)s, attempts = attempts + 1,"
        " turn_id = case when thread_id = %(thread)s then %(turn)s else turn_id end"
        f" where key = %(key)s returning {_COLUMNS}",
        {name: values[name] for name in ("fence", "thread", "turn", "key")},
    )
