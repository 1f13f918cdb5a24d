"""Contacts that ended, read for their outcomes: conversation by conversation, with placeholders for whatever is personal."""

from collections.abc import AsyncIterator
from datetime import datetime

from ops.metrics import SIMULATED
from ops.privacy_values import known_of
from routing.masking import Known
from routing.ports import Shop
from storage.database import Database
from storage.records import contact_stories, erasing
from storage.records.contact_stories import Ended, EndedCount, Story
from storage.records.holdings import Subject
from storage.rows import Connection

__all__ = ["NOBODYS", "SIMULATED", "EndedCount", "Story", "count_ended", "ended_contacts"]

NOBODYS = (SIMULATED, "evals", "demo")
"""Channels in which no customer wrote: what came of them says nothing about customers."""
_PAGE = 50


async def count_ended(
    database: Database, *, since: datetime, until: datetime, but: tuple[str, ...] = NOBODYS
) -> EndedCount:
    """Count what `ended_contacts` returns, and what it leaves out. Raises `DatabaseUnavailable`."""
    async with database.connection() as conn:
        return await contact_stories.count(conn, since=since, until=until, but=but)


async def ended_contacts(
    database: Database, shop: Shop, *, since: datetime, until: datetime, but: tuple[str, ...] = NOBODYS
) -> AsyncIterator[Story]:
    """Yield each contact that ended from `since` to before `until`, its texts masked.

    What has a form of its own is masked anywhere, a customer's name and address wherever they are known: from the facts, the
    customer's own words and the shop. Raises `DatabaseUnavailable`, and `ShopUnavailable` where the shop cannot say by which
    name a customer is known.
    """
    known: dict[str, Known] = {}
    after = ""
    while True:
        async with database.connection() as conn:
            page = await contact_stories.ended(conn, since=since, until=until, but=but, after=after, limit=_PAGE)
            for contact in page:
                if (whose := _whose(contact)) not in known:
                    known[whose] = await _known(conn, shop, contact)
                yield _masked(await contact_stories.story(conn, contact), known[whose])
        if len(page) < _PAGE:
            return
        after = page[-1].id


def _whose(contact: Ended) -> str:
    return f"customer {contact.customer_id}" if contact.customer_id else f"thread {contact.thread_id}"


async def _known(conn: Connection, shop: Shop, contact: Ended) -> Known:
    """Gather what is known of a customer over all conversations; of a visitor, whom no shop knows, over this one."""
    customer_id = contact.customer_id
    owned = await erasing.threads_of(conn, customer_id) if customer_id else []
    threads = [each.thread_id for each in owned] or [contact.thread_id]
    until = contact.closed_at or contact.opened_at
    return await known_of(conn, shop, Subject(customer_id=customer_id or "", threads=threads, until=until))


def _masked(story: Story, known: Known) -> Story:
    said = tuple(m.model_copy(update={"text": known.replaced(m.text), "parts": ()}) for m in story.messages)
    return story.model_copy(update={"messages": said})
