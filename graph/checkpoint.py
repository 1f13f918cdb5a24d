"""The turn's checkpoint: held in memory while the turn runs, written in the turn's own transaction.

The stock saver serialises its whole pool behind one lock and writes on its own connection whenever it likes. Here a
checkpoint is part of the turn's single commit (reply, trail and checkpoint, or none of them).
"""

import asyncio
import contextvars
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

_Put = tuple[RunnableConfig, Checkpoint, CheckpointMetadata, ChannelVersions]


def strict_serializer() -> JsonPlusSerializer:
    """Return a serialiser that loads no type that a blob names: a crafted row stays data."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


def readable(kind: str, blob: bytes) -> Any:
    """Return what a stored blob of a checkpoint holds, as plain values."""
    return strict_serializer().loads_typed((kind, blob))


@dataclass(slots=True)
class HeldCheckpoints:
    """What the graph wanted to save during one turn."""

    puts: list[_Put] = field(default_factory=list)

    async def write(self, conn: AsyncConnection[Any]) -> None:
        """Write them through `conn`, inside whatever transaction it is in."""
        saver = AsyncPostgresSaver(conn, serde=strict_serializer())
        for put in self.puts:
            await saver.aput(*put)


_held: contextvars.ContextVar[HeldCheckpoints] = contextvars.ContextVar("held_checkpoints")


def hold_checkpoints() -> HeldCheckpoints:
    """Start holding in the current context (and the tasks that it starts); return the holder."""
    held = HeldCheckpoints()
    _held.set(held)
    return held


class TurnSaver(AsyncPostgresSaver):
    """Reads from the pool; writes nowhere but into the turn's holder."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        super().__init__(pool, serde=strict_serializer())
        # The stock lock makes a pool of twenty work like one; the pool itself is the right bound.
        self.lock = asyncio.Semaphore(pool.max_size)  # pyright: ignore[reportAttributeAccessIssue]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        _held.get().puts.append((config, checkpoint, metadata, new_versions))
        configurable = config.get("configurable", {})
        return {"configurable": {**configurable, "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Drop pending writes: a turn that did not commit is run again from the stored messages."""


async def setup_checkpoints(conn: AsyncConnection[Any]) -> None:
    """Create the saver's tables. Not safe against itself in another process: call it under the migration lock."""
    await AsyncPostgresSaver(conn, serde=strict_serializer()).setup()
