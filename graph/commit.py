"""The turn's single commit: reply, trail, packages, facts, proposals, queue and checkpoint in one transaction, or nothing."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from psycopg import AsyncConnection

from graph.checkpoint import HeldCheckpoints
from graph.contacts import note_reopening
from graph.events import Event, ToolUsed
from graph.services import Services, TurnContext, TurnResult
from routing.facts import Fact
from routing.masking import masked
from routing.model import Language
from routing.sentences import say
from routing.tokens import approximate_tokens
from storage.protocols import short_code
from storage.records import audit, contacts, conversations, facts, failures, messages, packages, proposals, turns

Json = dict[str, Any]
# Failures that also call a person: waiting longer or sending the message again would not help.
CALLING = ("timeout", "attempts")


async def commit(services: Services, context: TurnContext, result: TurnResult, held: HeldCheckpoints) -> str | None:
    """Write the turn. Returns the reply's message id, None without a reply.

    Raises `StaleFence` when the lease went to another owner and `EpochMoved` when a person wrote meanwhile; in both
    cases nothing of the turn is written.
    """
    now = services.clock.now()
    message_id = services.new_id("m") if result.text else None
    epoch = None if result.status == "held" else context.epoch
    async with services.database.transaction() as conn:
        await turns.end(
            conn, context.turn_id, fence=context.fence, status=result.status, epoch=epoch, reply=result.text or None,
            reply_message_id=message_id, trail=trail_of(result), decision=result.decision, cost_usd=result.cost_usd,
            tokens={k: v for k, v in result.tokens.items() if isinstance(v, int)}, versions=dict(services.versions),
            contact_id=context.contact_id, now=now,
        )  # fmt: skip
        if message_id is not None:
            await messages.add(
                conn, context.thread_id, message_id=message_id, role="agent", author=result.agent, text=result.text,
                turn_id=context.turn_id, now=now,
            )  # fmt: skip
        await _learned(conn, context, result)
        await _passed(conn, services, context, result)
        await _proposed(conn, context, result, now=now)
        await _audited(conn, context, result, now=now)
        await contacts.update(
            conn, context.contact_id, current_agent=result.current, hops=result.hops, subject=result.current
        )
        if result.current is not None and result.handoffs:
            await note_reopening(conn, context.thread_id, context.contact_id, subject=result.current, now=now)
        # Not last: after the saver's pipeline the server's watch over stalled transactions sleeps until the next statement.
        await held.write(conn)
        await conversations.set_language(conn, context.thread_id, language=result.language)
    return message_id


def trail_of(result: TurnResult) -> list[Json]:
    """Return what the trail keeps of a turn: tools, hand-offs without their packages, and what the check found."""
    tools = [
        {"type": "tool", **{k: o[k] for k in ("name", "args", "outcome", "by", "agent", "because")}}
        for o in result.outcomes
    ]
    handed = [{"type": "handoff", **{k: v for k, v in h.items() if k != "package"}} for h in result.handoffs]
    checks = [{"type": "check", **c} for c in result.checks]
    topics = [{"type": "open_topic", **t} for t in result.open_topics]
    models = [{"type": "chat_model", **hop} for hop in result.tokens.get("hops", [])]
    return [*handed, *tools, *checks, *topics, *models]


def trail_of_events(events: Sequence[Event]) -> list[Json]:
    """Return what the trail keeps of a turn that failed: what was done until then."""
    return [
        {"type": "tool", **e.model_dump(include={"name", "args", "outcome", "by", "agent", "because"})}
        for e in events
        if isinstance(e, ToolUsed)
    ]


async def _learned(conn: AsyncConnection[Any], context: TurnContext, result: TurnResult) -> None:
    final = {f.id: f for f in (*result.facts, *result.replaced)}
    await facts.save(conn, context.thread_id, context.customer.id, list(final.values()))
    for old in result.replaced:
        if newer := _successor(old, result.facts):
            await facts.replace(conn, context.thread_id, [old.id], by=newer.id)


def _successor(old: Fact, added: tuple[Fact, ...]) -> Fact | None:
    return next((f for f in reversed(added) if (f.key, f.entity) == (old.key, old.entity) and f.id != old.id), None)


async def _passed(conn: AsyncConnection[Any], services: Services, context: TurnContext, result: TurnResult) -> None:
    for number, handed in enumerate(result.handoffs):
        package = packages.Package(
            id=services.new_id("pk"), thread_id=context.thread_id, turn_id=context.turn_id, contact_id=context.contact_id,
            from_agent=handed["from"], to_agent=handed["to"], reason=handed["reason"], schema_version=handed["package"]["schema_version"],
            body=handed["package"], tokens=handed["package_tokens"] or approximate_tokens(str(handed["package"])), at=context.now + timedelta(microseconds=number),  # of one turn, in their order
            status="taken",
        )  # fmt: skip
        await packages.save(conn, package)


async def _proposed(conn: AsyncConnection[Any], context: TurnContext, result: TurnResult, *, now: Any) -> None:
    for settled in result.settled:
        await proposals.set_status(conn, settled["id"], status=settled["status"], now=now)
    if result.proposal is not None:
        await proposals.put(conn, context.thread_id, result.proposal, turn_id=context.turn_id)


async def _audited(conn: AsyncConnection[Any], context: TurnContext, result: TurnResult, *, now: Any) -> None:
    """Every refusal names its rule; what a refusal hides from the customer (whose order it was) is only here."""
    for outcome in result.outcomes:
        if outcome["outcome"] == "refused":
            await audit.write(
                conn, now=now, actor=outcome["agent"], rule=outcome.get("audit") or outcome["because"] or "refused",
                thread_id=context.thread_id, customer_id=context.customer.id, detail={"tool": outcome["name"], "turn": context.turn_id},
            )  # fmt: skip


async def end_overtaken(services: Services, context: TurnContext, result: TurnResult | None) -> None:
    """A person wrote first: the bot's reply is kept for the operator, and never sent."""
    async with services.database.transaction() as conn:
        await turns.end(
            conn, context.turn_id, fence=context.fence, status="held", discarded_reply=result.text if result else None,
            trail=trail_of(result) if result else [], decision=result.decision if result else None, contact_id=context.contact_id,
            now=services.clock.now(),
        )  # fmt: skip


