"""Several providers behind one question: the first usable answer wins, and every hop says what came of it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from routing.decision import Answer, Exchange, Hop, Question
from routing.ports import NoProvider
from routing.providers.base import DecisionProvider, ask
from routing.providers.breaker import Breakers
from routing.providers.errors import ErrorKind, ProviderError

log = logging.getLogger(__name__)

# What is kept back of the deadline for the links that run in process and need milliseconds.
_LOCAL_RESERVE_S = 0.15
# On a machine that is busy the embedded model may take longer than its milliseconds. Late beats nobody: past the deadline
# it still gets this long, for without it the turn would be decided by no model at all.
_LOCAL_GRACE_S = 10.0


class Budget(Protocol):
    """The spend ledger as a chain sees it: reserve the most that a call can cost, settle what it did cost."""

    async def reserve(self, provider: str, *, model: str, max_cost_usd: float, thread_id: str) -> str | None:
        """Return a reservation, or None when the budget is exhausted."""
        ...

    async def settle(self, reservation: str, *, cost_usd: float | None) -> None:
        """Record what the call cost; None when nobody knows (it was cut off), which counts as all that was reserved."""
        ...


class ChainDecider:
    """A `routing.ports.Decider` over providers in order.

    Any error moves on to the next. After a 402 or an exhausted budget no paid link is tried, the free ones still are.
    `deadline_s` covers the whole decision by `clock` (monotonic seconds); remote links share out what is left of it, so
    that one that hangs leaves time for the next. `on_alarm(provider, kind, why)` is told of what a person must mend.
    """

    def __init__(
        self,
        providers: Sequence[DecisionProvider],
        *,
        deadline_s: float,
        clock: Callable[[], float],
        breakers: Breakers,
        budget: Budget | None = None,
        on_alarm: Callable[[str, ErrorKind, str], None] | None = None,
    ) -> None:
        if not providers:
            raise ValueError("a chain needs at least one provider")
        self.providers = tuple(providers)
        self._deadline_s = deadline_s
        self._clock = clock
        self._breakers = breakers
        self._budget = budget
        self._on_alarm = on_alarm

    def resting(self) -> tuple[tuple[str, ErrorKind | None, float], ...]:
        """Return the providers that are left alone right now: the flag, after which kind of error, for how many seconds."""
        breakers = [(provider.flag, self._breakers.of(provider.flag)) for provider in self.providers]
        return tuple((flag, breaker.because, left) for flag, breaker in breakers if (left := breaker.rests_s()) > 0)

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        """Return the first usable answer, with all hops. Raises `NoProvider` and nothing else."""
        hops: list[Hop] = []
        ends = self._clock() + self._deadline_s
        unpaid = False
        for place, provider in enumerate(self.providers):
            skip = self._skip(provider, unpaid=unpaid, left=ends - self._clock())
            if skip is not None:
                hops.append(Hop(provider=provider.flag, outcome="skipped", why=skip))
                unpaid = unpaid or (provider.paid and skip == "payment")
                continue
            started = self._clock()
            limit = self._share(ends - started, place)
            try:
                answer = await self._attempt(provider, message, exchange, question, thread_id=thread_id, limit=limit)
            except ProviderError as error:
                self._failed(provider, error)
                unpaid = unpaid or error.kind == "payment"
                hops.append(self._hop(provider, error, started))
                continue
            self._breakers.of(provider.flag).succeed()
            return self._with_hops(answer, hops, started)
        raise NoProvider(tuple(hops))

    def _skip(self, provider: DecisionProvider, *, unpaid: bool, left: float) -> str | None:
        """Return why a provider is not tried, or None (then its breaker counts the call as begun)."""
        if unpaid and provider.paid:
            return "payment"
        if left <= 0 and provider.remote:
            return "deadline"
        breaker = self._breakers.of(provider.flag)
        if breaker.enter():
            return None
        return "payment" if breaker.because == "payment" else "circuit open"

    def _share(self, left: float, place: int) -> float:
        """Return the seconds that the link at `place` may take: an equal share for each remote link still to come."""
        coming = self.providers[place:]
        if not coming[0].remote:
            return max(left, _LOCAL_GRACE_S)
        remote = sum(link.remote for link in coming)
        reserve = _LOCAL_RESERVE_S if remote < len(coming) else 0.0
        return max(left - reserve, left / 2) / remote

    async def _attempt(
        self, provider: DecisionProvider, message: str, exchange: Exchange, question: Question, *, thread_id: str,
        limit: float,
    ) -> Answer:  # fmt: skip
        """Make one call inside its budget and time limit. Raises `ProviderError`; a cancelled call frees the probe."""
        reservation = await self._reserve(provider, thread_id)
        cost: float | None = None
        try:
            answer = await asyncio.wait_for(ask(provider, message, exchange=exchange, question=question), limit)
            cost = answer.cost_usd
            return answer
        except TimeoutError:
            raise ProviderError("retryable", "timeout", cost_usd=None) from None
        except asyncio.CancelledError:
            self._breakers.of(provider.flag).leave()
            raise
        except ProviderError as error:
            cost = error.cost_usd
            raise
        except Exception as error:  # a door: a provider's bug must not end the turn, and its text may quote the message
            raise ProviderError("ours", f"unexpected {type(error).__name__}", cost_usd=None) from None
        finally:
            await self._settle(reservation, cost)

    async def _reserve(self, provider: DecisionProvider, thread_id: str) -> str | None:
        if self._budget is None or not provider.paid:
            return None
        try:
            reservation = await self._budget.reserve(
                provider.flag, model=provider.model, max_cost_usd=provider.max_cost_usd, thread_id=thread_id
            )
        except Exception as error:  # a door: without the ledger nothing paid is called
            log.error("spend ledger unavailable: %s", type(error).__name__)
            raise ProviderError("payment", "ledger unavailable") from None
        if reservation is None:
            raise ProviderError("payment", "budget exhausted")
        return reservation

    async def _settle(self, reservation: str | None, cost: float | None) -> None:
        if reservation is None or self._budget is None:
            return
        try:
            await asyncio.shield(self._budget.settle(reservation, cost_usd=cost))
        except (
            Exception
        ) as error:  # a door: the answer is worth more than its bookkeeping; reservations expire as spent
            log.error("spend not settled: %s", type(error).__name__)

    def _failed(self, provider: DecisionProvider, error: ProviderError) -> None:
        breaker = self._breakers.of(provider.flag)
        if error.kind == "payment" and error.why in ("budget exhausted", "ledger unavailable"):
            breaker.leave()  # our own limit, often of one conversation: the provider is well
        else:
            breaker.fail(error.kind, error.retry_after_s)
        log.warning("decision provider %s: %s (%s)", provider.flag, error.kind, error.why)
        if self._on_alarm is not None and error.kind in ("ours", "payment"):
            self._on_alarm(provider.flag, error.kind, error.why)

    def _hop(self, provider: DecisionProvider, error: ProviderError, started: float) -> Hop:
        return Hop(
            provider=provider.flag,
            outcome="error",
            why=f"{error.kind}: {error.why}",
            latency_ms=(self._clock() - started) * 1000,
            cost_usd=error.cost_usd or 0.0,
        )

    def _with_hops(self, answer: Answer, hops: list[Hop], started: float) -> Answer:
        took = answer.latency_ms or (self._clock() - started) * 1000
        last = Hop(
            provider=answer.provider,
            outcome="ok" if answer.refused is None else "refused",
            why=answer.refused,
            latency_ms=took,
            cost_usd=answer.cost_usd,
        )
        return answer.model_copy(update={"latency_ms": took, "hops": (*hops, *answer.hops, last)})
