"""What a person does to a conversation: claim, reply, note, hand back, resolve. Each word to the customer bumps the epoch.

A conversation that a person holds always has an item that this person has claimed, so that the claim's time-out finds it.
"""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never

from graph.events import Event, PersonCalled
from graph.ledger import kept
from graph.services import Services
from graph.settling import effect_in_doubt
from graph.telling import keep_promise, tell
from routing.calendar import due_of
from routing.facts import Commitment
from routing.model import Frozen
from routing.queue_moves import Refused, Step, move
from routing.sanitize import clean
from routing.shop import Receipt
from routing.text import blank
from storage.records import audit, commitments, contacts, conversations, effects, messages, queue
from storage.records.conversations import Conversation
from storage.records.queue import QueueItem
from storage.rows import Connection

ActionKind = Literal[
    "claim", "reply", "note", "hand_back", "resolve", "approve", "reject", "happened", "did_not_happen"
]
BY_TURN: tuple[ActionKind, ...] = ("approve", "reject")
# What a person found out about an act of which nobody knew the end.
SETTLES: tuple[ActionKind, ...] = ("happened", "did_not_happen")
CONVERSATION = "conversation"
# Items that are a promise: whoever closes one has kept it.
PROMISES = ("callback", "follow_up")
_CLAIMED_UNASKED = 50
_PROTOCOL = re.compile(r"[\w./#-]{1,40}")


class PersonAction(Frozen):
    """One action of an operator on an item of the queue, or on a conversation: then its open conversation items are meant.

    `text` of "happened" is the protocol that the shop's system shows, if it shows one.
    """

    kind: ActionKind
    item_id: str | None = None
    text: str | None = None


class NotPossible(Exception):
    """The action does not fit the state of the item: somebody else has it, or it is over. `because` is a short code."""

    def __init__(self, because: str) -> None:
        super().__init__(because)
        self.because = because


async def act(services: Services, thread_id: str, action: PersonAction, *, operator: str) -> AsyncIterator[Event]:
    """Carry out the action in one transaction. Raises `NotPossible`, LookupError for a conversation that does not exist."""
    if action.kind in BY_TURN:
        raise NotPossible("needs_a_turn")
    if action.kind in ("reply", "note") and blank(action.text or ""):
        raise NotPossible("empty")
    now = services.clock.now()
    async with services.database.transaction() as conn:
        conversation = await conversations.lock(conn, thread_id)
        meant = await _meant(conn, conversation, action, operator=operator)
        desk = _Desk(conn=conn, services=services, conversation=conversation, operator=operator, now=now)
        await desk.note_in_audit(action, meant)
        held = await desk.carry_out(action, meant)
    protocol = meant[0].protocol if meant else None
    yield PersonCalled(status="held" if held else "waiting", reason=action.kind, protocol=protocol)


async def _meant(
    conn: Connection, conversation: Conversation, action: PersonAction, *, operator: str
) -> list[QueueItem]:
    """Return the items that an action is about. A conversation's items go together: they are one customer, waiting."""
    open_items = await queue.open_of_thread(conn, conversation.thread_id)
    together = [i for i in open_items if i.kind == CONVERSATION and _fits(i, action.kind, operator)]
    if action.kind == "hand_back" or (action.kind == "resolve" and conversation.held_by == operator):
        together = [i for i in together if i.status == "claimed"]
    if action.item_id is None:
        if action.kind == "note" and not together:
            raise NotPossible("no_such_item")
        return together[:1] if action.kind == "note" else together
    named = await queue.get(conn, action.item_id)
    if named is None or named.thread_id != conversation.thread_id:
        raise NotPossible("no_such_item")
    if isinstance(refused := move(named.standing, action.kind, operator=operator), Refused):
        raise NotPossible(refused.because)
    if action.kind in SETTLES and effect_in_doubt(named.key) is None:
        raise NotPossible("no_doubt")
    alone = action.kind == "note" or (action.kind == "claim" and named.kind != CONVERSATION)
    if action.kind in SETTLES:
        alone = True
    if action.kind == "resolve" and (named.kind != CONVERSATION or named.status == "waiting"):
        alone = True
    return [named] if alone else [named, *(i for i in together if i.id != named.id)]


