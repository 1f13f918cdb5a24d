"""How often one caller may do something: counted in PostgreSQL, for every process together, under keyed hashes."""

import hashlib
import hmac
from datetime import timedelta
from math import ceil
from typing import Literal

from graph.services import Services
from routing.language import detect
from routing.sentences import say
from routing.shop import Customer
from storage.records import attempts, audit, conversations
from storage.records.attempts import Window

Scope = Literal["message", "request", "proof_by", "proof_of", "sign_in", "token"]
_MINUTE = timedelta(minutes=1)


class TooMany(Exception):
    """The caller has done this too often. `text` says so in the caller's language; `retry_s` is when it may go on."""

    def __init__(self, text: str, retry_s: int) -> None:
        super().__init__(text)
        self.text, self.retry_s = text, retry_s


def caller_of(customer: Customer, *, otherwise: str) -> str:
    """Name who is counted: the customer, else the visitor, else what `otherwise` is (a conversation, an address)."""
    if customer.id is not None:
        return f"customer:{customer.id}"
    return f"visitor:{customer.visitor}" if customer.visitor is not None else f"other:{otherwise}"


async def count(services: Services, scope: Scope, subject: str, *, within: timedelta) -> Window:
    """Count one try of a subject, whoever else is counting it at the same time."""
    async with services.database.connection() as conn:
        return await attempts.note(
            conn, scope=scope, subject=hashed(services, scope, subject), within=within, now=services.clock.now()
        )


async def take_back(services: Services, scope: Scope, subject: str) -> None:
    async with services.database.connection() as conn:
        await attempts.take_back(conn, scope=scope, subject=hashed(services, scope, subject), now=services.clock.now())


async def standing(services: Services, scope: Scope, subject: str) -> Window | None:
    """Return the window that is open for a subject, without counting."""
    async with services.database.connection() as conn:
        return await attempts.standing(
            conn, scope=scope, subject=hashed(services, scope, subject), now=services.clock.now()
        )


def hashed(services: Services, scope: Scope, subject: str) -> str:
    return hmac.new(services.secret, f"{scope}\x00{subject}".encode(), hashlib.sha256).hexdigest()


def seconds_left(services: Services, window: Window) -> int:
    return max(1, ceil((window.until - services.clock.now()).total_seconds()))


async def count_message(services: Services, customer: Customer, thread_id: str, text: str) -> None:
    """Count a customer's message before anything of it is stored. Raises `TooMany`; the first refusal of a window is noted."""
    known = customer.id is not None
    limit = services.limits.messages_per_minute if known else services.limits.visitor_messages_per_minute
    window = await count(services, "message", caller_of(customer, otherwise=thread_id), within=_MINUTE)
    if window.count <= limit:
        return
    async with services.database.connection() as conn:
        found = await conversations.get(conn, thread_id)
        mine = found is not None and found.belongs_to(customer.id, customer.visitor)
        if window.count == limit + 1:
            await audit.write(
                conn, actor="customer", rule="too_many_messages", thread_id=thread_id if mine else None,
                customer_id=customer.id, now=services.clock.now(),
            )  # fmt: skip
    language = detect(text, found.language if found and mine else None)
    wait = seconds_left(services, window)
    raise TooMany(say("limits.too_many_messages", language, seconds=wait), wait)


async def count_request(services: Services, subject: str) -> None:
    """Count one request of a caller over HTTP. Raises `TooMany`."""
    window = await count(services, "request", subject, within=_MINUTE)
    if window.count > services.limits.requests_per_minute:
        raise TooMany("too many requests in this minute", seconds_left(services, window))
