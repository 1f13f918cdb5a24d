"""What the law gives a customer: a copy of everything that is held about them, and to be forgotten.

Erasure goes conversation by conversation, each in one transaction that holds the conversation's row: a turn that runs, a
message that waits, an item that somebody works on or an effect whose end nobody knows delays it, and `ops.maintenance` comes
back to it. What the law wants kept stays without anything personal (storage/records/holdings.py says what and why).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graph.checkpoint import readable
from graph.door_ids import checked_id
from ops.privacy_values import known_of
from routing.masking import Known
from routing.model import Frozen
from routing.ports import Clock, Shop, ShopUnavailable
from storage.database import Database
from storage.records import audit, erasing, erasures, holdings
from storage.records.effects import effect_key
from storage.records.erasing import Because
from storage.records.holdings import STORES, Fate, Subject
from storage.rows import Connection

Json = dict[str, Any]
_BLOBS = {"checkpoint_blobs": "blob", "checkpoint_writes": "blob"}
_PASSES = 5


class StoreReceipt(Frozen):
    """What became of a table's rows: `found` before; `erased`, and `kept` with the reason."""

    store: str
    fate: Fate
    found: int
    erased: int
    kept: int
    why: str | None = None


class Delay(Frozen):
    """A conversation that could not be erased yet: `what` is the number that people know the open business by."""

    thread_id: str
    because: Because
    what: str


class Erasure(Frozen):
    """`delayed` ones are carried out by maintenance as soon as nothing is open; `erased_before` tells of an earlier request."""

    customer: str
    at: datetime
    status: Literal["erased", "delayed", "nothing_held"]
    stores: tuple[StoreReceipt, ...]
    waiting: tuple[Delay, ...] = ()
    unplanned: tuple[str, ...] = ()
    erased_before: datetime | None = None


