import asyncio
from datetime import timedelta

import pytest

from routing.pending import Proposal
from storage.database import Database
from storage.records import proposals
from storage.records.proposals import Status
from tests.storage.values import NOW, THREAD, conversation


def proposal(proposal_id: str, *, minutes: int = 0) -> Proposal:
    asked = NOW + timedelta(minutes=minutes)
    return Proposal(
        id=proposal_id,
        tool="update_address",
        args={"order": "10431", "address": {"number": "254"}},
        digest="d",
        summary="trocar o endereço do pedido 10431",
        proposed_by="support",
        asked_at=asked,
        expires_at=asked + timedelta(minutes=30),
        basis={"order:10431": "1"},
    )


async def test_one_waits_and_the_one_before_it_is_void(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await proposals.put(conn, THREAD, proposal("p-1"), turn_id="turn-1")
        assert await proposals.pending(conn, THREAD) == proposal("p-1")
        await proposals.put(conn, THREAD, proposal("p-2", minutes=5))
        assert await proposals.pending(conn, THREAD) == proposal("p-2", minutes=5)
        first, second = await proposals.of_thread(conn, THREAD)
        assert (first.status, first.settled_at, first.turn_id) == ("void", NOW + timedelta(minutes=5), "turn-1")
        assert (second.status, second.settled_at, second.proposal) == ("pending", None, proposal("p-2", minutes=5))


async def test_one_for_an_operator_does_not_disturb_the_one_for_the_customer(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await proposals.put(conn, THREAD, proposal("p-1"))
        await proposals.put(conn, THREAD, proposal("p-2", minutes=5), status="operator")
        assert await proposals.pending(conn, THREAD) == proposal("p-1")


@pytest.mark.parametrize("status", ["confirmed", "rejected", "void", "expired"])
async def test_a_yes_counts_once(db: Database, status: Status) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await proposals.put(conn, THREAD, proposal("p-1"))

    async def settle(wanted: Status) -> bool:
        async with db.connection() as conn:
            return await proposals.set_status(conn, "p-1", status=wanted, now=NOW)

    assert sorted(await asyncio.gather(*(settle(status) for _ in range(5)))) == [False] * 4 + [True]
    assert not await settle("confirmed")
    assert not await settle("operator")
    async with db.connection() as conn:
        stored = await proposals.get(conn, "p-1")
        assert await proposals.pending(conn, THREAD) is None
    assert stored is not None
    assert (stored.status, stored.settled_at) == (status, NOW)


async def test_a_customers_yes_may_become_an_operators_item(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await proposals.put(conn, THREAD, proposal("p-1"))
        assert await proposals.set_status(conn, "p-1", status="operator", now=NOW)
        assert await proposals.pending(conn, THREAD) is None
        waiting = await proposals.get(conn, "p-1")
        assert waiting is not None
        assert waiting.settled_at is None
        assert await proposals.set_status(conn, "p-1", status="confirmed", now=NOW)
