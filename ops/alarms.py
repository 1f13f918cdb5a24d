"""Alarms: what a person who runs Bastão must mend. Each is a record, a line of the log, and an announcement to the webhook.

One of a kind (and subject) is open at a time and counts up; only its opening is announced. One that was quiet for a day is
closed: the next of its kind is news again.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from routing.masking import masked
from routing.model import Frozen
from routing.ports import Clock
from storage.database import Database, DatabaseUnavailable
from storage.records import alarms, webhooks
from storage.rows import Connection

AlarmKind = Literal["decision_provider", "webhook", "erasure_overdue", "maintenance"]
Severity = Literal["warning", "critical"]
QUIET = timedelta(days=1)
_SEVERITY: dict[AlarmKind, Severity] = {
    "decision_provider": "critical",  # a key that is refused, a request that is wrong, money that is out
    "webhook": "warning",
    "erasure_overdue": "critical",  # the law counts in days
    "maintenance": "critical",
}
log = logging.getLogger(__name__)


class Alarm(Frozen):
    """`subject` is what of its kind is meant (a provider, a job); `detail` holds nothing secret or personal."""

    kind: AlarmKind
    subject: str | None = None
    detail: str

    @property
    def name(self) -> str:
        return self.kind if self.subject is None else f"{self.kind}:{self.subject}"

    @property
    def severity(self) -> Severity:
        return _SEVERITY[self.kind]


@dataclass(slots=True, kw_only=True)
class Alarms:
    """Where alarms of one process go. `announced`: whether a webhook is configured to hear of them."""

    database: Database
    clock: Clock
    new_id: Callable[[str], str]
    shop_name: str
    announced: bool = False
    _storing: set["asyncio.Task[None]"] = field(default_factory=set["asyncio.Task[None]"])

    def ring(self, alarm: Alarm) -> None:
        """Raise an alarm from code that does not wait: the line is written now, the record by a task of its own."""
        said(alarm)
        try:
            task = asyncio.get_running_loop().create_task(self._store(alarm))
        except RuntimeError:  # no loop runs: the line has to do
            return
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def raise_(self, alarm: Alarm) -> None:
        """Raise an alarm. Without a database the line of the log remains."""
        said(alarm)
        await self._store(alarm)

    async def settled(self) -> None:
        """Wait until what was rung is stored."""
        await asyncio.gather(*self._storing)

    async def _store(self, alarm: Alarm) -> None:
        try:
            async with self.database.transaction() as conn:
                await record(
                    conn, alarm, alarm_id=self.new_id("al"), shop_name=self.shop_name, now=self.clock.now(),
                    announced=self.announced,
                )  # fmt: skip
        except DatabaseUnavailable:
            log.error("alarm %s could not be stored: no database", alarm.name)


def said(alarm: Alarm) -> None:
    """Write the line."""
    level = logging.CRITICAL if alarm.severity == "critical" else logging.WARNING
    log.log(
        level, "alarm %s: %s", alarm.name, masked(alarm.detail), extra={"alarm": alarm.kind, "subject": alarm.subject}
    )


async def record(
    conn: Connection, alarm: Alarm, *, alarm_id: str, shop_name: str, now: datetime, announced: bool
) -> alarms.Alarm:
    """Store an alarm in the caller's transaction, and its announcement when it has just opened."""
    stored = await alarms.raise_(conn, alarm_id=alarm_id, kind=alarm.name, detail=masked(alarm.detail), now=now)
    if announced and stored.count == 1:
        body = {
            "event": "alarm.raised", "shop": shop_name,
            "alarm": {
                "kind": alarm.kind, "subject": alarm.subject, "severity": alarm.severity, "detail": stored.detail,
                "at": stored.at.isoformat(),
            },
        }  # fmt: skip
        await webhooks.put(conn, delivery_id=f"wh-{stored.id}", item_id=None, event="alarm.raised", body=body, now=now)
    return stored


async def close_quiet(conn: Connection, *, now: datetime, after: timedelta = QUIET) -> int:
    """Close the alarms that nothing was added to for so long; return how many."""
    quiet = [alarm for alarm in await alarms.open_(conn) if alarm.last_at < now - after]
    return len([alarm for alarm in quiet if await alarms.close(conn, alarm.kind, now=now)])