class Export(Frozen):
    """Everything that is held: each table's rows with all their columns, and what its rows are kept for after an erasure."""

    customer: str
    at: datetime
    stores: dict[str, list[Json]]
    elsewhere: str = "the shop's order system holds its own records: orders, payments and deliveries"

    def as_json(self) -> str:
        return self.model_dump_json(indent=2, fallback=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """Both rights, for one process. `secret` is the ledger's: it names who was erased without telling who that was."""

    database: Database
    shop: Shop
    secret: bytes
    clock: Clock
    new_id: Callable[[str], str]

    async def export(self, customer_id: str) -> Export:
        """Return everything that is held about a customer, as it stood at one moment. The export itself is noted."""
        checked_id("customer", customer_id)
        now = self.clock.now()
        async with self.database.connection() as conn:
            async with conn.transaction():
                await conn.execute("set transaction isolation level repeatable read, read only")
                subject = await _subject(conn, customer_id, until=now)
                there = set(await holdings.tables(conn))
                stores = {
                    store.table: [_shown(store.table, row) for row in await holdings.rows(conn, store, subject)]
                    for store in STORES
                    if store.table in there
                }
            if any(stores.values()):
                await audit.write(conn, actor="privacy", rule="exported", customer_id=customer_id, now=now)
        return Export(customer=customer_id, at=now, stores={name: rows for name, rows in stores.items() if rows})

    async def erase(self, customer_id: str) -> Erasure:
        """Forget a customer as far as nothing is open, note what has to wait, and return a receipt per store.

        Raises `ShopUnavailable` when the order system cannot say by which name and address the customer is known: the request
        is noted, and nothing was erased.
        """
        checked_id("customer", customer_id)
        now = self.clock.now()
        name = self._subject_name(customer_id)
        async with self.database.transaction() as conn:
            before = await erasures.last_done(conn, name)
            held = await holdings.count(conn, await _subject(conn, customer_id, until=now))
            ours = {table: n for table, n in held.items() if _store(table).fate != "elsewhere"}
            if not any(ours.values()):
                return Erasure(
                    customer=customer_id, at=now, status="nothing_held", stores=_receipts(held, held),
                    erased_before=before.done_at if before else None,
                )  # fmt: skip
            request = await erasures.ask(
                conn, request_id=self.new_id("er"), subject=name, customer_id=customer_id, now=now
            )
        done = await self._carry_out(request.id, customer_id, until=now)
        return done.model_copy(update={"erased_before": before.done_at if before else None})

    async def finish(self) -> int:
        """Carry out what could not be carried out when it was asked; return how many requests are done now."""
        async with self.database.connection() as conn:
            waiting = await erasures.open_(conn)
        done = 0
        for request in waiting:
            if request.customer_id is not None:
                with suppress(ShopUnavailable):
                    erasure = await self._carry_out(request.id, request.customer_id, until=request.requested_at)
                    done += erasure.status == "erased"
        return done

    async def _carry_out(self, request_id: str, customer_id: str, *, until: datetime) -> Erasure:
        alias = self.new_id("erased")
        async with self.database.connection() as conn:
            subject = await _subject(conn, customer_id, until=until)
            found = await holdings.count(conn, subject)
            known = await known_of(conn, self.shop, subject)
        waiting: dict[str, Delay] = {}
        for _ in range(_PASSES):  # a conversation may be opened meanwhile
            for thread_id in [t for t in subject.threads if t not in waiting]:
                for delay in await self._erase_thread(thread_id, customer_id, alias=alias, known=known):
                    waiting.setdefault(thread_id, delay)
            async with self.database.connection() as conn:
                subject = await _subject(conn, customer_id, until=until)
            if set(subject.threads) <= set(waiting):
                break
        async with self.database.transaction() as conn:
            left = await holdings.count(conn, subject)
            status: Literal["erased", "delayed"] = "delayed" if subject.threads else "erased"
            if status == "erased":
                await erasing.loose_ends(conn, subject, alias=alias)
                left = await holdings.count(conn, subject)
                await audit.write(conn, actor="privacy", rule="erased", customer_id=alias, now=self.clock.now())
            receipt = Erasure(
                customer=customer_id, at=self.clock.now(), status=status, stores=_receipts(found, left),
                waiting=tuple(waiting.values()), unplanned=tuple(await holdings.unplanned(conn)),
            )  # fmt: skip
            kept = receipt.model_dump(mode="json", exclude={"customer", *(["waiting"] if status == "erased" else [])})
            await erasures.settle(conn, request_id, receipt=kept, done_at=receipt.at if status == "erased" else None)
        return receipt

    async def _erase_thread(self, thread_id: str, customer_id: str, *, alias: str, known: Known) -> list[Delay]:
        async with self.database.transaction() as conn:
            if not await erasing.lock_for_good(conn, thread_id, customer_id=customer_id):
                return []
            if found := await erasing.open_business(conn, thread_id):
                return [Delay(thread_id=thread_id, because=o.because, what=o.what) for o in found]
            await erasing.move_out(
                conn, thread_id, to=self.new_id("erased"), alias=alias, mask=known.replaced, now=self.clock.now()
            )
        return []

    def _subject_name(self, customer_id: str) -> str:
        return effect_key(self.secret, ("erasure", customer_id))


async def _subject(conn: Connection, customer_id: str, *, until: datetime) -> Subject:
    owned = await erasing.threads_of(conn, customer_id)
    return Subject(
        customer_id=customer_id, until=until,
        threads=[o.thread_id for o in owned if o.created_at <= until],
        newer=[o.thread_id for o in owned if o.created_at > until],
    )  # fmt: skip


def _store(table: str) -> holdings.Store:
    return next(store for store in STORES if store.table == table)


def _receipts(found: Mapping[str, int], left: Mapping[str, int]) -> tuple[StoreReceipt, ...]:
    """Say what became of what was found: `left` are the rows that still lead to the customer."""
    return tuple(
        _receipt(store, found[store.table], left.get(store.table, 0)) for store in STORES if store.table in found
    )


def _receipt(store: holdings.Store, found: int, left: int) -> StoreReceipt:
    gone = max(found - left, 0)
    erased = gone if store.fate == "erased" else 0
    why = "open business in a conversation delays it" if left and store.fate != "elsewhere" else None
    return StoreReceipt(
        store=store.table, fate=store.fate, found=found, erased=erased, kept=found - erased,
        why="; ".join(part for part in (store.why if found else None, why) if part) or None,
    )  # fmt: skip


def _shown(table: str, row: Json) -> Json:
    """Return a row as a person can read it: what the checkpoint tables hold as bytes, decoded."""
    column = _BLOBS.get(table)
    if column is None or row.get(column) is None:
        return row
    return {**row, column: readable(row["type"], bytes.fromhex(str(row[column]).removeprefix("\\x")))}


def lines_of(erasure: Erasure) -> Sequence[str]:
    """Say a receipt to whoever asked, a line per store that held something."""
    said = [f"{erasure.customer}: {erasure.status}"]
    said += [
        f"  {r.store}: {r.found} found, {r.erased} erased, {r.kept} kept" + (f" ({r.why})" if r.why else "")
        for r in erasure.stores
        if r.found
    ]
    said += [f"  waiting: {d.thread_id}: {d.because} ({d.what})" for d in erasure.waiting]
    said += [f"  not planned for: {table}" for table in erasure.unplanned]
    if erasure.erased_before is not None:
        said.append(f"  erased before, at {erasure.erased_before:%Y-%m-%d %H:%M} UTC")
    return said
