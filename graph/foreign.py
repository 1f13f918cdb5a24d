"""Somebody reached for what is another's: they are told nothing, and it is noted."""

from graph.services import Services
from routing.shop import Customer
from storage.records import audit


async def note_foreign(services: Services, thread_id: str, customer: Customer) -> None:
    """Leave an audit row about a conversation of somebody else's."""
    async with services.database.connection() as conn:
        await audit.write(
            conn, actor="customer", rule="foreign_conversation", thread_id=thread_id, customer_id=customer.id,
            now=services.clock.now(),
        )  # fmt: skip
