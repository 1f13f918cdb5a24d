"""A conversation in which everybody wrote what is hostile: customer, bot, operator, title, queue."""

from datetime import UTC, datetime

from storage.database import Database
from storage.records import conversations, messages, queue
from storage.records.messages import Role
from tests.hostile.cases import cases

ACTIVE = [case.injected for case in cases() if case.kind in ("markup", "remote_media", "hidden_chars")]
ROLES: tuple[Role, ...] = ("customer", "agent", "operator")


async def write_hostile(database: Database, thread_id: str, *, customer_id: str) -> None:
    """Store it as it would lie there had nothing been cleaned on the way."""
    now = datetime.now(UTC)
    async with database.transaction() as conn:
        await conversations.ensure(
            conn, thread_id, customer_id=customer_id, channel="web", brand="Loja Aurora", now=now
        )
        await conversations.set_title(conn, thread_id, title=ACTIVE[0])
        for number, text in enumerate(ACTIVE * len(ROLES)):
            role = ROLES[number % len(ROLES)]
            author = {"customer": customer_id, "agent": "support", "operator": ACTIVE[1]}[role]
            await messages.add(conn, thread_id, message_id=f"h-{number}", role=role, author=author, text=text, now=now)
        item = await queue.enqueue(
            conn, key="hostile", item_id="q-hostile", thread_id=thread_id, kind="conversation", reason="asked_for_human",
            about=ACTIVE[0], contact_id=None, turn_id=None, priority=1, package=None, due=None, now=now,
        )  # fmt: skip
        for number, text in enumerate(ACTIVE):
            await queue.add_note(conn, item.id, author=ACTIVE[number % 3], text=text, now=now)
