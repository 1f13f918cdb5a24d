"""What the conversation learned and the prompt no longer shows, read from the facts table."""

from dataclasses import dataclass

from routing.facts import Fact
from storage.database import Database
from storage.records import facts


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """Implements `routing.ports.Memory` for one conversation."""

    database: Database
    thread_id: str

    async def recall(self, key: str, entity: str | None) -> tuple[Fact, ...]:
        async with self.database.connection() as conn:
            return tuple(await facts.recall(conn, self.thread_id, key=key, entity=entity))
