"""Where a simulated contact's rows come from: the same records as a real one's, under ids that its seed decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ops.simulated_month import Chat, World
from routing.budget import usd
from routing.decision import PERSON, Decision
from routing.dialogue import Turn as Line
from routing.package import build_package, package_tokens
from routing.sentences import say
from routing.termination import Leg, new_leg
from storage.protocols import short_code
from storage.records import contacts, failures, messages, packages, queue, spend, turns
from storage.records.contacts import Contact
from storage.records.turns import Begun, Turn
from storage.rows import Connection

Json = dict[str, Any]
MODEL = "simulated"
"""The model's name in every decision and every paid call: no provider was asked."""

_LEASE_S = 60.0
_INPUT_USD, _CACHED_USD, _OUTPUT_USD = 0.60 / 1e6, 0.15 / 1e6, 2.40 / 1e6
_RESERVED = 3  # a reservation is for the most that a call can cost


@dataclass(slots=True, kw_only=True)
class ContactWriter:
    """One contact in its conversation, at the moment `at`. The caller's transaction holds all of it."""

    conn: Connection
    world: World
    thread_id: str
    customer_id: str
    number: int
    at: datetime
    contact: Contact | None = None
    item: queue.QueueItem | None = None
    dialogue: list[Line] = field(default_factory=list[Line])
    _ids: int = 0

    @property
    def contact_id(self) -> str:
        return self.contact.id if self.contact else f"ct-{self.thread_id}-{self.number}"

    def new_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}-{self.thread_id}-{self.number}-{self._ids}"

    def choose(self, texts: Sequence[str]) -> str:
        """Choose one without chance: by how much was written so far."""
        return texts[(self._ids + self.number) % len(texts)]

    async def begin(self, text: str) -> Turn:
        """Store a customer's message and begin the turn that answers it."""
        await messages.add(
            self.conn, self.thread_id, message_id=self.new_id("m"), role="customer", author=self.customer_id, text=text, now=self.at
        )  # fmt: skip
        self.dialogue.append(Line(role="customer", text=text, at=self.at))
        begun = await turns.begin(
            self.conn, self.thread_id, owner=MODEL, turn_id=self.new_id("t"), lease_s=_LEASE_S, now=self.at
        )
        assert isinstance(begun, Begun)
        self.contact = await contacts.open_(self.conn, self.thread_id, contact_id=self.contact_id, now=self.at)
        return begun.turn

    async def end(
        self, turn: Turn, decision: Decision, reply: str, *, trail: Sequence[Json], tokens: dict[str, int], failed: bool
    ) -> None:
        """Store the reply, or an apology with its number, and end the turn."""
        protocol: str | None = None
        if failed:
            protocol = short_code("ER", turn.id)
            reply = say("turns.apology", "pt", protocol=protocol)
            await failures.write(
                self.conn, protocol=protocol, kind=MODEL, detail=MODEL, thread_id=self.thread_id, turn_id=turn.id, now=self.at
            )  # fmt: skip
        message_id = self.new_id("m")
        await messages.add(
            self.conn, self.thread_id, message_id=message_id, role="agent", author=decision.target, text=reply, turn_id=turn.id,
            now=self.at,
        )  # fmt: skip
        await turns.end(
            self.conn, turn.id, fence=turn.fence, status="failed" if failed else "replied", reply=reply, reply_message_id=message_id,
            trail=trail, decision=decision.model_dump(mode="json"), tokens=tokens, error_protocol=protocol, contact_id=self.contact_id,
            now=self.at,
        )  # fmt: skip
        self.dialogue.append(Line(role="agent", text=reply, at=self.at))

    async def package(self, turn: Turn, leg: Leg | None, previous: str | None, target: str, reason: str) -> Json:
        """Store the package of a transfer; return what the trail keeps of it."""
        assert self.contact is not None
        package = build_package(
            conversation_id=self.thread_id, contact=self.contact.protocol, leg=leg or new_leg(self.new_id("leg"), origin=target), at=self.at,
            from_agent=previous, to_agent=target, reason=reason, turns=self.dialogue,
        )  # fmt: skip
        size, package_id = package_tokens(package), self.new_id("pk")
        await packages.save(
            self.conn,
            packages.Package(
                id=package_id, thread_id=self.thread_id, turn_id=turn.id, contact_id=self.contact_id, from_agent=previous, to_agent=target,
                reason=reason, schema_version=package.schema_version, body=package.model_dump(mode="json"), tokens=size,
                at=self.at + timedelta(microseconds=self._ids),  # of one turn, in their order
            ),
        )  # fmt: skip
        told: Json = {
            "from": previous,
            "to": target,
            "reason": reason,
            "detail": None,
            "facts": [],
            "package_tokens": size,
        }
        return {"type": "handoff", **told}

    async def call(self, turn: Turn, leg: Leg | None, previous: str | None, reason: str, *, topic: str | None) -> Json:
        """Put the conversation before a person."""
        self.item = await queue.enqueue(
            self.conn, key=f"{self.contact_id}:{topic or reason}", item_id=self.new_id("q"), thread_id=self.thread_id, kind="conversation",
            reason="sensitive" if topic else reason, about=topic or reason, contact_id=self.contact_id, turn_id=turn.id,
            priority=90 if topic else 50, now=self.at,
        )  # fmt: skip
        return await self.package(turn, leg, previous, PERSON, topic or reason)

    async def pay_chat(self, turn: Turn, chat: Chat, agent: str) -> None:
        """Enter a specialist's calls into the ledger, at an invented price."""
        whole = (chat.input - chat.cached) * _INPUT_USD + chat.cached * _CACHED_USD + chat.output * _OUTPUT_USD
        for _ in range(chat.calls):
            await self.pay(turn, MODEL, round(whole / chat.calls, 8), agent=agent)

    async def pay(self, turn: Turn, provider: str, cost_usd: float, *, agent: str | None) -> None:
        """Reserve and settle one call. No limit is enforced: nothing was spent."""
        cost, spend_id = usd(cost_usd), self.new_id("sp")
        await spend.reserve(
            self.conn, spend_id=spend_id, at=self.at, day=self.at.astimezone(self.world.zone).date(), provider=provider,
            amount_usd=cost * _RESERVED, limits=spend.Limits(), model=MODEL, agent=agent, thread_id=self.thread_id,
            customer_id=self.customer_id, turn_id=turn.id,
        )  # fmt: skip
        await spend.settle(self.conn, spend_id, cost_usd=cost, now=self.at)
