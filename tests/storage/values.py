"""What the storage tests share: a fixed time, a conversation with messages, and one line to run another process."""

import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from storage.records import conversations, messages, turns
from storage.records.messages import Message
from storage.records.turns import Begun
from storage.rows import Connection

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
THREAD = "t-1"
PROJECT = Path(__file__).parents[2]


async def conversation(conn: Connection, thread_id: str = THREAD, *, customer_id: str | None = "c1") -> None:
    await conversations.ensure(conn, thread_id, customer_id=customer_id, channel="web", brand="demo", now=NOW)


async def say(conn: Connection, text: str, *, thread_id: str = THREAD) -> Message:
    """Store a customer's message whose id is its text."""
    message, created = await messages.add(conn, thread_id, message_id=text, role="customer", text=text, now=NOW)
    assert created
    return message


async def begun(
    conn: Connection, turn_id: str = "turn-1", *, owner: str = "w1", lease_s: float = 60, thread_id: str = THREAD
) -> Begun:
    """Begin a turn that can be begun."""
    answer = await turns.begin(conn, thread_id, owner=owner, turn_id=turn_id, lease_s=lease_s, now=NOW)
    assert isinstance(answer, Begun)
    return answer


async def kill_owner(conn: Connection, turn_id: str) -> None:
    """Let a lease run out, as it does when the owner's process is gone."""
    await conn.execute(
        "update turns set lease_until = clock_timestamp() - interval '1 second' where id = %s", (turn_id,)
    )


async def process(script: str, *args: str, database_url: str) -> tuple[int, str]:
    """Run a script in a process of its own; return its exit code and everything that it printed."""
    environ = {**os.environ, "DATABASE_URL": database_url}
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        *args,
        cwd=PROJECT,
        env=environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await running.communicate()
    return running.returncode or 0, output.decode()
