"""The views are a contract: their columns are kept in a snapshot, explained in the database and listed in docs/metrics.md.

BASTAO_WRITE_SNAPSHOTS=1 writes the snapshot anew.
"""

import os
import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, LiteralString

import pytest

from graph.contacts import note_reopening
from storage.database import Database
from storage.records import contacts, conversations, messages, metrics, packages, queue, spend, turns
from storage.rows import Connection
from tests.storage.values import NOW, PROJECT, THREAD, begun, conversation, say

SNAPSHOT = Path(__file__).parent / "snapshots" / "views.txt"
SPAN: dict[str, Any] = {"since": NOW - timedelta(days=1), "until": NOW + timedelta(days=1)}
COLUMNS: LiteralString = (
    "select c.relname as view, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,"
    " col_description(c.oid, a.attnum) as words, obj_description(c.oid) as about from pg_class c"
    " join pg_attribute a on a.attrelid = c.oid where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace"
    " and a.attnum > 0 order by c.relname, a.attnum"
)


async def rows(conn: Connection, query: LiteralString) -> list[dict[str, Any]]:
    return [dict(row) for row in await (await conn.execute(query)).fetchall()]


async def test_views_and_columns_are_those_of_the_snapshot(db: Database) -> None:
    async with db.connection() as conn:
        found = await rows(conn, COLUMNS)
    lines = [f"{row['view']}.{row['name']} {row['type']}" for row in found]
    assert all(line.startswith("bi_") for line in lines)
    if os.environ.get("BASTAO_WRITE_SNAPSHOTS"):
        SNAPSHOT.parent.mkdir(exist_ok=True)
        SNAPSHOT.write_text("\n".join(lines) + "\n", "utf-8")
    assert lines == SNAPSHOT.read_text("utf-8").splitlines()


async def test_every_column_is_explained_in_the_database_and_in_the_docs(db: Database) -> None:
    async with db.connection() as conn:
        found = await rows(conn, COLUMNS)
    text = (PROJECT / "docs" / "metrics.md").read_text("utf-8")
    listed = {
        (section.splitlines()[0].strip("` "), name, words)
        for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]
        for name, words in re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", section, re.MULTILINE)
    }
    assert listed == {(row["view"], row["name"], row["words"]) for row in found}
    assert all(row["about"] and row["about"] in text for row in found)


async def opened(conn: Connection, number: int = 1) -> contacts.Contact:
    return await contacts.open_(conn, THREAD, contact_id=f"k-{number}", now=NOW)


async def turn(
    conn: Connection, number: int, passed: list[tuple[str | None, str, int]], *, contact: str = "k-1", **ended: Any
) -> None:
    """A turn with its packages: (from, to, hop_count)."""
    await say(conn, f"{contact} mensagem {number}")
    own = await begun(conn, f"turn-{number}")
    for order, (came, to, hops) in enumerate(passed):
        await packages.save(
            conn,
            packages.Package(
                id=f"p-{number}-{order}", thread_id=THREAD, turn_id=own.turn.id, contact_id=contact, from_agent=came, to_agent=to,
                reason="confident", schema_version=1, body={"hop_count": hops}, tokens=10, at=NOW + timedelta(seconds=number, microseconds=order),
            ),
        )  # fmt: skip
    given: dict[str, Any] = {"status": "replied", "decision": {"target": passed[0][1] if passed else "billing", "reason": "confident"}}  # fmt: skip
    await turns.end(
        conn, own.turn.id, fence=own.turn.fence, contact_id=contact, now=NOW + timedelta(seconds=2), **given | ended
    )


async def contact_row(conn: Connection, contact_id: str = "k-1") -> dict[str, Any]:
    found = await rows(conn, "select * from bi_contacts order by opened_at, contact_id")
    return next(row for row in found if row["contact_id"] == contact_id)


