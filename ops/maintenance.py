"""What has to happen by the clock, beside the traffic: by one process at a time, whoever holds the lease."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import httpx

from graph.contacts import close_idle
from graph.conversation import ClosingDown, Conversation
from graph.services import Services
from graph.telling import release
from ops.alarms import Alarm, Alarms, close_quiet
from ops.announcements import announce, deliver
from ops.conversations import note_failure
from ops.follow_ups import queue_follow_ups
from ops.privacy import Privacy
from ops.retention import RetentionSettings, prune
from ops.unsettled import settle_effects, settle_reservations
from ops.webhook import Webhook
from routing.model import Frozen
from storage.database import DatabaseUnavailable
from storage.records import erasures, leases, proposals, queue

log = logging.getLogger(__name__)
LEASE = 1
# A request is to be answered within fifteen days (LGPD, art. 19): a person looks after it before that.
_ERASURE_OVERDUE = timedelta(days=10)
_PROPOSAL_GRACE = timedelta(minutes=10)  # a turn that began in time may still execute what was confirmed


class Round(Frozen):
    """What one round did, in numbers."""

    follow_ups: int = 0
    expired_proposals: int = 0
    released_claims: int = 0
    closed_contacts: int = 0
    resumed_turns: int = 0
    settled_effects: int = 0
    lost_reservations: int = 0
    announced: int = 0
    delivered: int = 0
    erasures: int = 0
    pruned: int = 0
    closed_alarms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """The round's parameters. `webhook` None announces nothing, `privacy` None erases nothing, `retention` None keeps all.

    Pruning is for every `prune_every` only: what it looks for grows by the day.
    """

    services: Services
    conversation: Conversation
    claim_timeout: timedelta
    webhook: Webhook | None = None
    privacy: Privacy | None = None
    retention: RetentionSettings | None = None
    prune_every: timedelta = timedelta(hours=1)
    _pruned_at: list[datetime] = field(default_factory=list[datetime])

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
            except Exception as error:  # the door: one round that breaks must not be the last one
                protocol = await note_failure(self.services, error)
                await self._alarms.raise_(Alarm(kind="maintenance", detail=f"{type(error).__name__}, {protocol}"))
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
        settled = await settle_effects(services)
        lost = await settle_reservations(services)
        announced = delivered = 0
        if self.webhook is not None:
            announced = await announce(services)
            async with _client() as client:
                delivered = await deliver(services, self.webhook, client)
        erased = await self._forget(now)
        pruned = await self._prune(now)
        async with services.database.transaction() as conn:
            quiet = await close_quiet(conn, now=now)
        return Round(
            follow_ups=follow_ups, expired_proposals=expired, released_claims=released, closed_contacts=closed,
            resumed_turns=resumed, settled_effects=settled, lost_reservations=lost, announced=announced, delivered=delivered,
            erasures=erased, pruned=pruned, closed_alarms=quiet,
        )  # fmt: skip

    async def _forget(self, now: datetime) -> int:
        """Carry out the erasures that had to wait; one that waits for too long is an alarm."""
        if self.privacy is None:
            return 0
        done = await self.privacy.finish()
        async with self.services.database.connection() as conn:
            waiting = await erasures.open_(conn)
        for request in waiting:
            if now - request.requested_at > _ERASURE_OVERDUE:
                detail = f"asked {request.requested_at:%Y-%m-%d}, and something is still open in a conversation"
                await self._alarms.raise_(Alarm(kind="erasure_overdue", subject=request.id, detail=detail))
        return done

    @property
    def _alarms(self) -> Alarms:
        services = self.services
        return Alarms(
            database=services.database, clock=services.clock, new_id=services.new_id, shop_name=services.shop_name,
            announced=self.webhook is not None,
        )  # fmt: skip

    async def _prune(self, now: datetime) -> int:
        if self.retention is None or (self._pruned_at and now - self._pruned_at[-1] < self.prune_every):
            return 0
        self._pruned_at[:] = [now]
        return sum((await prune(self.services.database, self.retention, now=now)).values())


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
