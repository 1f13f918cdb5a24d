"""What surfaces need around the two doors: open a conversation, check whose it is, see what runs, note who read it."""

import logging
import traceback
from uuid import uuid4

from graph.closing import ClosingDown
from graph.door_ids import checked_id
from graph.events import Failed
from graph.foreign import note_foreign
from graph.services import Services
from routing.masking import masked
from routing.ports import ShopUnavailable
from routing.sentences import say
from routing.shop import Customer
from storage.database import DatabaseUnavailable
from storage.protocols import short_code
from storage.records import audit, conversations, failures, queue, turns
from storage.records.conversations import Conversation, NotYours

log = logging.getLogger(__name__)


async def customer_of(services: Services, customer_id: str) -> Customer:
    """Return a customer whose session was proved, as far as the shop knows them. A shop that is down costs the name only."""
    try:
        known = await services.shop.customer(customer_id)
    except ShopUnavailable:
        known = None
    return (known or Customer(id=customer_id)).model_copy(update={"level": "session"})


async def open_conversation(services: Services, customer: Customer, *, channel: str) -> Conversation:
    """Create an empty conversation of a customer, under an id that nobody can guess. Raises `DatabaseUnavailable`."""
    async with services.database.transaction() as conn:
        return await conversations.ensure(
            conn, services.new_id("th"), customer_id=customer.id, visitor=customer.visitor, channel=channel,
            brand=services.shop_name, now=services.clock.now(),
        )  # fmt: skip


async def admit(services: Services, thread_id: str, customer: Customer) -> Conversation:
    """Return the customer's conversation.

    Raises `NotYours`, alike for another customer's (which leaves an audit row) and for one that does not exist.
    """
    async with services.database.connection() as conn:
        found = await conversations.get(conn, thread_id)
    if found is not None and found.belongs_to(customer.id, customer.visitor):
        return found
    if found is not None:
        await note_foreign(services, thread_id, customer)
    raise NotYours(thread_id)


async def may_see(services: Services, thread_id: str, customer: Customer) -> bool:
    """Tell whether a page may show a conversation to this customer; one that does not exist yet has nothing to show.

    Another's leaves an audit row. Raises `BadId`.
    """
    checked_id("thread_id", thread_id)
    async with services.database.connection() as conn:
        found = await conversations.get(conn, thread_id)
    if found is None or found.belongs_to(customer.id, customer.visitor):
        return True
    await note_foreign(services, thread_id, customer)
    return False


async def admit_operator(
    services: Services, thread_id: str, operator: str, *, reads: str | None = None
) -> Conversation:
    """Return a conversation to an operator, and note what was read of it. Raises `NotYours` when there is none."""
    async with services.database.connection() as conn:
        found = await conversations.get(conn, thread_id)
        if found is None:
            raise NotYours(thread_id)
        if reads is not None:
            await audit.write(
                conn, actor=f"operator:{operator}", rule=f"read_{reads}", thread_id=thread_id,
                customer_id=found.customer_id, now=services.clock.now(),
            )  # fmt: skip
    return found


async def turn_of(services: Services, thread_id: str, message_id: str) -> str | None:
    """Return the id of the turn that took a message, None while it waits."""
    async with services.database.connection() as conn:
        turn = await turns.of_message(conn, thread_id, message_id)
    return turn.id if turn else None


async def must_wait(services: Services, thread_id: str, message_id: str) -> bool:
    """Tell whether a message sent now would wait for a turn that runs. One that was answered already would not."""
    async with services.database.connection() as conn:
        if await turns.running(conn, thread_id) is None:
            return False
        answered = await turns.of_message(conn, thread_id, message_id)
    return answered is None or answered.status == "running"


async def has_item(services: Services, thread_id: str, item_id: str) -> bool:
    """Tell whether an item of the queue belongs to a conversation."""
    async with services.database.connection() as conn:
        item = await queue.get(conn, item_id)
    return item is not None and item.thread_id == thread_id


async def note_failure(services: Services, error: Exception) -> str:
    """Store what broke outside a turn, without secrets, under a protocol number, and return the number.

    Without a database the number and the kind of error stay in the log.
    """
    protocol, kind = short_code("ER", uuid4().hex), type(error).__name__
    log.error("failure %s: %s", protocol, kind)
    detail = "".join(traceback.format_exception(error))
    try:
        async with services.database.connection() as conn:
            await failures.write(conn, protocol=protocol, kind=kind, detail=masked(detail), now=services.clock.now())
    except DatabaseUnavailable:
        log.error("failure %s could not be stored: no database", protocol)
    return protocol


async def broken_off(services: Services, error: Exception) -> Failed:
    """Return the event that tells a listener why a turn's events ended early. The turn itself may go on."""
    if isinstance(error, DatabaseUnavailable | ClosingDown):
        code = "database_down" if isinstance(error, DatabaseUnavailable) else "closing"
        return Failed(code=code, text=say("limits.database_down", "pt"))
    protocol = await note_failure(services, error)
    return Failed(code="failure", text=say("limits.failure", "pt", protocol=protocol), protocol=protocol)