PATHS = {
    "stays": ([[(None, "a", 0)], []], {"transfers": 0, "hops": 0, "at_once": False, "later": None}),
    "declined at once": ([[(None, "a", 0), ("a", "b", 1)]], {"transfers": 1, "hops": 1, "at_once": True, "later": 0}),
    "declined in its second turn": ([[(None, "a", 0)], [("a", "b", 1)]], {"transfers": 1, "hops": 1, "at_once": False, "later": 1}),
    "another subject": ([[(None, "a", 0)], [("a", "b", 0)]], {"transfers": 1, "hops": 0, "at_once": False, "later": 1}),
    "a second subject in the first turn": ([[(None, "a", 0), ("a", "b", 0)]], {"transfers": 1, "hops": 0, "at_once": False, "later": 0}),
    "to a person": ([[(None, "a", 0), ("a", "person", 1)]], {"transfers": 0, "hops": 0, "at_once": False, "later": None}),
    "the second one declines": ([[(None, "a", 0), ("a", "b", 1), ("b", "c", 2)]], {"transfers": 2, "hops": 2, "at_once": True, "later": 0}),
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_transfers_hops_and_what_is_at_once(db: Database, path: str) -> None:
    played, wanted = PATHS[path]
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        for number, passed in enumerate(played, start=1):
            await turn(conn, number, passed)
        row = await contact_row(conn)
    assert row["first_destination"] == "a"
    assert row["turns"] == len(played)
    assert {
        "transfers": row["transfers"], "hops": row["hops"], "at_once": row["transferred_at_once"], "later": row["turns_to_transfer"],
    } == wanted  # fmt: skip


async def test_a_package_that_did_not_arrive_is_no_transfer(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        await turn(conn, 1, [(None, "a", 0), ("a", "b", 1)])
        await packages.set_status(conn, "p-1-1", status="failed")
        row = await contact_row(conn)
    assert (row["transfers"], row["transferred_at_once"]) == (0, False)


async def test_who_of_the_people_was_involved(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        assert (await contact_row(conn))["person"] == "none"
        item = await queue.enqueue(
            conn, key="k", item_id="q-1", thread_id=THREAD, kind="conversation", reason="asked_for_human", contact_id="k-1", now=NOW
        )  # fmt: skip
        assert (await contact_row(conn))["person"] == "called"
        await queue.claim(conn, item.id, operator="Marta", now=NOW + timedelta(minutes=4))
        assert (await contact_row(conn))["person"] == "acted"
        await queue.release(conn, item.id)
        await messages.add(conn, THREAD, message_id="o-1", role="operator", author="Marta", text="oi", now=NOW)
        row = await contact_row(conn)
        waited = await rows(conn, "select wait_s, status from bi_queue")
    assert (row["person"], row["messages"]) == ("acted", 1)
    assert waited == [{"wait_s": None, "status": "waiting"}]


async def test_one_that_was_reopened_is_not_resolved(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        await contacts.update(conn, "k-1", current_agent="a", hops=0, subject="a")
        await contacts.close(conn, "k-1", status="resolved", outcome={"by": "clock", "because": "answered"}, now=NOW)
        assert (await contact_row(conn))["resolved"]
        await contacts.open_(conn, THREAD, contact_id="k-2", now=NOW + timedelta(hours=3))
        assert await note_reopening(conn, THREAD, "k-2", subject="a", now=NOW + timedelta(hours=3))
        row = await contact_row(conn)
        assert (row["outcome"], row["reopened"], row["resolved"]) == ("resolved", True, False)
        figures = (await metrics.report(conn, **SPAN, zone="UTC", simulated="simulated")).figures
    assert (figures.contacts, figures.ended, figures.resolved, figures.reopened) == (2, 1, 0, 1)


async def test_the_cost_is_the_ledgers(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        await turn(conn, 1, [(None, "a", 0)])
        for number in (1, 2, 3):
            await spend.reserve(
                conn, spend_id=f"s-{number}", at=NOW, day=NOW.date(), provider="jev", amount_usd=Decimal("0.10"), limits=spend.Limits(),
                thread_id=THREAD, customer_id="c1", turn_id="turn-1",
            )  # fmt: skip
        await spend.settle(conn, "s-1", cost_usd=Decimal("0.03"), now=NOW)
        await spend.release(conn, "s-2", now=NOW)
        row = await contact_row(conn)
        (day,) = await rows(conn, "select * from bi_spend_days")
    assert row["cost_usd"] == Decimal("0.13")
    assert (day["counted_usd"], day["ledger_usd"], day["open_usd"], day["calls"]) == (
        Decimal("0.13"),
        Decimal("0.13"),
        Decimal("0.10"),
        2,
    )


async def test_a_day_keeps_its_sum_when_its_counter_is_gone(db: Database) -> None:
    async with db.connection() as conn:
        await spend.reserve(
            conn, spend_id="s-1", at=NOW, day=NOW.date(), provider="jev", amount_usd=Decimal("0.10"), limits=spend.Limits()
        )  # fmt: skip
        await conn.execute("delete from spend_totals")
        (day,) = await rows(conn, "select * from bi_spend_days")
    assert (day["day"], day["counted_usd"], day["calls"]) == (NOW.date(), Decimal("0.10"), 1)


async def test_a_decision_and_what_became_of_it(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        hops = [{"provider": "msd1", "outcome": "error"}, {"provider": "jev", "outcome": "ok"}]
        asked = {
            "target": "clarification",
            "reason": "low_confidence",
            "provider": "jev",
            "confidence": 0.4,
            "hops": hops,
        }
        await turn(conn, 1, [], decision=asked)
        await turn(
            conn, 2, [(None, "a", 0), ("a", "b", 1)], decision={"target": "a", "reason": "chose_option", "hops": None}
        )
        await turn(conn, 3, [("b", "person", 1)], decision={"target": "b", "reason": "confident"})
        await turn(conn, 4, [], decision={"target": "person", "reason": "held_by_human"}, status="held")
        await turn(conn, 5, [], decision={"target": "b", "reason": "confident"}, status="failed")
        found = await rows(conn, "select outcome, provider, providers_failed from bi_decisions order by turn_number")
        (asked_row,) = await rows(conn, "select followed_by, next_target, contact_outcome from bi_clarifications")
    assert [row["outcome"] for row in found] == ["clarified", "passed_on", "person", "person", "failed"]
    assert (found[0]["provider"], found[0]["providers_failed"]) == ("jev", 1)
    assert asked_row == {"followed_by": "chose_option", "next_target": "a", "contact_outcome": "open"}


async def test_erased_contacts_are_marked_and_left_out(db: Database) -> None:
    async with db.connection() as conn:
        await conversations.ensure(conn, "erased-1", customer_id="erased-2", channel="web", brand="demo", now=NOW)
        await contacts.open_(conn, "erased-1", contact_id="k-9", now=NOW)
        await contacts.close(conn, "k-9", status="resolved", outcome={"by": "privacy", "because": "erased"}, now=NOW)
        row = await contact_row(conn, "k-9")
        figures = (await metrics.report(conn, **SPAN, zone="UTC", simulated="simulated")).figures
    assert (row["erased"], row["resolved"]) == (True, False)
    assert (figures.contacts, figures.erased) == (0, 1)


async def test_nobodys_words_are_in_a_view(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await opened(conn)
        await turn(conn, 1, [(None, "a", 0)], reply="segredo da resposta")
        await queue.enqueue(
            conn, key="k", item_id="q-1", thread_id=THREAD, kind="review", reason="review", about="segredo da revisão", contact_id="k-1", now=NOW
        )  # fmt: skip
        said: list[str] = []
        for view in (
            "bi_contacts",
            "bi_turns",
            "bi_decisions",
            "bi_transfers",
            "bi_clarifications",
            "bi_queue",
            "bi_spend",
        ):
            said += [str(row) for row in await rows(conn, f"select * from {view}")]
    assert not any("segredo" in row or "mensagem" in row or "c1" in row for row in said)
