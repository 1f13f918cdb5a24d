"""What a turn costs as a conversation grows, on PostgreSQL: time at turns 1, 60 and 500, bytes and rows, and the total."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from bench.bastao import bastao
from bench.clock import Times
from bench.customer import ask
from bench.kit import take_kit
from bench.peers import on_postgres
from bench.place import fresh_database, server, weigh, written
from bench.tables import spread, table, verdict

TITLE = "A turn on PostgreSQL, as the conversation grows"
OURS, SWARM, EXIT, SINGLE = "Bastão", "langgraph-swarm", "langgraph-swarm, durability exit", "create_agent, all history"
LENGTHS, ROUNDS = (1, 60, 500), 30
QUICK_LENGTHS, QUICK_ROUNDS = (1, 20, 60), 8
Json = dict[str, Any]
Say = Callable[[str, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Contender:
    url: str
    say: Say


async def measure(*, quick: bool = False) -> Json:
    """Grow one conversation of each to full length and weigh it; then time turns at each length, round by round."""
    lengths, rounds = (QUICK_LENGTHS, QUICK_ROUNDS) if quick else (LENGTHS, ROUNDS)
    async with AsyncExitStack() as stack:
        address = stack.enter_context(server())
        urls = {name: stack.enter_context(fresh_database(address)) for name in (OURS, SWARM, EXIT, SINGLE)}
        desk = await stack.enter_async_context(bastao(urls[OURS], keep=True))
        kit = await take_kit(desk)
        for model in desk.models.made.values():
            model.keep = False
        swarm = await stack.enter_async_context(on_postgres("swarm", kit, urls[SWARM]))
        at_exit = await stack.enter_async_context(on_postgres("swarm", kit, urls[EXIT]))
        single = await stack.enter_async_context(on_postgres("single", kit, urls[SINGLE]))
        contenders = {
            OURS: Contender(urls[OURS], desk.say), SWARM: Contender(urls[SWARM], swarm.say),
            EXIT: Contender(urls[EXIT], lambda thread, text: at_exit.say(thread, text, durability="exit")),
            SINGLE: Contender(urls[SINGLE], single.say),
        }  # fmt: skip
        storage = {name: await _grow(contender, lengths) for name, contender in contenders.items()}
        times = await _time({name: contenders[name] for name in (OURS, SWARM)}, lengths, rounds)
    return {"lengths": list(lengths), "storage": storage, "times": times}


async def _grow(contender: Contender, lengths: tuple[int, ...]) -> Json:
    """Hold a conversation; return what single turns added and what all of it weighs."""
    before, single = weigh(contender.url), dict[str, Json]()
    for number in range(1, max(lengths) + 1):
        if number not in lengths:
            await contender.say("long", ask(number))
            continue
        was, log = weigh(contender.url), written(contender.url)
        await contender.say("long", ask(number))
        wal, now = written(contender.url) - log, weigh(contender.url)
        single[str(number)] = {"rows": now["rows"] - was["rows"], "bytes": now["bytes"] - was["bytes"], "wal": wal}
    after = weigh(contender.url)
    return {"turns": single, "total": {key: after[key] - before[key] for key in after}}


async def _time(contenders: Mapping[str, Contender], lengths: tuple[int, ...], rounds: int) -> Json:
    """Time a turn of a new conversation, of one of middle length and of the long one, each contender after the other."""
    _, middle, longest = lengths
    for contender in contenders.values():
        for number in range(1, middle):
            await contender.say("middle", ask(number))
    times = {name: {length: Times() for length in lengths} for name in contenders}
    for number in range(rounds):
        for length, thread in ((1, f"new-{number}"), (middle, "middle"), (longest, "long")):
            for name, contender in contenders.items():
                text = ask(length + (number + 1 if length > 1 else 0), number)
                await times[name][length].of(lambda say=contender.say, t=thread, x=text: say(t, x))
                await asyncio.sleep(0)
    return {name: {str(length): t.summary() for length, t in by_length.items()} for name, by_length in times.items()}


def render(figures: Json) -> str:
    first, _, longest = (str(length) for length in figures["lengths"])
    times, storage = figures["times"], figures["storage"]
    timed = [
        [f"{name}, turn {length}", spread(t["cpu"]), spread(t["wall"]), round(t["wall"]["p95"], 1)]
        for name, by_length in times.items()
        for length, t in by_length.items()
    ]
    weighed = [
        [f"{name}, turn {length}", t["rows"], t["bytes"], t["wal"]]
        for name, found in storage.items()
        for length, t in found["turns"].items()
    ]
    totals = [[name, f["total"]["rows"], f["total"]["bytes"], f["total"]["disk"]] for name, f in storage.items()]
    growth = times[OURS][longest]["cpu"]["p50"] / times[OURS][first]["cpu"]["p50"]
    disk = storage[SWARM]["total"]["disk"] / storage[OURS]["total"]["disk"]
    live = storage[SWARM]["total"]["bytes"] / storage[OURS]["total"]["bytes"]
    return "\n\n".join(
        [
            "Milliseconds of a turn with one tool call, model and decision taking none: of this process (CPU) and until the answer (wall); median (quartiles).",
            table(["", "CPU ms", "wall ms", "wall p95"], timed),
            "What one turn adds: rows, bytes of the rows as stored (compressed), bytes of write-ahead log.",
            table(["", "rows", "bytes", "WAL bytes"], weighed),
            f"What {longest} turns weigh. Bastão's rows are everything: messages, turns with their trail, facts, packages, contacts, checkpoints.",
            table(["", "rows", "bytes", "on disk, with indexes"], totals),
            f"- CPU of turn {longest} / turn 1 ≤ 1.15: {growth:.2f}, {verdict(growth <= 1.15)}",
            f"- storage of {longest} turns ≤ 1/20 of the stock saver's with full history: 1/{disk:.1f} on disk, 1/{live:.1f} in rows' bytes, {verdict(disk >= 20)}",
        ]
    )