async def end_interrupted(services: Services, context: TurnContext) -> None:
    """The customer stopped the turn: its messages join the next one."""
    async with services.database.transaction() as conn:
        await turns.end(
            conn,
            context.turn_id,
            fence=context.fence,
            status="interrupted",
            contact_id=context.contact_id,
            now=services.clock.now(),
        )


async def end_failed(
    services: Services, context: TurnContext, *, kind: str, detail: str, told: str, trail: list[Json], language: Language
) -> tuple[str, str, str]:  # fmt: skip
    """Store the failure under a protocol number and what the customer gets; return text, protocol, message id.

    `told` is what can be said of the turn's effects: it is then the reply, and the turn is not run again. Raises as `commit`.
    """
    now = services.clock.now()
    protocol = short_code("ER", uuid4().hex)
    message_id = services.new_id("m")
    text = told or say(f"limits.{kind if kind in CALLING else 'failure'}", language, protocol=protocol)
    async with services.database.transaction() as conn:
        if kind in CALLING and not told:
            await context.desk.enqueue(conn, f"{context.turn_id}:{kind}", reason=kind, note=protocol)
        await failures.write(
            conn, protocol=protocol, kind=kind, detail=masked(detail), thread_id=context.thread_id, turn_id=context.turn_id,
            now=now,
        )  # fmt: skip
        await messages.add(
            conn, context.thread_id, message_id=message_id, role="agent", author=None, text=text, turn_id=context.turn_id, now=now
        )  # fmt: skip
        await turns.end(
            conn, context.turn_id, fence=context.fence, status="replied" if told else "failed", epoch=context.epoch,
            reply=text, trail=trail, reply_message_id=message_id, error_protocol=protocol, contact_id=context.contact_id, now=now,
        )  # fmt: skip
    return text, protocol, message_id