def _fits(item: QueueItem, step: Step, operator: str) -> bool:
    return not isinstance(move(item.standing, step, operator=operator), Refused)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    """One action, inside its transaction, with the conversation's row locked."""

    conn: Connection
    services: Services
    conversation: Conversation
    operator: str
    now: datetime

    async def carry_out(self, action: PersonAction, items: Sequence[QueueItem]) -> bool:
        """Carry out the action; return whether this person holds the conversation afterwards. Raises `NotPossible`."""
        match action.kind:
            case "claim":
                return await self._claim(items)
            case "reply":
                await self._take(items)
                await self._said(action.text or "")
                return True
            case "note":
                await queue.add_note(
                    self.conn, items[0].id, author=self.operator, text=self._clean(action.text), now=self.now
                )
                return self.conversation.held_by is not None
            case "hand_back":
                return await self._hand_back(items)
            case "resolve":
                return await self._resolve(items)
            case "happened" | "did_not_happen":
                return await self._settle(items, happened=action.kind == "happened", protocol=self._clean(action.text))
            case "approve" | "reject":
                raise NotPossible("needs_a_turn")
            case _:
                assert_never(action.kind)

    async def note_in_audit(self, action: PersonAction, items: Sequence[QueueItem]) -> None:
        await audit.write(
            self.conn, now=self.now, actor=f"operator:{self.operator}", rule=action.kind, thread_id=self.conversation.thread_id,
            customer_id=self.conversation.customer_id, detail={"item": action.item_id, "items": [i.id for i in items]},
        )  # fmt: skip

    async def _claim(self, items: Sequence[QueueItem]) -> bool:
        """Take the items. A conversation is held from here on, and its customer is told by whom before it falls silent."""
        if items and all(i.kind != CONVERSATION for i in items):
            for item in items:
                await queue.claim(self.conn, item.id, operator=self.operator, now=self.now)
            return self.conversation.held_by == self.operator
        was_held = self.conversation.held_by == self.operator
        await self._take(items)
        if not was_held:
            await self._tell("people.claimed", who=self.operator)
        return True

    async def _take(self, items: Sequence[QueueItem]) -> None:
        """Take the word: the items are claimed, and the bot's reply in flight will be discarded."""
        if self.conversation.held_by not in (None, self.operator):
            raise NotPossible("held_by_another")
        for item in items or [await self._uncalled()]:
            await queue.claim(self.conn, item.id, operator=self.operator, now=self.now)
        await self._word(self.operator)

    async def _uncalled(self) -> QueueItem:
        """A person steps in where nobody was called: that too is an item, so that it can be handed back or time out."""
        item_id, contact = (
            self.services.new_id("q"),
            await contacts.open_of(self.conn, self.conversation.thread_id),
        )
        return await queue.enqueue(
            self.conn, key=f"operator:{item_id}", item_id=item_id, thread_id=self.conversation.thread_id, kind=CONVERSATION,
            reason="stepped_in", contact_id=contact.id if contact else None, priority=_CLAIMED_UNASKED, now=self.now,
        )  # fmt: skip

    async def _hand_back(self, items: Sequence[QueueItem]) -> bool:
        held_by = self.conversation.held_by
        if held_by not in (None, self.operator):
            raise NotPossible("held_by_another")
        await self._close(items)
        await self._word(None)
        if held_by is not None:
            await self._tell("people.handed_back")
        return False

    async def _resolve(self, items: Sequence[QueueItem], *, told: str = "people.resolved") -> bool:
        """Close the items; with the last one of a conversation its contact ends too."""
        held_by = self.conversation.held_by
        about_conversation = not items or any(i.kind == CONVERSATION for i in items)
        if about_conversation and held_by not in (None, self.operator):
            raise NotPossible("held_by_another")
        await self._close(items)
        if about_conversation:
            await self._word(None)
        if asked := [i for i in items if i.kind != "follow_up"]:
            await self._tell(told, protocol=asked[0].protocol)
        if about_conversation and not await queue.open_of_thread(self.conn, self.conversation.thread_id):
            await self._end_contact()
        return not about_conversation and held_by == self.operator

    async def _settle(self, items: Sequence[QueueItem], *, happened: bool, protocol: str) -> bool:
        """Write what this person found out into the ledger, and close the doubt. The shop's own receipt, if it came, stays."""
        if protocol and not _PROTOCOL.fullmatch(protocol):
            raise NotPossible("no_protocol")
        found: Literal["done", "refused"] = "done" if happened else "refused"
        for item in items:
            effect_id = effect_in_doubt(item.key) or ""
            known = await effects.get(self.conn, effect_id)
            receipt = Receipt(protocol=protocol or item.protocol, kind="review", at=self.now)
            plain, personal = kept(receipt if happened else None)
            if known is not None and known.state == "unknown":
                known = await effects.settle(
                    self.conn, effect_id, state=found, receipt=plain, personal=personal, now=self.now
                )
            if known is None or known.state != found:  # the shop answered meanwhile: nothing of this is written
                raise NotPossible("settled_otherwise")
        told = "people.happened" if happened else "people.did_not_happen"
        return await self._resolve(items, told=told)

    async def _close(self, items: Sequence[QueueItem]) -> None:
        for item in items:
            await queue.resolve(self.conn, item.id, operator=self.operator, now=self.now)
            if item.kind in PROMISES:
                await keep_promise(self.conn, item)

    async def _end_contact(self) -> None:
        thread_id = self.conversation.thread_id
        if contact := await contacts.open_of(self.conn, thread_id):
            replied = await messages.person_wrote(self.conn, thread_id, since=contact.opened_at)
            await contacts.close(
                self.conn, contact.id, status="handed_over" if replied else "resolved",
                outcome={"by": self.operator, "because": "operator"}, now=self.now,
            )  # fmt: skip

    async def _word(self, held_by: str | None) -> None:
        await conversations.bump_epoch(self.conn, self.conversation.thread_id, held_by=held_by, now=self.now)

    async def _tell(self, key: str, **values: object) -> None:
        await tell(self.conn, self.services, self.conversation, key, now=self.now, **values)

    def _clean(self, text: str | None) -> str:
        return clean(text or "", limit=self.services.limits.message_chars).text

    async def _said(self, text: str) -> None:
        """Store a person's words; a date in them is a promise, kept word for word with somebody who owns it."""
        services, thread_id = self.services, self.conversation.thread_id
        text, message_id = self._clean(text), services.new_id("m")
        await messages.add(
            self.conn, thread_id, message_id=message_id, role="operator", author=self.operator, text=text, now=self.now
        )
        due = due_of(text, self.now, services.zone, hours=services.hours)
        if due is None:
            return
        promise = Commitment(
            id=f"c-{message_id}", text=text, by=self.operator, at=self.now, due=due, origin="person"
        )  # fmt: skip
        await commitments.save(self.conn, thread_id, self.conversation.customer_id, [promise])
        await commitments.add_follow_up(
            self.conn,
            commitments.FollowUp(
                id=f"fu-{message_id}", thread_id=thread_id, commitment_id=promise.id, owner=self.operator, due=due
            ),
        )
