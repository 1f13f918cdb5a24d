"""Packages, audit, alarms, failures and policies: a row in, the same row out, once."""

import asyncio

from storage.database import Database
from storage.records import alarms, audit, failures, packages, policies
from storage.records.packages import Package
from tests.storage.values import NOW, THREAD, conversation


async def test_a_package_is_stored_once_and_read_back_by_thread_and_turn(db: Database) -> None:
    package = Package(
        id="k-1",
        thread_id=THREAD,
        turn_id="turn-1",
        from_agent="support",
        to_agent="billing",
        reason="charge",
        schema_version=1,
        body={"facts": [{"key": "order", "value": "10405"}]},
        tokens=120,
        at=NOW,
    )
    async with db.connection() as conn:
        await conversation(conn)
        await packages.save(conn, package)
        await packages.save(conn, package.model_copy(update={"to_agent": "returns"}))
        assert await packages.of_thread(conn, THREAD) == [package]
        assert await packages.of_turn(conn, "turn-2") == []
        assert await packages.set_status(conn, "k-1", status="failed")
        assert [each.status for each in await packages.of_turn(conn, "turn-1")] == ["failed"]


async def test_the_audit_is_found_by_conversation_and_by_customer(db: Database) -> None:
    async with db.connection() as conn:
        one = await audit.write(
            conn, actor="customer", rule="not_yours", thread_id=THREAD, customer_id="c2", detail={"n": 1}, now=NOW
        )
        two = await audit.write(conn, actor="billing", rule="not_granted", thread_id=THREAD, now=NOW)
        assert await audit.of_thread(conn, THREAD) == [one, two]
        assert await audit.of_customer(conn, "c2") == [one]
        assert (one.detail, two.detail, one.at) == ({"n": 1}, {}, NOW)


async def test_alarms_of_a_kind_count_up_until_they_are_closed(db: Database) -> None:
    async def ring(n: int) -> int:
        async with db.connection() as conn:
            return (await alarms.raise_(conn, alarm_id=f"a-{n}", kind="provider_4xx", detail=f"{n}", now=NOW)).count

    assert sorted(await asyncio.gather(*(ring(n) for n in range(6)))) == [1, 2, 3, 4, 5, 6]
    async with db.connection() as conn:
        [open_] = await alarms.open_(conn)
        assert open_.count == 6
        assert await alarms.close(conn, "provider_4xx", now=NOW) is not None
        assert await alarms.close(conn, "provider_4xx", now=NOW) is None
        assert await alarms.open_(conn) == []
    assert await ring(7) == 1


async def test_a_protocol_finds_its_failure(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await failures.write(
            conn, protocol="ER-1", kind="KeyError", detail="Traceback …", thread_id=THREAD, turn_id="turn-1", now=NOW
        )
        found = await failures.find(conn, "ER-1")
        assert found is not None
        assert (found.kind, found.detail, found.turn_id, found.at) == ("KeyError", "Traceback …", "turn-1", NOW)
        assert await failures.find(conn, "ER-2") is None


async def test_an_approved_text_gets_a_version_when_it_changes(db: Database) -> None:
    async with db.connection() as conn:
        versions = [
            await policies.put(conn, "self_harm", language="pt", text=text, now=NOW) for text in ("a", "a", "b", "a")
        ]
        assert versions == [1, 1, 2, 3]
        await policies.put(conn, "self_harm", language="en", text="in English", now=NOW)
        assert await policies.get(conn, "self_harm", language="pt") == "a"
        assert await policies.get(conn, "fraud", language="pt") is None
