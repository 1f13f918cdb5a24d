"""What operators read: the queue in its order, an item laid out, the warning about circling, and the trace of who looked."""

from datetime import UTC, datetime, timedelta
from typing import Any

from ops.people import hop_limit_warning, item_view, queue_view, signature
from storage.database import Database
from storage.records import audit, commitments, facts, packages, queue
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation

LATER = NOW + timedelta(minutes=7)


async def put(conn: Connection, item_id: str, **changes: Any) -> queue.QueueItem:
    values: dict[str, Any] = {
        "key": item_id,
        "thread_id": THREAD,
        "kind": "conversation",
        "reason": "asked_for_human",
        "now": NOW,
    }
    return await queue.enqueue(conn, item_id=item_id, **(values | changes))  # fmt: skip


async def test_the_most_urgent_is_first_claimed_or_not_and_then_the_oldest(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await put(conn, "calm", priority=50, now=NOW + timedelta(minutes=1))
        await put(conn, "older", priority=50)
        await put(conn, "due", priority=130, kind="follow_up", due=NOW)
        await put(conn, "mine", priority=90)
        await put(conn, "over", priority=140)
        await queue.claim(conn, "mine", operator="bia", now=NOW)
        await queue.resolve(conn, "over", operator="bia", now=NOW)
    view = await queue_view(db, operator="bia", now=LATER)
    assert [e.id for e in view.entries] == ["due", "mine", "older", "calm"]
    assert [e.waited_s for e in view.entries] == [420, 420, 420, 360]
    assert [e.overdue for e in view.entries] == [True, False, False, False]
    assert view.hop_limits is None


async def test_many_items_from_circles_are_a_warning_with_their_commonest_path(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        for number in range(4):
            await put(conn, f"hop-{number}", reason="hop_limit", package={"visited": ["support", "billing"]})
        assert await hop_limit_warning(conn, now=LATER) is None
        await put(conn, "loop", reason="loop_without_progress", package={"visited": ["returns", "support"]})
        found = await hop_limit_warning(conn, now=LATER)
        assert found is not None
        assert (found.count, found.total, found.hours) == (5, 5, 24)
        assert found.paths[0] == (("support", "billing"), 4)
        for number in range(21):
            await put(conn, f"asked-{number}")
        assert await hop_limit_warning(conn, now=LATER) is None
        assert await hop_limit_warning(conn, now=LATER + timedelta(days=2)) is None


async def test_an_item_without_a_package_is_laid_out_from_the_stores(db: Database) -> None:
    from routing.facts import Commitment, Fact

    fact = Fact(
        id="f-1", key="order", entity="order:10405", value="10405", source="customer", status="reported", at=NOW, turn=1
    )
    promise = Commitment(id="c-1", text="Te retorno até sexta", by="bia", at=NOW, due=LATER, origin="person")
    async with db.connection() as conn:
        await conversation(conn)
        await facts.save(conn, THREAD, "c1", [fact])
        await commitments.save(conn, THREAD, "c1", [promise])
        await put(conn, "due", kind="follow_up", package={"commitment": "c-1", "thread": THREAD})
        await packages.save(
            conn,
            packages.Package(
                id="p-1", thread_id=THREAD, turn_id="t-1", from_agent=None, to_agent="support", reason="x", schema_version=0,
                body={"schema_version": 0}, tokens=1, at=NOW,
            ),
        )  # fmt: skip
    view = await item_view(db, "due", operator="bia", now=LATER)
    assert view is not None
    assert (view.facts, view.promises, view.suspicions, view.actions) == ((fact,), (promise,), (), ())
    assert view.customer_id == "c1"


async def test_who_looks_leaves_a_trace_and_nothing_is_made_up(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await put(conn, "q-1")
    await queue_view(db, operator="bia", now=NOW)
    await item_view(db, "q-1", operator="bia", now=NOW)
    assert await item_view(db, "nobody", operator="bia", now=NOW) is None
    async with db.connection() as conn:
        noted = [(e.actor, e.rule) for e in await audit.of_thread(conn, THREAD)]
        of_customer = [e.rule for e in await audit.of_customer(conn, "c1")]
        before = await signature(db)
        await queue.add_note(conn, "q-1", author="bia", text="oi", now=datetime.now(UTC))
    assert noted == [("operator:bia", "read_item")]
    assert of_customer == ["read_item"]
    assert await signature(db) != before
