"""A contact that ended, with everything that was said and decided in it: what outcomes are read from."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from storage.records.contacts import Contact
from storage.records.messages import Message
from storage.records.turn_values import Turn
from storage.rows import Connection, Record, columns, many, must


class Ended(Contact):
    """A contact with whose it was and where it came in. `called`: a person had something to do in it."""

    channel: str
    customer_id: str | None
    called: bool


class Story(Record):
    """Turns and messages in their order, of this contact alone."""

    contact: Ended
    turns: tuple[Turn, ...]
    messages: tuple[Message, ...]


class EndedCount(Record):
    """`n` ended in the period, `others` of them in channels that were left out."""

    n: int
    others: int


_ENDED: Final = "c.status <> 'open' and c.closed_at >= %(since)s and c.closed_at < %(until)s"
_CALLED: Final = (
    "c.status = 'handed_over' or exists (select from human_queue q where q.contact_id = c.id and q.kind <> 'follow_up')"
)


async def count(conn: Connection, *, since: datetime, until: datetime, but: Sequence[str] = ()) -> EndedCount:
    """Count the contacts that ended from `since` to before `until`; `but` are channels that are left out."""
    return await must(
        conn,
        EndedCount,
        "select count(*) as n, count(*) filter (where v.channel = any(%(but)s)) as others"
        f" from contacts c join conversations v on v.thread_id = c.thread_id where {_ENDED}",
        {"since": since, "until": until, "but": list(but)},
    )


async def ended(
    conn: Connection, *, since: datetime, until: datetime, but: Sequence[str] = (), after: str = "", limit: int = 100
) -> list[Ended]:
    """Return contacts that ended from `since` to before `until`, by id; those that follow the id `after`."""
    return await many(
        conn,
        Ended,
        f"select {columns(Contact, 'c')}, v.channel, v.customer_id, ({_CALLED}) as called"
        " from contacts c join conversations v on v.thread_id = c.thread_id"
        f" where {_ENDED} and v.channel <> all(%(but)s) and c.id > %(after)s order by c.id limit %(limit)s",
        {"since": since, "until": until, "but": list(but), "after": after, "limit": limit},
    )


async def story(conn: Connection, contact: Ended) -> Story:
    """Read what happened in a contact."""
    turns = await many(
        conn,
        Turn,
        f"select {columns(Turn)} from turns where contact_id = %(contact)s order by number",
        {"contact": contact.id},
    )
    messages = await many(
        conn,
        Message,
        f"select {columns(Message)} from messages where thread_id = %(thread)s and turn_id = any(%(turns)s) order by seq",
        {"thread": contact.thread_id, "turns": [turn.id for turn in turns]},
    )
    return Story(contact=contact, turns=tuple(turns), messages=tuple(messages))
