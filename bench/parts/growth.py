"""A year's size: one million generated messages, and how long the reads that people wait for take."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bench.bastao import bastao
from bench.customer import ask
from bench.million import MESSAGES_PER_CONVERSATION, generate
from bench.place import fresh_database, server
from bench.tables import middle, table, verdict
from ops.metrics import Period, read_metrics
from ops.people import item_view, queue_view
from ops.reading import conversations_of, history, trail

TITLE = "Growth: one million generated messages"
MESSAGES, QUICK_MESSAGES = 1_000_000, 50_000
REPEATS = 5
ZONE = ZoneInfo("America/Sao_Paulo")
# What "tens of milliseconds to a second" means for each: people look on while it loads.
LIMITS_MS = {"a conversation": 100, "the queue": 100, "a turn": 1000, "the numbers": 1000}
# Shown beside a target that is missed.
WHY = (
    "The numbers are aggregated from the raw rows of the period: for each contact its turns, messages, transfers, items and paid calls, "
    "for each decision what became of it. Done: the ledger's days are named inside the aggregation instead of outside it (an index instead "
    "of the whole ledger); a contact's messages are found by its turns instead of looking up the turn of each message; the contacts are "
    "read once instead of five times (30 days: 6.6 s before, on a busier machine). What is left is a third contacts, a third providers. "
    "Not done: a copy by day, which two seconds for a month do not ask for yet."
)
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Generate, then read as the pages and the API do, some rounds each."""
    messages = QUICK_MESSAGES if quick else MESSAGES
    with server() as address, fresh_database(address) as url:
        async with bastao(url) as desk:
            began = time.monotonic()
            rows = generate(url, messages=messages)
            generated_s = round(time.monotonic() - began)
            last = messages // MESSAGES_PER_CONVERSATION
            timed = {name: await _times(work) for name, work in _reads(desk, last).items()}
    return {"rows": rows, "generated_s": generated_s, "timed": timed}


def _reads(desk: Any, last: int) -> dict[str, Callable[[int], Awaitable[Any]]]:
    """Return the reads; each is given the number of its repeat, so that none meets the same rows twice."""
    database, now = desk.services.database, datetime.now(UTC)
    today = now.astimezone(ZONE).date()

    def numbers(days: int) -> Awaitable[Any]:
        period = Period(first=today - timedelta(days=days - 1), last=today, zone=ZONE)
        return read_metrics(database, period=period, day_limit_usd=None)

    return {
        "a conversation: its history": lambda n: history(database, f"g-{last // 2 + n}", customer=None),
        "a conversation: its trail": lambda n: trail(database, f"g-{last // 2 + n}"),
        "a conversation: a customer's list": lambda n: conversations_of(database, f"gc-{last // 10 + n}"),
        "the queue: all that waits": lambda n: queue_view(database, operator="bia", now=now),
        "the queue: one item with its conversation": lambda n: item_view(database, f"gq-{last - last % 20 - 20 * n}", operator="bia", now=now),
        "a turn: the first of a conversation": lambda n: desk.say(f"after-{n}", ask(1)),
        "the numbers: of 7 days": lambda n: numbers(7 + n),
        "the numbers: of 30 days": lambda n: numbers(30 + n),
    }  # fmt: skip


async def _times(work: Callable[[int], Awaitable[Any]]) -> dict[str, float]:
    took: list[float] = []
    for number in range(REPEATS):
        began = time.perf_counter()
        await work(number)
        took.append((time.perf_counter() - began) * 1000)
    return {**middle(took), "first": took[0]}


def render(figures: Json) -> str:
    rows = figures["rows"]
    slow = [name for name, t in figures["timed"].items() if t["p50"] > LIMITS_MS[name.split(":")[0]]]
    told = f": slower than wanted are {', '.join(slow)}" if slow else ""
    timed = [[name, t["first"], t["p50"], t["p95"]] for name, t in figures["timed"].items()]
    return "\n\n".join(
        [
            f"Generated, not lived: {rows['messages']:,} messages in {rows['conversations']:,} conversations, {rows['turns']:,} turns, {rows['spend']:,} paid calls over 365 days, {rows['bytes'] / 1e9:.2f} GB, made in {figures['generated_s']} s.",
            table(["milliseconds", "first", "p50", "p95"], timed),
            f"- a conversation and the queue within 100 ms, the numbers within a second: {verdict(not slow)}{told}"
            + (f". {WHY}" if slow else ""),
        ]
    )
