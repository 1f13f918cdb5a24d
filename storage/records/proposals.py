"""Proposals: actions that wait for a yes, and what became of them."""

from datetime import datetime
from typing import Any, Final, Literal

from psycopg.types.json import Jsonb
from pydantic import JsonValue

from routing.pending import Proposal
from storage.rows import Connection, Record, changed, columns, many, one

Status = Literal["pending", "confirmed", "rejected", "void", "expired", "operator"]


class Stored(Record):
    """A proposal as it lies in the table. `operator`: it waits for an operator's yes instead of the customer's."""

    id: str
    thread_id: str
    turn_id: str | None
    tool: str
    args: dict[str, JsonValue]
    digest: str
    summary: str
    proposed_by: str
    basis: dict[str, str]
    asked_at: datetime
    expires_at: datetime
    settled_at: datetime | None
    status: Status

    @property
    def proposal(self) -> Proposal:
        """The proposal itself, as routing knows it."""
        return Proposal(**self.model_dump(include=set(Proposal.model_fields)))


_COLUMNS: Final = columns(Stored)


async def put(
    conn: Connection,
    thread_id: str,
    proposal: Proposal,
    *,
    turn_id: str | None = None,
    status: Literal["pending", "operator"] = "pending",
) -> None:
    """Store a proposal; the one that waited for the customer until now is void. One transaction."""
    values: dict[str, Any] = {
        **proposal.model_dump(),
        "args": Jsonb(proposal.args),
        "basis": Jsonb(proposal.basis),
        "thread": thread_id,
        "turn": turn_id,
        "status": status,
    }
    async with conn.transaction():
        if status == "pending":
            await conn.execute(
                "update proposals set status = 'void', settled_at = %(asked_at)s"
                " where thread_id = %(thread)s and status = 'pending' and id <> %(id)s",
                {name: values[name] for name in ("asked_at", "thread", "id")},
            )
        await conn.execute(
            "insert into proposals (id, thread_id, turn_id, tool, args, digest, summary, proposed_by, basis, asked_at,"
            " expires_at, status) values (%(id)s, %(thread)s, %(turn)s, %(tool)s, %(args)s, %(digest)s, %(summary)s,"
            " %(proposed_by)s, %(basis)s, %(asked_at)s, %(expires_at)s, %(status)s) on conflict (id) do nothing",
            values,
        )


async def pending(conn: Connection, thread_id: str) -> Proposal | None:
    """Return the proposal that waits for the customer, also one that has expired: that is the caller's to see."""
    found = await one(
        conn,
        Stored,
        f"select {_COLUMNS} from proposals where thread_id = %(thread)s and status = 'pending'"
        " order by asked_at desc, id limit 1",
        {"thread": thread_id},
    )
    return None if found is None else found.proposal


async def get(conn: Connection, proposal_id: str) -> Stored | None:
    return await one(conn, Stored, f"select {_COLUMNS} from proposals where id = %(id)s", {"id": proposal_id})


async def of_thread(conn: Connection, thread_id: str) -> list[Stored]:
    """Return a conversation's proposals, oldest first."""
    return await many(
        conn,
        Stored,
        f"select {_COLUMNS} from proposals where thread_id = %(thread)s order by asked_at, id",
        {"thread": thread_id},
    )


async def set_status(conn: Connection, proposal_id: str, *, status: Status, now: datetime) -> bool:
    """Settle a proposal that waits, or pass it on to an operator. True for exactly one caller."""
    return (
        await changed(
            conn,
            "update proposals set status = %(status)s,"
            " settled_at = case when %(status)s in ('pending', 'operator') then null else %(now)s end"
            " where id = %(id)s and status in ('pending', 'operator') and status <> %(status)s",
            {"status": status, "now": now, "id": proposal_id},
        )
        == 1
    )


async def expire(conn: Connection, *, before: datetime, now: datetime) -> int:
    """Settle what waited for the customer's yes and expired before then; return how many that were."""
    return await changed(
        conn,
        "update proposals set status = 'expired', settled_at = %(now)s"
        " where status = 'pending' and expires_at < %(before)s",
        {"before": before, "now": now},
    )
