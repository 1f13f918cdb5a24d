"""Conversations: whose they are, in which language, and the two counters that say who may act."""

from datetime import datetime
from typing import Final

from routing.model import Language
from storage.notify import NOTED, wrote
from storage.rows import Connection, Record, changed, columns, many, must, one


class NotYours(Exception):
    """The conversation belongs to somebody else. The caller is told nothing more."""

    def __init__(self, thread_id: str) -> None:
        super().__init__("this conversation belongs to another customer")
        self.thread_id = thread_id


class Conversation(Record):
    """`fence` counts the turns that were begun, `epoch` the times that a person took the word.

    `customer_id` is None for an anonymous visitor, whom `visitor` tells from others; `held_by` names the operator who has
    the conversation.
    """

    thread_id: str
    customer_id: str | None
    channel: str
    brand: str
    language: Language | None
    title: str | None
    epoch: int
    fence: int
    held_by: str | None
    created_at: datetime
    updated_at: datetime
    visitor: str | None = None

    def belongs_to(self, customer_id: str | None, visitor: str | None) -> bool:
        """Tell whose it is. One whose visitor nobody named is whoever's that knows its id, which cannot be guessed."""
        return self.customer_id == customer_id and (
            customer_id is not None or self.visitor is None or self.visitor == visitor
        )


_COLUMNS: Final = columns(Conversation)


async def ensure(
    conn: Connection,
    thread_id: str,
    *,
    customer_id: str | None,
    visitor: str | None = None,
    channel: str,
    brand: str,
    now: datetime,
) -> Conversation:
    """Return the conversation, made if it is new. Raises NotYours; a visitor and a customer are not the same person.

    Its row stays locked until the caller's transaction ends: whose it is does not change under what is stored next.
    """
    values = {
        "thread": thread_id,
        "customer": customer_id,
        "visitor": None if customer_id is not None else visitor,
        "channel": channel,
        "brand": brand,
        "now": now,
    }
    found: Conversation | None = None
    while found is None:  # one that is being erased is there for the insert and gone for the lock: then it is made anew
        await conn.execute(
            "insert into conversations (thread_id, customer_id, visitor, channel, brand, created_at, updated_at) values"
            " (%(thread)s, %(customer)s, %(visitor)s, %(channel)s, %(brand)s, %(now)s, %(now)s) on conflict do nothing",
            values,
        )
        found = await one(
            conn,
            Conversation,
            f"select {_COLUMNS} from conversations where thread_id = %(thread)s for no key update",
            values,
        )
    if not found.belongs_to(customer_id, visitor):
        raise NotYours(thread_id)
    return found


async def get(conn: Connection, thread_id: str) -> Conversation | None:
    """Return a conversation, whoever asks."""
    return await one(
        conn, Conversation, f"select {_COLUMNS} from conversations where thread_id = %(thread)s", {"thread": thread_id}
    )


async def of_customer(conn: Connection, customer_id: str, *, limit: int = 20) -> list[Conversation]:
    """Return a customer's conversations, the one last used first."""
    return await many(
        conn,
        Conversation,
        f"select {_COLUMNS} from conversations where customer_id = %(customer)s"
        " order by updated_at desc, thread_id limit %(limit)s",
        {"customer": customer_id, "limit": limit},
    )


async def any_at_all(conn: Connection) -> bool:
    """Tell whether there is any conversation."""
    return bool((await conn.execute("select 1 from conversations limit 1")).rowcount)


async def set_language(conn: Connection, thread_id: str, *, language: Language) -> None:
    """Remember the language that the customer writes in."""
    await conn.execute(
        "update conversations set language = %(language)s where thread_id = %(thread)s",
        {"language": language, "thread": thread_id},
    )


async def set_title(conn: Connection, thread_id: str, *, title: str) -> None:
    """Name the conversation in a list."""
    await conn.execute(
        "update conversations set title = %(title)s where thread_id = %(thread)s",
        {"title": title, "thread": thread_id},
    )


async def lock(conn: Connection, thread_id: str) -> Conversation:
    """Hold the conversation's row until the transaction ends. Raises LookupError when there is none.

    Everything that orders messages or decides who may act starts here, and so in the same order: no deadlock. `no key`
    because rows that refer to the conversation may be inserted meanwhile.
    """
    return await must(
        conn,
        Conversation,
        f"select {_COLUMNS} from conversations where thread_id = %(thread)s for no key update",
        {"thread": thread_id},
    )


async def bump_epoch(conn: Connection, thread_id: str, *, held_by: str | None, now: datetime) -> int:
    """Give the word to an operator, or back to the bot (None); return the new epoch. Raises LookupError.

    A reply of the bot that is being written fails its comparison from here on.
    """
    row = await must(
        conn,
        Conversation,
        "update conversations set epoch = epoch + 1, held_by = %(held_by)s, updated_at = %(now)s"
        f" where thread_id = %(thread)s returning {_COLUMNS}",
        {"held_by": held_by, "now": now, "thread": thread_id},
    )
    await wrote(conn, thread_id)
    return row.epoch


async def touch(conn: Connection, thread_id: str, *, now: datetime) -> bool:
    """Note that something happened in it, and tell who listens; False when there is no such conversation."""
    return (
        await changed(
            conn,
            "update conversations set updated_at = greatest(updated_at, %(now)s) where thread_id = %(thread)s"
            f" returning {NOTED}",
            {"now": now, "thread": thread_id},
        )
        == 1
    )
