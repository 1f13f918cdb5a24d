"""What a conversation waits for right now: the customer's yes, or a person."""

from datetime import datetime

from graph.events import Confirmation, PersonCalled
from routing.model import Frozen
from storage.database import Database
from storage.records import conversations, proposals, queue


class Waiting(Frozen):
    """`confirmation` waits for the customer; `person` was called, or holds the conversation."""

    confirmation: Confirmation | None = None
    person: PersonCalled | None = None


async def what_waits(database: Database, thread_id: str, *, now: datetime) -> Waiting:
    """Return what is open in a conversation. An expired proposal no longer waits. Raises `DatabaseUnavailable`."""
    async with database.connection() as conn:
        proposal = await proposals.pending(conn, thread_id)
        conversation = await conversations.get(conn, thread_id)
        items = await queue.open_of_thread(conn, thread_id)
    confirmation = None
    if proposal is not None and proposal.expires_at > now:
        confirmation = Confirmation(
            proposal_id=proposal.id, summary=proposal.summary, expires_at=proposal.expires_at.isoformat()
        )
    first = items[0] if items else None
    held = conversation is not None and conversation.held_by is not None
    person = None
    if held or first is not None:
        person = PersonCalled(
            status="held" if held else "waiting",
            reason=first.reason if first else "",
            protocol=first.protocol if first else None,
        )
    return Waiting(confirmation=confirmation, person=person)
