import asyncio
from datetime import timedelta

from storage.database import Database
from storage.records import attempts
from tests.storage.values import NOW

MINUTE = timedelta(minutes=1)


async def test_tries_at_the_same_time_count_each_for_itself(db: Database) -> None:
    async def once() -> int:
        async with db.connection() as conn:
            return (await attempts.note(conn, scope="message", subject="x", within=MINUTE, now=NOW)).count

    assert sorted(await asyncio.gather(*(once() for _ in range(12)))) == list(range(1, 13))


async def test_a_window_ends_by_its_first_try_and_another_begins(db: Database) -> None:
    async with db.connection() as conn:
        first = await attempts.note(conn, scope="message", subject="x", within=MINUTE, now=NOW)
        later = await attempts.note(conn, scope="message", subject="x", within=MINUTE, now=NOW + MINUTE / 2)
        assert (later.count, later.until) == (2, first.until)
        again = await attempts.note(conn, scope="message", subject="x", within=MINUTE, now=NOW + MINUTE)
        assert (again.count, again.until) == (1, NOW + 2 * MINUTE)


async def test_scopes_and_subjects_do_not_share_a_count(db: Database) -> None:
    async with db.connection() as conn:
        for scope, subject in (("message", "x"), ("message", "y"), ("sign_in", "x")):
            window = await attempts.note(conn, scope=scope, subject=subject, within=MINUTE, now=NOW)
            assert window.count == 1


async def test_a_try_can_be_taken_back_but_never_below_none(db: Database) -> None:
    async with db.connection() as conn:
        await attempts.note(conn, scope="proof_of", subject="x", within=MINUTE, now=NOW)
        for _ in range(3):
            await attempts.take_back(conn, scope="proof_of", subject="x", now=NOW)
        standing = await attempts.standing(conn, scope="proof_of", subject="x", now=NOW)
        assert standing is not None
        assert standing.count == 0
        assert await attempts.standing(conn, scope="proof_of", subject="x", now=NOW + MINUTE) is None


async def test_windows_that_are_over_are_swept_by_whoever_comes(db: Database) -> None:
    async with db.connection() as conn:
        for number in range(5):
            await attempts.note(conn, scope="message", subject=f"s{number}", within=MINUTE, now=NOW)
        await attempts.note(conn, scope="message", subject="new", within=MINUTE, now=NOW + 2 * MINUTE)
        rows = await (await conn.execute("select subject from attempts")).fetchall()
    assert [row["subject"] for row in rows] == ["new"]
