"""One worker at a time, over all processes: an advisory lock that lasts as long as the caller's transaction."""

from storage.rows import Connection

_SPACE = 0x6261_7374  # "bast": the first key of the two, so that no other program's locks are met


async def try_take(conn: Connection, number: int) -> bool:
    """Take the lease `number` until the transaction ends; False when another process has it. It never waits.

    The lock belongs to the transaction and not to the session, so that it also holds behind a transaction pooler.
    """
    cursor = await conn.execute(
        "select pg_try_advisory_xact_lock(%(space)s::int, %(number)s::int) as mine", {"space": _SPACE, "number": number}
    )
    row = await cursor.fetchone()
    # Its transaction stands still while the work is done elsewhere: that is no stalled process.
    await conn.execute("set local idle_in_transaction_session_timeout = 0")
    return row is not None and bool(row["mine"])
