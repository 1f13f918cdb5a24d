"""The end of a process: its turns finish, or are given up so that the next process runs them again."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from graph.running_turn import RunningTurn
from graph.services import Services
from storage.database import DatabaseUnavailable
from storage.records.turn_release import release


class ClosingDown(Exception):
    """This process takes no new turn: send the message again, to another one."""


async def finish_or_give_up(services: Services, turns: Iterable[RunningTurn], *, owner: str, within_s: float) -> None:
    """Wait for the turns, and give up those that take longer.

    A turn that is given up leaves no trace of this run: its lease ends now, and whoever takes it over runs it from the
    stored messages. An effect of it is found in the ledger, as after a crash.
    """
    running = {turn.task: turn for turn in turns if turn.task is not None}
    if not running:
        return
    _, late = await asyncio.wait(running, timeout=within_s)
    for task in late:
        running[task].lost = True
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await give_up(services, [running[task].turn_id for task in late], owner=owner)


async def give_up(services: Services, turn_ids: list[str], *, owner: str) -> None:
    """End the leases of turns that this process has; without a database they run out by themselves."""
    with suppress(DatabaseUnavailable):
        async with services.database.connection() as conn:
            await release(conn, turn_ids, owner=owner)
