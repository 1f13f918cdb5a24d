"""What a turn is given: the stores' view of the conversation at its beginning, in one connection."""

from graph.contacts import close_idle
from graph.desk import QueueDesk
from graph.ledger import EffectsLedger
from graph.memory import StoredMemory
from graph.services import Outbox, Services, TurnContext
from routing.facts import ExecutedAction
from routing.shop import Customer
from routing.showable import person_name
from storage.records import commitments, contacts, conversations, effects, facts, proposals, queue
from storage.records.turns import Begun

_ACTIONS = 12


async def open_context(
    services: Services, begun: Begun, customer: Customer, channel: str, outbox: Outbox, *, override: str | None
) -> TurnContext:
    """Read what the turn needs to know and open its contact."""
    turn = begun.turn
    customer = customer.model_copy(update={"name": person_name(customer.name)})
    now = services.clock.now()
    async with services.database.connection() as conn:
        conversation = await conversations.get(conn, turn.thread_id)
        assert conversation is not None
        await close_idle(conn, now=now, thread_id=turn.thread_id, turn_id=turn.id)
        contact = await contacts.open_(conn, turn.thread_id, contact_id=services.new_id("ct"), now=now)
        promises = await commitments.open_of(conn, turn.thread_id, customer.id)
        done = [e for e in await effects.of_thread(conn, turn.thread_id) if e.state in ("done", "unknown")]
        index = await facts.index(conn, turn.thread_id)
        items = [i for i in await queue.open_of_thread(conn, turn.thread_id) if i.kind == "conversation"]
        offered = await proposals.of_thread(conn, turn.thread_id)
    return TurnContext(
        services=services, thread_id=turn.thread_id, turn_id=turn.id, number=turn.number, contact_id=contact.id,
        contact_protocol=contact.protocol, channel=channel, customer=customer, now=now, fence=turn.fence, epoch=turn.epoch,
        held=conversation.held_by is not None, language=conversation.language or "pt",
        ledger=EffectsLedger(
            database=services.database, secret=services.secret, thread_id=turn.thread_id, turn_id=turn.id, customer_id=customer.id,
            fence=turn.fence, epoch=turn.epoch, now=services.clock.now, new_id=services.new_id, outbox=outbox,
            rerun=begun.rerun,
        ),
        memory=StoredMemory(services.database, turn.thread_id),
        desk=QueueDesk(
            database=services.database, thread_id=turn.thread_id, turn_id=turn.id, contact_id=contact.id, customer_id=customer.id,
            hours=services.hours, now=services.clock.now, new_id=services.new_id, fence=turn.fence,
        ),
        outbox=outbox, commitments=tuple(promises), actions=tuple(_action(e) for e in done[-_ACTIONS:]), index=index,
        queue_protocol=items[0].protocol if items else None, queue_status=_queue_status(items), queue_reason=items[0].reason if items else None,
        queue_item=items[0].id if items else None, queue_about=items[0].about if items else None,
        queue_agent=(items[0].package or {}).get("from_agent") if items else None,
        rejected=frozenset(s.proposal.digest for s in offered if s.status == "rejected"), override=override, action=turn.action,
    )  # fmt: skip


def _queue_status(items: list[queue.QueueItem]) -> str | None:
    if not items:
        return None
    return "held" if any(i.status == "claimed" for i in items) else "waiting"


def _action(effect: effects.Effect) -> ExecutedAction:
    return ExecutedAction(
        name=effect.tool, effect_id=effect.id, status="done" if effect.state == "done" else "unknown",
        at=effect.settled_at or effect.claimed_at, receipt=(effect.receipt or {}).get("protocol"),
    )  # fmt: skip
