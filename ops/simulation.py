"""Fill a database with a simulated month, conversation by conversation, and never beside real customers unasked."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.roster import Roster
from graph.contacts import close_idle
from ops.metrics import SIMULATED
from ops.simulated_contact import SimulatedContact
from ops.simulated_month import Month, Thread, World, plan_month
from ops.simulated_writing import ContactWriter
from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, Thresholds
from routing.providers.local_examples import load_examples
from routing.reasons import ReasonTable
from storage.database import Database
from storage.records import conversations, metrics

__all__ = ["SIMULATED", "Month", "RealCustomersHere", "Thread", "World", "simulate", "world_of"]

_LONGEST = 160


class RealCustomersHere(Exception):
    """The database holds conversations that are not simulated."""


def world_of(
    roster: Roster, reasons: ReasonTable, *, gate: Callable[[str], Thresholds], zone: ZoneInfo, brand: str
) -> World:
    """Return the world of a configured shop: its specialists, and as customers' words the examples beside them."""
    folders = list(dict.fromkeys(path.parent for path in roster.files.values()))
    examples = [e for e in load_examples(folders[0], folders[1:]) if not e.in_context and len(e.text) <= _LONGEST]
    taken: dict[str, list[str]] = {spec.id: [] for spec in roster.specs}
    for reason, entry in reasons.entries.items():
        taken[entry.agent].append(reason)
    wanted = (*roster.ids, OUT_OF_SCOPE, NEEDS_QUESTION)
    return World(
        specialists=roster.ids, reasons=taken, topics={spec.id: spec.topic or spec.display_name for spec in roster.specs},
        utterances={option: [e.text for e in examples if e.label == option] or ["oi"] for option in wanted},
        gate=gate, zone=zone, brand=brand,
    )  # fmt: skip


async def simulate(
    database: Database, world: World, month: Month, *, mix: bool = False
) -> AsyncIterator[tuple[Thread, int]]:
    """Write a month; yield each conversation with how many contacts were added: 0 where it was there.

    Each is one transaction: a run that was cut off goes on where it stopped. Raises `RealCustomersHere` unless `mix`, and
    `DatabaseUnavailable`.
    """
    if not mix:
        async with database.connection() as conn:
            if await metrics.any_real(conn, simulated=SIMULATED):
                raise RealCustomersHere
    until = datetime.combine(month.last + timedelta(days=1), time.min, tzinfo=world.zone)
    for thread in plan_month(world, month):
        yield thread, await _write(database, world, thread, thread_id=f"{month.id}-{thread.number}", until=until)


async def _write(database: Database, world: World, thread: Thread, *, thread_id: str, until: datetime) -> int:
    async with database.transaction() as conn:
        if await conversations.get(conn, thread_id) is not None:
            return 0
        opened = thread.contacts[0].opened_at
        await conversations.ensure(
            conn, thread_id, customer_id=thread.customer_id, channel=SIMULATED, brand=world.brand, now=opened
        )
        await conversations.set_language(conn, thread_id, language="pt")
        await conversations.set_title(conn, thread_id, title=thread.contacts[0].steps[0].text[:60])
        for number, plan in enumerate(thread.contacts):
            await close_idle(conn, now=plan.opened_at, thread_id=thread_id)
            out = ContactWriter(
                conn=conn, world=world, thread_id=thread_id, customer_id=thread.customer_id, number=number, at=plan.opened_at
            )  # fmt: skip
            await SimulatedContact(out=out, plan=plan).play(until=until)
    return len(thread.contacts)
