"""What is on record about a conversation, read once for all the checks."""

from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from evals.first_day import Ground
from routing.facts import Commitment, Fact
from routing.shop import Customer, Order, Request
from storage.records import audit, commitments, effects, facts, packages, proposals, queue, turns
from storage.records.effects import Effect
from storage.records.packages import Package
from storage.records.proposals import Stored
from storage.records.queue import QueueItem
from storage.records.turns import Turn

Json = dict[str, Any]
_TURNS = 60
_SECOND_SUBJECT = "open_topic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A conversation's records. `requests` are those that the shop did not have before it."""

    turns: tuple[Turn, ...]
    facts: tuple[Fact, ...]
    promises: tuple[Commitment, ...]
    effects: tuple[Effect, ...]
    items: tuple[QueueItem, ...]
    packages: tuple[Package, ...]
    proposals: tuple[Stored, ...]
    rules: tuple[str, ...]
    orders: tuple[Order, ...]
    requests: tuple[Request, ...]
    zone: ZoneInfo

    @property
    def replies(self) -> tuple[str, ...]:
        return tuple(turn.reply for turn in self.turns if turn.reply)

    @property
    def calls(self) -> tuple[Json, ...]:
        """Return every tool call, oldest first: name, args, outcome, because, agent."""
        return self._entries("tool")

    @property
    def blocked(self) -> int:
        """Return how many sentences the claims check stopped."""
        return len(self._entries("check"))

    @property
    def transfers(self) -> int:
        return sum(1 for package in self.packages if package.from_agent is not None)

    @property
    def immediate_transfers(self) -> int:
        """Count how often a specialist that the router had just chosen passed the conversation on; a second subject is none."""
        routed = {turn.id: (turn.decision or {}).get("target") for turn in self.turns}
        return sum(
            1
            for package in self.packages
            if package.from_agent is not None
            and package.from_agent == routed.get(package.turn_id)
            and package.reason != _SECOND_SUBJECT
        )

    def _entries(self, kind: str) -> tuple[Json, ...]:
        return tuple(entry for turn in self.turns for entry in turn.trail if entry.get("type") == kind)


async def seen(ground: Ground, thread_id: str, customer: Customer, *, before: frozenset[str]) -> Seen:
    """Read a conversation's records. `before` are the protocols that the shop had when it began."""
    services = ground.services
    owner = customer.id
    async with services.database.connection() as conn:
        found = await turns.trail(conn, thread_id, limit=_TURNS)
        return Seen(
            turns=tuple(found),
            facts=tuple(f for f in await facts.all_of(conn, thread_id) if f.status != "replaced"),
            promises=tuple(await commitments.all_of(conn, thread_id)),
            effects=tuple(e for e in await effects.of_thread(conn, thread_id) if e.turn_id != "given"),
            items=tuple(await queue.of_thread(conn, thread_id)),
            packages=tuple(await packages.of_thread(conn, thread_id)),
            proposals=tuple(await proposals.of_thread(conn, thread_id)),
            rules=tuple(entry.rule for entry in await audit.of_thread(conn, thread_id)),
            orders=await services.shop.orders(owner) if owner else (),
            requests=tuple(r for r in await services.shop.requests(owner) if r.protocol not in before) if owner else (),
            zone=services.zone,
        )
