"""What dead processes and silent shops leave open: effects that nobody saw the end of, and money that stayed reserved."""

from datetime import timedelta

from graph.desk import QueueDesk
from graph.services import Services
from graph.settling import settle_left, unknown_key
from storage.records import contacts, conversations, effects, queue, spend, turns
from storage.records.effects import Effect

# A turn settles its own effects, also when it fails: what is older than this was left behind.
_GRACE = timedelta(minutes=2)
_CALL = timedelta(minutes=15)  # no paid call takes longer
_A_ROUND = 20  # a silent shop takes its time-out for each
_TOO_LATE = timedelta(hours=1)  # what a shop has not carried out by then it never will
_IN_DOUBT = timedelta(days=7)  # a shop that was silent for so long is a person's alone
_AUTHOR = "bastao"


async def settle_effects(services: Services) -> int:
    """Ask about every effect that an ended turn left open; return how many of them are known now.

    What the shop has is done. What was never sent, or is not there long after, did not happen. What nobody can say goes to a
    person, and is asked about again for as long as that person has it open, at least for a week.
    """
    async with services.database.connection() as conn:
        now = services.clock.now()
        left = await effects.unsettled(conn, before=now - _GRACE, doubted_since=now - _IN_DOUBT, limit=_A_ROUND)
    return sum([await _settle(services, effect) for effect in left])


async def settle_reservations(services: Services) -> int:
    """Close the reservations of calls whose process died; return how many. They stay counted in full."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        return await spend.settle_lost(conn, before=now - _CALL, now=now)


async def _settle(services: Services, effect: Effect) -> bool:
    too_late = effect.claimed_at < services.clock.now() - _TOO_LATE
    settled, _ = await settle_left(services, effect, await _desk(services, effect), too_late=too_late)
    if settled.state == "done":
        protocol = (settled.receipt or {}).get("protocol", "")
        await _tell_the_person(services, settled, f"A loja confirmou: foi registrado, protocolo {protocol}.")
    elif settled.state == "refused":
        await _tell_the_person(services, settled, "A loja confirmou: não foi registrado. O cliente pode pedir de novo.")
    return settled.state in ("done", "refused")


async def _tell_the_person(services: Services, effect: Effect, text: str) -> None:
    """Whoever has the doubt on the desk reads what the shop said in the end."""
    async with services.database.transaction() as conn:
        if (item := await queue.by_key(conn, unknown_key(effect.id))) is not None:
            await queue.add_note(conn, item.id, author=_AUTHOR, text=text, now=services.clock.now(), once=True)


async def _desk(services: Services, effect: Effect) -> QueueDesk:
    """Return the desk of the turn that left the effect."""
    async with services.database.connection() as conn:
        conversation = await conversations.get(conn, effect.thread_id)
        turn = await turns.get(conn, effect.turn_id)
        contact = await contacts.last_of(conn, effect.thread_id)
    return QueueDesk(
        database=services.database, thread_id=effect.thread_id, turn_id=effect.turn_id,
        contact_id=(turn.contact_id if turn else None) or (contact.id if contact else ""),
        customer_id=conversation.customer_id if conversation else None, hours=services.hours, now=services.clock.now,
        new_id=services.new_id,
    )  # fmt: skip
