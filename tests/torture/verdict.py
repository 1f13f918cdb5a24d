"""What must hold after everything: every word kept once and in order, one ending a turn, every act once, nothing left open."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from routing.package import HandoffPackage
from storage.database import Database
from storage.records import effects, messages, packages, queue, turns
from tests.torture.customers import Book

_TOOLS = {"duplicate_charge": "open_billing_ticket", "cancellation": "cancel_order"}


async def judge(
    database: Database, book: Book, shop: Mapping[tuple[str, str], list[str]]
) -> tuple[list[str], Counter[str]]:
    """Return what is wrong, and the figures. `shop` is what the order system really holds: (kind, order) → protocols."""
    wrong: list[str] = []
    figures: Counter[str] = Counter()
    threads: defaultdict[str, list[str]] = defaultdict(list)
    for message_id, note in book.notes.items():
        threads[note.thread_id].append(message_id)
    async with database.connection() as conn:
        for thread_id, sent in threads.items():
            stored = await messages.history(conn, thread_id, limit=10_000)
            rows = await turns.trail(conn, thread_id, limit=10_000)
            failed = await _failures(conn, thread_id)
            wrong += _kept(thread_id, sent, stored, book)
            wrong += _endings(thread_id, rows, stored, failed)
            wrong += await _readable(conn, thread_id)
            figures.update(f"turns {turn.status}" for turn in rows)
            figures["turns taken over"] += sum(turn.attempts > 1 for turn in rows)
            figures["messages"] += len(stored)
        wrong += await _left_open(conn, figures)
        done = await _acts(conn, figures)
    wrong += _once(book, done, shop)
    figures["acts asked for"], figures["acts told as done"] = len(book.asked), len(book.told)
    return wrong, figures


def _kept(thread_id: str, sent: list[str], stored: list[Any], book: Book) -> list[str]:
    """Every accepted message is stored once, with its words, and after whatever was accepted before it was sent."""
    own = [m for m in stored if m.role == "customer"]
    found = {m.message_id: m for m in own}
    wrong = [f"{thread_id}: stored twice" for _ in range(len(own) - len(found))]
    wrong += [f"{thread_id}: {m} was never sent" for m in found if m not in sent]
    wrong += [f"{thread_id}: seq has gaps" for _ in (1,) if [m.seq for m in stored] != list(range(1, len(stored) + 1))]
    for message_id in sent:
        note = book.notes[message_id]
        if note.accepted is None and message_id not in found:
            continue
        if message_id not in found:
            wrong.append(f"{thread_id}: {message_id} was accepted and is gone")
        elif found[message_id].text != note.text:
            wrong.append(f"{thread_id}: {message_id} says something else")
    for later in own:
        for earlier in own:
            first, second = book.notes[earlier.message_id], book.notes[later.message_id]
            if first.accepted is not None and first.accepted < second.sent and earlier.seq > later.seq:
                wrong.append(f"{thread_id}: {earlier.message_id} came before {later.message_id} and is stored after it")
    return wrong


def _endings(thread_id: str, rows: list[Any], stored: list[Any], failed: Counter[str]) -> list[str]:
    """A turn has one ending and one reply; an apology for each time it failed."""
    wrong = [f"{thread_id}: turn {t.number} still runs" for t in rows if t.status == "running"]
    if [t.number for t in rows] != list(range(1, len(rows) + 1)):
        wrong.append(f"{thread_id}: turn numbers {[t.number for t in rows]}")
    spoken = Counter(m.turn_id for m in stored if m.role == "agent")
    for turn in rows:
        due = failed[turn.id] + int(turn.status == "replied" and turn.error_protocol is None)
        if spoken[turn.id] != due:
            wrong.append(f"{thread_id}: turn {turn.number} ({turn.status}) has {spoken[turn.id]} replies, not {due}")
    ended = {t.id: t.status for t in rows}
    for message in stored:
        if message.role == "customer" and ended.get(message.turn_id or "") not in ("replied", "held", "nothing_due"):
            wrong.append(f"{thread_id}: {message.message_id} has no answer ({ended.get(message.turn_id or '')})")
    return wrong


async def _readable(conn: Any, thread_id: str) -> list[str]:
    """What people and specialists read back must be readable."""
    wrong: list[str] = []
    await queue.of_thread(conn, thread_id)
    for package in await packages.of_thread(conn, thread_id):
        try:
            HandoffPackage.model_validate(package.body)
        except ValidationError as error:
            wrong.append(f"{thread_id}: package {package.id}: {error}")
    return wrong


async def _left_open(conn: Any, figures: Counter[str]) -> list[str]:
    """Nothing is held by anybody any more: no turn, no reservation, no effect between claim and end."""
    wrong: list[str] = []
    for what, query in (
        ("turns that run", "select count(*) as n from turns where status = 'running'"),
        ("reservations", "select count(*) as n from spend where status = 'reserved'"),
        ("effects without an end", "select count(*) as n from effects where state in ('claimed', 'sent', 'unknown')"),
        ("messages that wait", "select count(*) as n from messages where role = 'customer' and turn_id is null"),
    ):
        row = await (await conn.execute(query)).fetchone()
        if row["n"]:
            wrong.append(f"{row['n']} {what}")
    cursor = await conn.execute(
        "select e.tool, e.state, e.attempts, e.claimed_at, e.settled_at, e.args ->> 'order' as about, t.status as turn,"
        " q.status as person from effects e left join turns t on t.id = e.turn_id"
        " left join human_queue q on q.key = 'unknown:' || e.id where e.state in ('claimed', 'sent', 'unknown')"
    )
    wrong += [f"open: {dict(row)}" for row in await cursor.fetchall()]
    row = await (await conn.execute("select count(*) as n from spend")).fetchone()
    figures["paid calls"] = row["n"]
    row = await (await conn.execute("select count(*) as n from human_queue where reason = 'effect_unknown'")).fetchone()
    figures["doubts before a person"] = row["n"]
    return wrong


async def _acts(conn: Any, figures: Counter[str]) -> dict[tuple[str, str], list[str]]:
    """Return the ledger's done effects: (tool, order) → protocols."""
    done: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    cursor = await conn.execute("select id from effects")
    for row in await cursor.fetchall():
        effect = await effects.get(conn, row["id"])
        assert effect is not None
        figures[f"effects {effect.state}"] += 1
        if effect.state == "done":
            done[effect.tool, str(effect.args["order"])].append(str((effect.receipt or {}).get("protocol")))
    return done


def _once(
    book: Book, done: Mapping[tuple[str, str], list[str]], shop: Mapping[tuple[str, str], list[str]]
) -> list[str]:  # fmt: skip
    """The shop, the ledger and the customers tell the same story: each act once, none that nobody asked for, none lost."""
    held = {(_TOOLS[kind], order): protocols for (kind, order), protocols in shop.items()}
    wrong = [f"{act}: the shop did it {len(p)} times" for act, p in held.items() if len(p) != 1]
    wrong += [
        f"{act}: shop {held.get(act)}, ledger {done.get(act)}"
        for act in {*held, *done}
        if held.get(act) != done.get(act)
    ]
    wrong += [f"{act}: nobody asked for it" for act in held if act not in book.asked]
    wrong += [
        f"{act}: told as {p}, the shop has {held.get(act)}" for act, p in book.told.items() if held.get(act) != [p]
    ]
    return wrong


async def _failures(conn: Any, thread_id: str) -> Counter[str]:
    cursor = await conn.execute("select turn_id from failures where thread_id = %s", (thread_id,))
    return Counter(str(row["turn_id"]) for row in await cursor.fetchall())
