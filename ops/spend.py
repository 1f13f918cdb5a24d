"""Money around paid calls: the most one can cost is reserved before it is made, what it did cost is settled after."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from routing.budget import BudgetLimit, BudgetLimits, usd
from routing.ports import SpendingStopped
from storage.database import Database
from storage.records import conversations, spend, turns
from storage.records.spend import OverLimit, Reserved
from storage.rows import Connection

log = logging.getLogger(__name__)


class BudgetExhausted(SpendingStopped):
    """A paid call was refused by a limit. "day" stops every paid call, the others only their own conversation's."""

    def __init__(self, refused: OverLimit) -> None:
        super().__init__(refused.scope, f"{refused.scope}: {refused.spent_usd} of {refused.limit_usd} US$")
        self.spent_usd = refused.spent_usd
        self.limit_usd = refused.limit_usd


@dataclass(slots=True)
class Charge:
    """A reservation that is open. Set `cost_usd` when the call says what it cost, or `made` to False if it was not made."""

    id: str
    cost_usd: float | Decimal | None = None
    made: bool = True


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a call belongs to. A conversation that nobody stored counts for the day alone."""

    thread_id: str | None
    customer_id: str | None
    turn_id: str | None


class SpendLedger:
    """The ledger for decisions (`routing.providers.chain.Budget`) and for specialists' calls (`paid`).

    Limits hold over processes: they live in rows that a reservation locks. `zone` is the shop's: its midnight ends a day.
    """

    def __init__(
        self,
        database: Database,
        *,
        limits: BudgetLimits,
        now: Callable[[], datetime],
        zone: ZoneInfo,
        new_id: Callable[[], str],
    ) -> None:
        self._database = database
        self._limits = _stored(limits)
        self._now = now
        self._zone = zone
        self._new_id = new_id
        self._open: dict[str, Decimal] = {}

    async def reserve(self, provider: str, *, model: str, max_cost_usd: float, thread_id: str) -> str | None:
        """Reserve for a decision. None: a limit forbids it. Raises `DatabaseUnavailable`."""
        reserved = await self._reserve(provider, model=model, most_usd=usd(max_cost_usd), thread_id=thread_id)
        return reserved.id if isinstance(reserved, Reserved) else None

    async def settle(self, reservation: str, *, cost_usd: float | Decimal | None) -> None:
        """Write what a call cost; None, because it was cut off, counts as all that was reserved.

        Once: a second settling changes nothing. Raises `DatabaseUnavailable`; the reservation then stays counted in full.
        """
        most = self._open.get(reservation)
        cost = most if cost_usd is None else usd(cost_usd)
        if cost is None:
            return
        if most is not None and cost > most:
            log.warning("spend %s: a call cost %s US$, reserved were %s", reservation, cost, most)
        async with self._database.connection() as conn:
            await spend.settle(conn, reservation, cost_usd=cost, now=self._now())
        self._open.pop(reservation, None)

    async def release(self, reservation: str) -> None:
        """Give a reservation back: its call was not made. Raises `DatabaseUnavailable`."""
        async with self._database.connection() as conn:
            await spend.release(conn, reservation, now=self._now())
        self._open.pop(reservation, None)

    @asynccontextmanager
    async def paid(
        self, provider: str, *, model: str, most_usd: Decimal, thread_id: str, agent: str | None = None
    ) -> AsyncGenerator[Charge]:
        """Reserve around a specialist's call. Raises `BudgetExhausted` before the call and `DatabaseUnavailable`.

        Also a call that fails or is cancelled is settled: by its `cost_usd`, else in full.
        """
        reserved = await self._reserve(provider, model=model, most_usd=most_usd, thread_id=thread_id, agent=agent)
        if isinstance(reserved, OverLimit):
            raise BudgetExhausted(reserved)
        charge = Charge(reserved.id)
        try:
            yield charge
        finally:
            end = self.settle(charge.id, cost_usd=charge.cost_usd) if charge.made else self.release(charge.id)
            await asyncio.shield(end)

    async def _reserve(
        self, provider: str, *, model: str, most_usd: Decimal, thread_id: str, agent: str | None = None
    ) -> Reserved | OverLimit:
        at = self._now()
        async with self._database.connection() as conn:
            subject = await _subject(conn, thread_id)
            reserved = await spend.reserve(
                conn,
                spend_id=self._new_id(),
                at=at,
                day=at.astimezone(self._zone).date(),
                provider=provider,
                amount_usd=most_usd,
                limits=self._limits,
                model=model,
                agent=agent,
                thread_id=subject.thread_id,
                customer_id=subject.customer_id,
                turn_id=subject.turn_id,
            )
        if isinstance(reserved, Reserved):
            self._open[reserved.id] = reserved.amount_usd
        else:
            log.warning(
                "budget of the %s exhausted: %s of %s US$", reserved.scope, reserved.spent_usd, reserved.limit_usd
            )
        return reserved


async def _subject(conn: Connection, thread_id: str) -> _Subject:
    conversation = await conversations.get(conn, thread_id)
    if conversation is None:
        return _Subject(None, None, None)
    turn = await turns.running(conn, thread_id)
    return _Subject(thread_id, conversation.customer_id, None if turn is None else turn.id)


def _stored(limits: BudgetLimits) -> spend.Limits:
    def stored(limit: BudgetLimit | None) -> spend.Limit | None:
        return None if limit is None else spend.Limit(stop_usd=limit.stop_usd, limit_usd=limit.limit_usd)

    return spend.Limits(
        day=stored(limits.day), conversation=stored(limits.conversation), customer=stored(limits.customer)
    )
