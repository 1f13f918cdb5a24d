"""What a turn is, and what can be the answer to wanting one."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from storage.records.messages import Message
from storage.rows import Json, Record

Ending = Literal["replied", "held", "interrupted", "failed", "nothing_due"]
Status = Literal["running", "replied", "held", "interrupted", "failed", "nothing_due"]


class StaleFence(Exception):
    """The turn is no longer this owner's: its lease is over, or somebody else has it, or it has ended."""


class EpochMoved(Exception):
    """A person took the word after the turn began: its reply must not reach the customer."""


class Turn(Record):
    """`number` counts the conversation's turns from 1. `action` is an operator's, for a turn that answers no message.

    `attempts` counts its owners since its message last came: all but the last one died. `discarded_reply` is one that a
    person overtook. `release` is the hash of what it ran with, `versions` the hashes of its parts; `tokens` counts by kind.
    """

    id: str
    thread_id: str
    number: int
    contact_id: str | None
    status: Status
    action: Json | None
    owner: str
    fence: int
    epoch: int
    lease_until: datetime
    attempts: int
    stop_requested: bool
    started_at: datetime
    ended_at: datetime | None
    first_effect_at: datetime | None
    reply: str | None
    reply_message_id: str | None
    discarded_reply: str | None
    trail: list[Any]
    decision: Json | None
    cost_usd: Decimal
    tokens: dict[str, int]
    versions: Json
    release: str | None
    error_protocol: str | None


class Begun(Record):
    """The turn is the caller's, with the messages to answer. `rerun`: an earlier owner died in it, or it had failed."""

    turn: Turn
    messages: tuple[Message, ...]
    rerun: bool


class Busy(Record):
    """Another owner has the conversation, at least until then."""

    turn_id: str
    lease_until: datetime


class NothingToTake(Record):
    """No message waits for a turn."""


class Beat(Record):
    """`ok` is False when the turn is no longer the caller's: end the work and write nothing."""

    ok: bool
    stop_requested: bool
    epoch: int
