"""Giving up turns that run: their leases end now, and another process runs them again from the stored messages."""

from collections.abc import Sequence

from storage.rows import Connection, changed


async def release(conn: Connection, turn_ids: Sequence[str], *, owner: str) -> int:
    """End the leases of the owner's turns among these; return how many there were. What ended meanwhile stays as it is."""
    return await changed(
        conn,
        "update turns set lease_until = clock_timestamp()"
        " where id = any(%(turns)s) and owner = %(owner)s and status = 'running'",
        {"turns": list(turn_ids), "owner": owner},
    )
