"""How long what is kept: days per kind, and the round that takes out what is older."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field, model_validator

from storage.database import Database
from storage.records import pruning
from storage.rows import Connection

log = logging.getLogger(__name__)
_BATCH = 500
_THREADS = 100


class RetentionSettings(BaseModel):
    """Days per kind.

    `dialogue`: everybody's words, with the checkpoint of a conversation that fell silent; `checkpoints`: superseded ones;
    `effects_personal`: arguments and personal values of what was done; `queue_texts`: what operators read and noted;
    `spend_links`: whose call it was; `audit` and `records` are the legal term: after `records` a conversation in which nothing
    happened is gone, with the protocols of what was done in it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dialogue: int = Field(default=365, ge=1)
    checkpoints: int = Field(default=7, ge=1)
    facts: int = Field(default=365, ge=1)
    packages: int = Field(default=180, ge=1)
    proposals: int = Field(default=180, ge=1)
    effects_personal: int = Field(default=365, ge=1)
    queue_texts: int = Field(default=365, ge=1)
    failures: int = Field(default=90, ge=1)
    announcements: int = Field(default=30, ge=1)
    alarms: int = Field(default=180, ge=1)
    spend_links: int = Field(default=365, ge=1)
    spend_totals: int = Field(default=90, ge=2)
    audit: int = Field(default=1_825, ge=1)
    erasures: int = Field(default=1_825, ge=1)
    records: int = Field(default=1_825, ge=1)

    @model_validator(mode="after")
    def _records_outlive_the_rest(self) -> "RetentionSettings":
        if longer := [
            name for name in ("dialogue", "facts", "packages", "queue_texts") if getattr(self, name) > self.records
        ]:
            raise ValueError(f"{longer[0]} cannot outlive records, with which it is deleted")
        return self


async def prune(database: Database, settings: RetentionSettings, *, now: datetime) -> dict[str, int]:
    """Take out what is too old, at most a batch per kind; return how many rows each kind lost. Raises `DatabaseUnavailable`.

    Safe beside traffic: nothing waits for it, and what somebody is using stays for the next round.
    """
    pruned: dict[str, int] = {}

    def before(days: int) -> datetime:
        return now - timedelta(days=days)

    for kind in pruning.KINDS:
        async with database.transaction() as conn:
            pruned[kind] = await pruning.rows(conn, kind, before=before(getattr(settings, kind)), limit=_BATCH)
    async with database.connection() as conn:
        silent = await pruning.old_conversations(conn, before=before(settings.records), limit=_THREADS)
        old = await pruning.old_dialogues(conn, before=before(settings.dialogue), limit=_THREADS)
        piled = await pruning.old_checkpoints(conn, before=before(settings.checkpoints), limit=_THREADS)
    pruned["records"] = await _each(database, silent, pruning.conversation)
    pruned["dialogue"] = await _each(
        database, old, lambda conn, thread: pruning.dialogue(conn, thread, before=before(settings.dialogue))
    )
    pruned["checkpoints"] = await _each(
        database,
        piled,
        lambda conn, thread: pruning.superseded_checkpoints(conn, thread, before=before(settings.checkpoints)),
    )
    found = {kind: count for kind, count in pruned.items() if count}
    if found:
        log.info("pruned %d rows", sum(found.values()), extra={"rows": found})
    return found


async def _each(database: Database, threads: list[str], do: Callable[[Connection, str], Awaitable[int]]) -> int:
    count = 0
    for thread_id in threads:
        async with database.transaction() as conn:
            if await pruning.at_rest(conn, thread_id):
                count += await do(conn, thread_id)
    return count
