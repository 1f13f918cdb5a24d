"""One turn in its own task: lease, heartbeat, limits, the graph, the single commit, and exactly one ending."""

import asyncio
import logging
import traceback
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from graph.checkpoint import hold_checkpoints
from graph.commit import commit, end_failed, end_interrupted, end_overtaken, trail_of_events
from graph.context import open_context
from graph.events import Discarded, Done, Event, Failed, Reply, Token
from graph.running_turn import RunningTurn
from graph.services import Outbox, Services, TurnContext, TurnResult
from graph.settling import settle_found, told_of_effects
from graph.state import State
from graph.tracing import OUTPUT, UNTRACED, hashed
from graph.turn_mark import current_turn
from routing.sentences import say
from routing.shop import Customer
from storage.database import DatabaseUnavailable
from storage.records import turns
from storage.records.turns import Begun, EpochMoved, StaleFence

__all__ = ["Graph", "RunningTurn", "TurnRunner", "pieces"]

log = logging.getLogger(__name__)
Graph = CompiledStateGraph[State, TurnContext, State, State]


class TooManyOwnersDied(Exception):
    """Something in this turn kills whoever runs it: it is not run again."""


class LostTurn(Exception):
    """The lease went to somebody else: this run ends without a trace, the new owner answers."""


@dataclass(slots=True, kw_only=True)
class TurnRunner:
    """Runs one begun turn to its one ending."""

    services: Services
    graph: Graph
    begun: Begun
    customer: Customer
    channel: str
    override: str | None
    running: RunningTurn
    started: float = field(default_factory=monotonic)

    async def run(self) -> None:
        """Run the turn. Whatever happens, listeners get one `done`, unless another owner has taken the turn over."""
        turn = self.begun.turn
        current_turn.set(turn.id)
        known_as = hashed(turn.thread_id, secret=self.services.secret)
        words = (m.text for m in self.begun.messages)
        with self.services.tracing.turn(turn, conversation=known_as, words=words):
            try:
                await self._run()
            except (LostTurn, StaleFence):
                self.running.lost = True
            except DatabaseUnavailable:
                self.services.tracing.failed("database_down")
                await self._post(Failed(code="database_down", text=say("limits.database_down", "pt")))
                await self._done("failed", None)
            finally:
                await self.running.close()

    async def _run(self) -> None:
        outbox = Outbox()
        if self.begun.rerun:
            await settle_found(self.services, self.begun.turn.id)
        context = await open_context(
            self.services, self.begun, self.customer, self.channel, outbox, override=self.override
        )
        held = hold_checkpoints()
        result: TurnResult | None = None
        try:
            if self.begun.turn.attempts > self.services.limits.turn_attempts:
                raise TooManyOwnersDied(self.begun.turn.id)
            result = await self._guarded(self._graph(context), context)
            with self.services.tracing.span("commit"):
                message_id = await commit(self.services, context, result, held)
        except EpochMoved:
            await self._overtaken(context, result)
            return
        except asyncio.CancelledError:
            await self._interrupted(context)
            return
        except (LostTurn, StaleFence, DatabaseUnavailable):
            raise
        except Exception as error:  # the door: whatever broke becomes a stored, numbered failure
            await self._failed(context, error)
            return
        await self._told(context, result, message_id)

    async def _graph(self, context: TurnContext) -> TurnResult:
        config: Any = {"configurable": {"thread_id": context.thread_id}, "recursion_limit": 60, "metadata": UNTRACED}
        stream = self.graph.astream({}, config, context=context, stream_mode="custom", durability="exit")
        async for event in stream:
            await self._post(event)  # pyright: ignore[reportArgumentType] - our nodes write nothing but events
        if context.outbox.result is None:
            raise RuntimeError("the graph ended without a result")
        return context.outbox.result

    async def _guarded(self, work: Any, context: TurnContext) -> TurnResult:
        """Run the graph under its time limit, its lease and its stop mark; from the first effect on nothing cancels."""
        task: asyncio.Task[TurnResult] = asyncio.create_task(work)
        beat = asyncio.create_task(self._keep_lease(task, context))
        stop = asyncio.create_task(self.running.stop.wait())
        limit = self.services.limits.turn_timeout_s
        try:
            ends = monotonic() + limit
            done, _ = await asyncio.wait({task, stop}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if stop in done and task not in done and not context.outbox.claimed:
                raise asyncio.CancelledError
            if stop in done and task not in done:
                done, _ = await asyncio.wait({task}, timeout=ends - monotonic())
            if task in done:
                return task.result()
            await _write_settled(task, context.outbox, within_s=self.services.limits.write_grace_s)
            if task.done():
                return task.result()
            raise TimeoutError(f"turn took more than {limit:g} s")
        finally:
            stop.cancel()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            beat.cancel()
            await asyncio.gather(beat, return_exceptions=True)

    async def _keep_lease(self, task: asyncio.Task[TurnResult], context: TurnContext) -> None:
        """Renew the lease; see the stop mark that any process may set; end the work when the lease is gone."""
        limits = self.services.limits
        while not task.done():
            await asyncio.sleep(limits.heartbeat_s)
            try:
                async with self.services.database.connection() as conn:
                    beat = await turns.heartbeat(conn, context.turn_id, fence=context.fence, lease_s=limits.lease_s)
            except DatabaseUnavailable:
                continue
            if not beat.ok:
                self.running.lost = True
                task.cancel()
                return
            if beat.stop_requested:
                self.running.stop.set()

    async def _told(self, context: TurnContext, result: TurnResult, message_id: str | None) -> None:
        """Show what was committed: nothing of it was visible before."""
        self.services.tracing.said(OUTPUT, "assistant", (result.text,))
        if message_id is not None:
            for piece in pieces(result.text):
                await self._post(Token(text=piece))
            await self._post(
                Reply(
                    text=result.text,
                    agent=result.agent,
                    label=self._label(result),
                    message_id=message_id,
                    turn_id=context.turn_id,
                )
            )
        await self._done(result.status, result)

    async def _overtaken(self, context: TurnContext, result: TurnResult | None) -> None:
        await end_overtaken(self.services, context, result)
        await self._post(Discarded(why="a person wrote first"))
        await self._done("held", result)

    async def _interrupted(self, context: TurnContext) -> None:
        if self.running.lost:
            raise LostTurn
        await end_interrupted(self.services, context)
        await self._done("interrupted", None)

    async def _failed(self, context: TurnContext, error: Exception) -> None:
        """Apologise with a number; after an effect the receipt speaks instead, and what nobody knows is said too."""
        language = "en" if context.language == "en" else "pt"
        # Only what kind: its text may quote the customer, and is kept behind the protocol number.
        log.error("turn %s failed: %s", context.turn_id, type(error).__name__)
        kind = _kind(error)
        self.services.tracing.failed(kind)
        told = await told_of_effects(context, language)
        try:
            text, protocol, message_id = await end_failed(
                self.services, context, kind=kind, detail="".join(traceback.format_exception(error)), told=told,
                trail=trail_of_events(self.running.events), language=language,
            )  # fmt: skip
        except EpochMoved:
            await self._overtaken(context, None)
            return
        if not told:
            await self._post(Failed(code="timeout" if kind == "timeout" else "failure", text=text, protocol=protocol))
        await self._post(Reply(text=text, agent=None, message_id=message_id, turn_id=context.turn_id))
        await self._done("replied" if told else "failed", None)

    async def _done(self, status: Any, result: TurnResult | None) -> None:
        turn = self.begun.turn
        models = self.services.models
        took, cost = monotonic() - self.started, _cost(result)
        self.services.tracing.ended(status, seconds=took, cost_usd=cost)
        await self._post(
            Done(
                turn_id=turn.id,
                turn=turn.number,
                status=status,
                latency_ms=took * 1000,
                cost_usd=cost,
                model=models.label,
                simulated=models.simulated,
            )
        )

    async def _post(self, event: Event) -> None:
        await self.running.post(event)

    def _label(self, result: TurnResult) -> str | None:
        roster = self.services.roster
        if result.agent not in roster.ids or result.agent is None:
            return None
        spec = roster.by_id(result.agent)
        return spec.display_name_en if result.language == "en" else spec.display_name


async def _write_settled(task: "asyncio.Task[TurnResult]", outbox: Outbox, *, within_s: float) -> None:
    """A write that is on its way to the shop is not cut off: the limit ends the model's work, not the effect's."""
    ends = monotonic() + within_s
    while outbox.writing and not task.done() and monotonic() < ends:
        await asyncio.wait({task}, timeout=0.1)


def _kind(error: Exception) -> str:
    if isinstance(error, TooManyOwnersDied):
        return "attempts"
    return "timeout" if isinstance(error, TimeoutError) else type(error).__name__


def _cost(result: TurnResult | None) -> float:
    return result.cost_usd if result else 0.0


def pieces(text: str) -> list[str]:
    """Cut a text into words with their spaces: joined, they are the text."""
    cut: list[str] = []
    start = 0
    for index, char in enumerate(text):
        if char.isspace() and index > start and not text[index - 1].isspace():
            cut.append(text[start:index])
            start = index
    cut.append(text[start:])
    return [piece for piece in cut if piece]
