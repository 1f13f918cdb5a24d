"""What a person does to a conversation: claim, reply, note, hand back, resolve. Each write bumps the epoch."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Literal

from psycopg import AsyncConnection

from graph.events import Event, PersonCalled
from graph.services import Services
from routing.calendar import due_of
from routing.facts import Commitment
from routing.model import Frozen
from routing.sanitize import clean
from storage.records import audit, commitments, contacts, conversations, messages, queue

ActionKind = Literal["claim", "reply", "note", "hand_back", "resolve", "approve", "reject"]
BY_TURN: tuple[ActionKind, ...] = ("approve", "reject")


class PersonAction(Frozen):
    """One action of an operator on an item of the queue, or on a conversation without one."""

    kind: ActionKind
    item_id: str | None = None
    text: str | None = None


class NotPossible(Exception):
    """The action does not fit the state of the item: somebody else has it, or it is over. `because` is a short code."""

    def __init__(self, because: str) -> None:
        super().__init__(because)
        self.because = because


async def act(services: Services, thread_id: str, action: PersonAction, *, operator: str) -> AsyncIterator[Event]:
    """Carry out the action in one transaction. Raises `NotPossible`."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        await audit.write(
            conn,
            now=now,
            actor=f"operator:{operator}",
            rule=action.kind,
            thread_id=thread_id,
            detail={"item": action.item_id},
        )
        match action.kind:
            case "claim":
                if action.item_id and await queue.claim(conn, action.item_id, operator=operator, now=now) is None:
                    raise NotPossible("claimed_by_another")
                await conversations.bump_epoch(conn, thread_id, held_by=operator, now=now)
            case "reply":
                if not action.text or not action.text.strip():
                    raise NotPossible("empty")
                await conversations.bump_epoch(conn, thread_id, held_by=operator, now=now)
                await _said(conn, services, thread_id, action.text, operator=operator, now=now)
            case "note":
                if not action.item_id or not action.text:
                    raise NotPossible("empty")
                await queue.add_note(conn, action.item_id, author=operator, text=action.text, now=now)
            case "hand_back":
                await conversations.bump_epoch(conn, thread_id, held_by=None, now=now)
                if action.item_id:
                    await queue.resolve(conn, action.item_id, operator=operator, now=now)
            case "resolve":
                await conversations.bump_epoch(conn, thread_id, held_by=None, now=now)
                if action.item_id:
                    await queue.resolve(conn, action.item_id, operator=operator, now=now)
                if contact := await contacts.open_of(conn, thread_id):
                    await contacts.close(conn, contact.id, status="handed_over", outcome={"by": operator}, now=now)
            case "approve" | "reject":
                raise NotPossible("needs_a_turn")
    held = action.kind in ("claim", "reply")
    yield PersonCalled(status="held" if held else "waiting", reason=action.kind)


async def _said(
    conn: AsyncConnection[Any], services: Services, thread_id: str, text: str, *, operator: str, now: datetime
) -> None:
    """Store a person's words; a date in them is a promise, kept word for word with somebody who owns it."""
    text = clean(text, limit=services.limits.message_chars).text
    message_id = services.new_id("m")
    await messages.add(conn, thread_id, message_id=message_id, role="operator", author=operator, text=text, now=now)
    due = due_of(text, now, services.zone, hours=services.hours)
    if due is None:
        return
    conversation = await conversations.get(conn, thread_id)
    promise = Commitment(id=f"c-{message_id}", text=text, by=operator, at=now, due=due, origin="person")
    await commitments.save(conn, thread_id, conversation.customer_id if conversation else None, [promise])
    await commitments.add_follow_up(
        conn,
        commitments.FollowUp(
            id=f"fu-{message_id}",
            thread_id=thread_id,
            commitment_id=promise.id,
            owner=operator,
            due=due,
            status="open",
            queued_at=None,
        ),
    )


async def decided(services: Services, action: PersonAction, *, operator: str) -> dict[str, Any]:
    """Return what a turn needs to carry out an approval. Raises `NotPossible` when the item waits for none."""
    async with services.database.connection() as conn:
        item = await queue.get(conn, action.item_id) if action.item_id else None
    if item is None or item.kind != "approval" or item.status in ("resolved", "withdrawn") or not item.package:
        raise NotPossible("nothing_to_decide")
    return {"kind": action.kind, "item_id": item.id, "operator": operator, "proposal": item.package}


async def settle(services: Services, thread_id: str, action: PersonAction, *, operator: str) -> None:
    """Close the item of an approval that a turn carried out."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        await audit.write(
            conn,
            now=now,
            actor=f"operator:{operator}",
            rule=action.kind,
            thread_id=thread_id,
            detail={"item": action.item_id},
        )
        if action.item_id:
            await queue.resolve(conn, action.item_id, operator=operator, now=now)
