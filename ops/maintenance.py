"""What has to happen by the clock, beside the traffic: by one process at a time, whoever holds the lease."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import httpx

from graph.contacts import close_idle
from graph.conversation import ClosingDown, Conversation
from graph.services import Services
from graph.telling import release
from ops.announcements import announce, deliver
from ops.follow_ups import queue_follow_ups
from ops.webhook import Webhook
from routing.model import Frozen
from storage.database import DatabaseUnavailable
from storage.records import leases, proposals, queue

log = logging.getLogger(__name__)
LEASE = 1
_PROPOSAL_GRACE = timedelta(minutes=10)  # a turn that began in time may still execute what was confirmed


class Round(Frozen):
    """What one round did, in numbers."""

    follow_ups: int = 0
    expired_proposals: int = 0
    released_claims: int = 0
    closed_contacts: int = 0
    resumed_turns: int = 0
    announced: int = 0
    delivered: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """The round's parameters. `webhook` None announces nothing."""

    services: Services
    conversation: Conversation
    claim_timeout: timedelta
    webhook: Webhook | None = None

    async def once(self) -> Round | None:
        """Run one round; None when another process is at it. Raises `DatabaseUnavailable`.

        The lease lies in a transaction of its own that stays open meanwhile and touches no row: nothing waits for it.
        """
        async with self.services.database.transaction() as holder:
            if not await leases.try_take(holder, LEASE):
                return None
            return await self._round()

    async def forever(self, *, every_s: float, stop: asyncio.Event | None = None) -> None:
        """Run rounds until `stop` is set. A database that is away is tried again at the next one."""
        stop = stop or asyncio.Event()
        while not stop.is_set():
            try:
                done = await self.once()
                if done is not None and done != Round():
                    log.info("round: %s", done.model_dump(exclude_defaults=True))
            except DatabaseUnavailable as error:
                log.warning("no database, again in %g s: %s", every_s, type(error).__name__)
            except ClosingDown:
                return
            try:
                await asyncio.wait_for(stop.wait(), every_s)
            except TimeoutError:
                continue

    async def _round(self) -> Round:
        services = self.services
        now = services.clock.now()
        follow_ups = await queue_follow_ups(services)
        released = await release_abandoned(services, self.claim_timeout)
        async with services.database.transaction() as conn:
            expired = await proposals.expire(conn, before=now - _PROPOSAL_GRACE, now=now)
        async with services.database.transaction() as conn:
            closed = len(await close_idle(conn, now=now))
        resumed = await self.conversation.resume()
        announced = delivered = 0
        if self.webhook is not None:
            announced = await announce(services)
            async with _client() as client:
                delivered = await deliver(services, self.webhook, client)
        return Round(
            follow_ups=follow_ups, expired_proposals=expired, released_claims=released, closed_contacts=closed,
            resumed_turns=resumed, announced=announced, delivered=delivered,
        )  # fmt: skip


async def release_abandoned(services: Services, after: timedelta) -> int:
    """Put back what operators claimed and then left alone for this long; return how many items."""
    async with services.database.connection() as conn:
        stale = await queue.abandoned_claims(conn, before=services.clock.now() - after)
    return sum([await release(services, item) for item in stale])


@asynccontextmanager
async def _client() -> AsyncIterator[httpx.AsyncClient]:
    """A client that follows no redirect: a signed body goes where the configuration says and nowhere else."""
    async with httpx.AsyncClient(follow_redirects=False) as client:
        yield client
