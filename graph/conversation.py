"""The two doors: a customer's message, and a person's action. Everything else only reads."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Any

from graph.approvals import decided, settle
from graph.closing import ClosingDown, finish_or_give_up, give_up
from graph.door_ids import checked_id, own_message_id
from graph.events import Done, Event, Failed, PersonCalled, Queued, Reply, Token
from graph.foreign import note_foreign
from graph.parts import NothingSaid, Part, as_parts, cleaned_parts, says_nothing, text_of
from graph.people import BY_TURN, PersonAction, act
from graph.rates import count_message
from graph.services import Services
from graph.turns import Graph, RunningTurn, TurnRunner, pieces
from routing.ports import ShopUnavailable
from routing.sentences import say
from routing.shop import Customer
from storage.database import Database
from storage.records import conversations, messages, turns
from storage.records.conversations import NotYours
from storage.records.turns import Begun, Busy, NothingToTake, Turn

# Pauses between two looks at a turn that runs elsewhere, in seconds: short at first, for most turns are short.
_LOOKS = (0.02, 0.05, 0.1, 0.2, 0.25)


@dataclass(slots=True, kw_only=True)
class Conversation:
    """Takes messages and people's actions; runs each turn in a task of its own, one at a time per conversation."""

    services: Services
    graph: Graph
    owner: str
    _running: dict[str, RunningTurn] = field(default_factory=dict[str, RunningTurn])
    _beginning: int = 0
    _closing: bool = False

    async def send(
        self, thread_id: str, parts: Sequence[Part | str], *, message_id: str, customer: Customer, channel: str = "web",
        brand: str | None = None, override: str | None = None,
    ) -> AsyncIterator[Event]:  # fmt: skip
        """Store a message, have it answered, and yield what happens.

        The same `message_id` again yields the stored answer. Leaving the iterator does not stop the turn. Raises, and then
        nothing is stored: `NotYours` when the conversation is another's, `TooMany` when the customer sends faster than
        the limit, `ClosingDown`, `DatabaseUnavailable`, `BadId` for an id that no column takes, `NothingSaid` for a
        message that says nothing.
        """
        for name, value in (
            ("thread_id", thread_id), ("message_id", message_id), ("customer.id", customer.id), ("customer.visitor", customer.visitor),
        ):  # fmt: skip
            checked_id(name, value)
        if says_nothing(given := as_parts(parts)):
            raise NothingSaid
        if self._closing:
            raise ClosingDown
        await count_message(self.services, customer, thread_id, text_of(given)[: self.services.limits.message_chars])
        try:
            message_id, fresh = await self._store(
                thread_id, given, message_id, customer, channel, brand or self.services.shop_name
            )
        except NotYours:
            await note_foreign(self.services, thread_id, customer)
            raise
        await self._quiet(thread_id, channel)
        deadline = monotonic() + self.services.limits.wait_s
        queued, told, look = False, False, 0
        while monotonic() < deadline:
            # Only a message that came again runs its failed turn again; whoever merely waited gets the apology.
            again = message_id if not fresh and not queued else None
            ended = await self._ended(thread_id, message_id) if told or not fresh else None
            if ended is not None and (ended.status != "failed" or again is None):
                async for event in self._told_again(ended):
                    yield event
                return
            begun = await self._begin(thread_id, again) if self._has_room() else None
            if isinstance(begun, Begun):
                mine = any(m.message_id == message_id for m in begun.messages)
                running = self._start(begun, customer, channel, override)
                async for event in running.listen():
                    if mine:  # another's words are for whoever sent them: this message is in a turn that runs elsewhere
                        yield event
                if mine and not running.lost:
                    return
                continue
            if isinstance(begun, NothingToTake) and await self._given_back(thread_id, message_id):
                yield Done(turn_id="", turn=0, status="interrupted", latency_ms=0.0)
                return
            queued = queued or begun is not None
            if not told:
                told = True
                yield Queued(thread_id=thread_id, message_id=message_id)
            await asyncio.sleep(_LOOKS[min(look, len(_LOOKS) - 1)])
            look += 1
        yield Failed(code="busy", text=say("turns.busy", "pt"))

    async def person(self, thread_id: str, action: PersonAction, *, operator: str) -> AsyncIterator[Event]:
        """Carry out a person's action. Writing bumps the epoch and waits for nobody: a bot reply in flight is discarded."""
        for name, value in (("thread_id", thread_id), ("operator", operator), ("item_id", action.item_id)):
            checked_id(name, value)
        if action.kind not in BY_TURN:
            async for event in act(self.services, thread_id, action, operator=operator):
                yield event
            return
        decision = await decided(self.services, action, operator=operator)
        deadline = monotonic() + self.services.limits.wait_s
        while monotonic() < deadline:
            begun = await self._begin(thread_id, None, action=decision)
            if isinstance(begun, Begun):
                running = self._start(begun, await self._customer(thread_id), "person", None)
                async for event in running.listen():
                    yield event
                if not running.lost:
                    await settle(self.services, thread_id, action, operator=operator)
                    return
            await asyncio.sleep(_LOOKS[-1])
        yield Failed(code="busy", text=say("turns.busy", "pt"))

    async def stop(self, thread_id: str, turn_id: str | None = None) -> bool:
        """Ask the running turn of a conversation to stop, in whatever process it runs. False when none runs."""
        checked_id("thread_id", thread_id)
        async with self.services.database.connection() as conn:
            turn = await turns.running(conn, thread_id)
            if turn is None or (turn_id is not None and turn.id != turn_id):
                return False
            asked = await turns.request_stop(conn, turn.id)
        if here := self._running.get(turn.id):
            here.stop.set()
        return asked

    async def resume(self) -> int:
        """Finish the turns whose owner died; return how many were taken over."""
        services = self.services
        async with services.database.connection() as conn:
            dead = [t.thread_id for t in await turns.expired(conn)]
            forgotten = await turns.waiting(
                conn, before=services.clock.now() - timedelta(seconds=services.limits.lease_s)
            )
        taken = 0
        for thread_id in dict.fromkeys([*dead, *forgotten]):
            if not self._has_room():
                break  # the next round, or another process, takes the others
            begun = await self._begin(thread_id, None)
            if isinstance(begun, Begun):
                self._start(begun, await self._customer(thread_id), "resume", None)
                taken += 1
        return taken

    @property
    def closing(self) -> bool:
        """Tell whether this process takes no new turn any more."""
        return self._closing

    async def close(self, *, within_s: float | None = None) -> None:
        """Take no new turn; let the running ones finish, and give up those that do not in time (default: the limit)."""
        self._closing = True
        within_s = self.services.limits.shutdown_s if within_s is None else within_s
        await finish_or_give_up(self.services, list(self._running.values()), owner=self.owner, within_s=within_s)

    async def _store(
        self, thread_id: str, parts: tuple[Part, ...], message_id: str, customer: Customer, channel: str, brand: str
    ) -> tuple[str, bool]:
        """Store the message before anything else happens; what may not be stored is cleaned out of it first.

        Returns the id that it is stored under, and whether it is new.
        """
        cleaned = cleaned_parts(parts, limit=self.services.limits.message_chars)
        text = text_of(cleaned)
        now = self.services.clock.now()
        async with self.services.database.transaction() as conn:
            conversation = await conversations.ensure(
                conn,
                thread_id,
                customer_id=customer.id,
                visitor=customer.visitor,
                channel=channel,
                brand=brand,
                now=now,
            )
            message_id = await own_message_id(conn, thread_id, message_id)
            _, created = await messages.add(
                conn, thread_id, message_id=message_id, role="customer", author=customer.id, text=text,
                parts=[p.model_dump(exclude_none=True) for p in cleaned], now=now,
            )  # fmt: skip
            if created and conversation.title is None and text.strip():
                await conversations.set_title(conn, thread_id, title=text.strip().splitlines()[0][:60])
        return message_id, created

    async def _quiet(self, thread_id: str, channel: str) -> None:
        """Wait until the customer has paused, so that a burst of messages gets one reply that uses them all."""
        window = self.services.quiet.get(channel, 0.0)
        ends = monotonic() + self.services.limits.burst_s
        while window > 0 and not self._closing and monotonic() < ends:
            async with self.services.database.connection() as conn:
                last = await messages.latest(conn, thread_id, limit=1)
            silent = (self.services.clock.now() - last[-1].at).total_seconds() if last else window
            if silent >= window:
                return
            await asyncio.sleep(min(window - silent, window))

    def _has_room(self) -> bool:
        """Tell whether this process may begin another turn: past its limit they would only wait for each other's connections."""
        return self._closing or len(self._running) + self._beginning < self.services.limits.turns_at_once

    async def _begin(
        self, thread_id: str, message_id: str | None, *, action: dict[str, Any] | None = None
    ) -> Begun | Busy | NothingToTake:
        if self._closing:
            raise ClosingDown
        self._beginning += 1
        try:
            begun = await self._lease(thread_id, message_id, action=action)
        finally:
            self._beginning -= 1
        if self._closing and isinstance(begun, Begun):  # it closed meanwhile, and nobody would wait for this one
            await give_up(self.services, [begun.turn.id], owner=self.owner)
            raise ClosingDown
        return begun

    async def _lease(
        self, thread_id: str, message_id: str | None, *, action: dict[str, Any] | None
    ) -> Begun | Busy | NothingToTake:
        services = self.services
        async with services.database.connection() as conn:
            begun = await turns.begin(
                conn, thread_id, owner=self.owner, turn_id=services.new_id("t"), lease_s=services.limits.lease_s,
                now=services.clock.now(), action=action, release=services.release,
            )  # fmt: skip
            if isinstance(begun, NothingToTake) and message_id is not None:
                turn = await turns.of_message(conn, thread_id, message_id)
                if turn is not None and turn.status == "failed":
                    begun = await turns.reopen_failed(
                        conn,
                        thread_id,
                        message_id,
                        owner=self.owner,
                        lease_s=services.limits.lease_s,
                        release=services.release,
                    )
        return begun

    def _start(self, begun: Begun, customer: Customer, channel: str, override: str | None) -> RunningTurn:
        """Run a begun turn in its own task, which outlives whoever listens."""
        running = RunningTurn(turn_id=begun.turn.id, thread_id=begun.turn.thread_id)
        runner = TurnRunner(
            services=self.services, graph=self.graph, begun=begun, customer=customer, channel=channel, override=override,
            running=running,
        )  # fmt: skip
        self._running[begun.turn.id] = running
        running.task = asyncio.create_task(runner.run(), name=f"turn {begun.turn.id}")
        running.task.add_done_callback(lambda _: self._running.pop(begun.turn.id, None))
        return running

    async def _ended(self, thread_id: str, message_id: str) -> Turn | None:
        async with self.services.database.connection() as conn:
            turn = await turns.of_message(conn, thread_id, message_id)
        return turn if turn is not None and turn.status != "running" else None

    async def _given_back(self, thread_id: str, message_id: str) -> bool:
        """Tell whether the message's turn was stopped: it waits for the next message and gets no answer of its own."""
        async with self.services.database.connection() as conn:
            message = await messages.get(conn, thread_id, message_id)
        return message is not None and message.given_back and message.turn_id is None

    async def _told_again(self, turn: Turn) -> AsyncIterator[Event]:
        """Yield the stored answer of a turn: the same words to everybody who waited for it."""
        models = self.services.models
        if turn.reply and turn.reply_message_id:
            for piece in pieces(turn.reply):
                yield Token(text=piece)
            yield Reply(text=turn.reply, agent=_agent_of(turn), message_id=turn.reply_message_id, turn_id=turn.id)
        elif turn.status == "held":
            yield PersonCalled(status="held", reason="held_by_human")
        yield Done(
            turn_id=turn.id, turn=turn.number, status=turn.status if turn.status != "running" else "failed", latency_ms=0.0,
            cost_usd=float(turn.cost_usd), model=models.label, simulated=models.simulated,
        )  # fmt: skip

    async def _customer(self, thread_id: str) -> Customer:
        """Who a conversation belongs to, for a turn that nobody is waiting for any more."""
        async with self.services.database.connection() as conn:
            conversation = await conversations.get(conn, thread_id)
        if conversation is None or conversation.customer_id is None:
            return Customer(id=None, visitor=conversation.visitor if conversation else None)
        try:
            known = await self.services.shop.customer(conversation.customer_id)
        except ShopUnavailable:  # whose conversation it is we know ourselves
            return Customer(id=conversation.customer_id, level="session")
        return known.model_copy(update={"level": "session"}) if known else Customer(id=None)


def _agent_of(turn: Turn) -> str | None:
    target = (turn.decision or {}).get("target")
    return str(target) if target else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bastao:
    """A composed Bastão: its doors, and what surfaces may read about it."""

    conversation: Conversation
    services: Services
    database: Database
    mode: str
    warming: asyncio.Task[None] | None = None
    origins: tuple[str, ...] = ()

    async def ready(self) -> None:
        """Wait until the embedded decision model is loaded; a message that comes earlier is answered, but by a fallback."""
        if self.warming is not None:
            await asyncio.wait({self.warming})
