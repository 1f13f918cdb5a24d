"""Where a contact ends by silence, and where a new one turns out to be the old one again."""

from datetime import datetime, timedelta

from routing.contact_ending import Ended, QuietTurn, ending_of
from storage.records import contacts, messages, turns
from storage.records.contacts import Contact
from storage.records.turns import Turn
from storage.rows import Connection

IDLE = timedelta(hours=12)
REOPENS_WITHIN = timedelta(hours=72)


async def close_idle(
    conn: Connection, *, now: datetime, thread_id: str | None = None, turn_id: str | None = None, limit: int = 100
) -> list[Contact]:
    """Close contacts in which nobody wrote for twelve hours and no person has anything to do; return them as closed.

    The clock's round asks for all of them; a turn for its own conversation, before its message opens the next contact.
    """
    closed: list[Contact] = []
    for contact in await contacts.idle(conn, before=now - IDLE, thread_id=thread_id, turn_id=turn_id, limit=limit):
        ended = await _ending(conn, contact, turn_id)
        outcome = {"by": "clock", "because": ended.because}
        if done := await contacts.close(conn, contact.id, status=ended.ending, outcome=outcome, now=now):
            closed.append(done)
    return closed


async def _ending(conn: Connection, contact: Contact, turn_id: str | None) -> Ended:
    replied = await messages.person_wrote(conn, contact.thread_id, since=contact.opened_at)
    own = [t for t in await turns.of_contact(conn, contact.id) if t.id != turn_id and t.action is None]
    return ending_of([_quiet(t) for t in own], person_replied=replied)


def _quiet(turn: Turn) -> QuietTurn:
    tools = [entry for entry in turn.trail if entry.get("type") == "tool"]
    decision = turn.decision or {}
    return QuietTurn(
        status=turn.status, reply=turn.reply, target=decision.get("target"), reason=decision.get("reason"),
        refused=bool(tools) and tools[-1].get("outcome") == "refused",
    )  # fmt: skip


async def note_reopening(conn: Connection, thread_id: str, contact_id: str, *, subject: str, now: datetime) -> bool:
    """Mark the contact before this one as reopened when it closed on the same subject less than 72 hours ago."""
    earlier = [c for c in await contacts.of_thread(conn, thread_id) if c.id != contact_id and c.closed_at is not None]
    last = earlier[0] if earlier else None
    if last is None or last.closed_at is None or last.subject != subject or now - last.closed_at > REOPENS_WITHIN:
        return False
    return await contacts.mark_reopened(conn, last.id, by=contact_id)
