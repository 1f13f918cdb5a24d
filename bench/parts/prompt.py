"""Tokens that are sent: per turn at 5, 20, 60 and 200 turns with one tool call each, and for a transfer there. Deterministic."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from bench.bastao import bastao
from bench.counting import Counter
from bench.customer import SECOND, ask, change_of_subject
from bench.kit import take_kit
from bench.model import Request
from bench.peers import in_memory
from bench.place import fresh_database, server
from bench.tables import table, verdict
from routing.tokens import approximate_tokens

TITLE = "Prompt cost"
LENGTHS = (5, 20, 60, 200)
OURS, DECLINED = "Bastão", "Bastão, the specialist declines"
Turn = Callable[[str, str], Awaitable[list[Request]]]
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Return the figures of every contender. They are exact: `quick` changes nothing."""
    del quick
    with server() as address, fresh_database(address) as url:
        async with bastao(url, keep=True) as desk:
            kit = await take_kit(desk)
            turns: Json = {OURS: await long_conversation(desk.turn, LENGTHS)}
            transfers: Json = {OURS: await all_transfers(desk.turn, LENGTHS)}
            desk.decider.sees = False
            transfers[DECLINED] = await all_transfers(desk.turn, LENGTHS[:-1])
    for kind in ("swarm", "supervisor", "single"):
        peer = in_memory(kind, kit, keep=True)
        # The supervisor's own steps grow so fast that 200 turns would take most of the run.
        lengths = LENGTHS if kind != "supervisor" else LENGTHS[:-1]
        turns[peer.name] = await long_conversation(peer.turn, lengths)
        transfers[peer.name] = await all_transfers(peer.turn, LENGTHS[:-1])
    return {"turns": turns, "transfers": transfers}


async def long_conversation(turn: Turn, lengths: tuple[int, ...]) -> Json:
    """Hold one conversation to its longest length; return what the turns at each length sent."""
    counter, thread, found = Counter(), uuid4().hex, {}
    for number in range(1, max(lengths) + 1):
        counted = counter.turn(await turn(thread, ask(number)))
        if number in lengths:
            found[str(number)] = counted
    return found


async def all_transfers(turn: Turn, lengths: tuple[int, ...]) -> Json:
    return {str(length): await transfer_after(turn, length) for length in lengths}


async def transfer_after(turn: Turn, length: int) -> Json:
    """Return what a turn sent that moved to another specialist after so many turns, and its destination's first request."""
    counter, thread = Counter(), uuid4().hex
    for number in range(1, length + 1):
        counter.turn(await turn(thread, ask(number)))
    requests = await turn(thread, change_of_subject(length))
    first = next((r for r in requests if r.agent == SECOND), requests[0])
    return {
        **counter.turn(requests),
        "first": approximate_tokens(first.varying),
        "first_whole": approximate_tokens(first.whole),
    }


def render(figures: Json) -> str:
    """Write the tables and whether the targets are met."""
    turns, transfers = figures["turns"], figures["transfers"]
    rows = [
        [name, length, t["requests"], t["sent"], t["varying"], t["at_50"], t["at_90"]]
        for name, by_length in turns.items()
        for length, t in by_length.items()
    ]
    moved = [
        [name, length, t["requests"], t["first"], t["first_whole"], t["sent"], t["at_50"], t["at_90"]]
        for name, by_length in transfers.items()
        for length, t in by_length.items()
    ]
    return "\n\n".join(
        [
            "Tokens (characters / 4) of a turn with one tool call: all its requests, tools' schemas included. *Varying* leaves out the static prompt and the schemas. The last two columns count what a prefix cache has at half price and at a tenth.",
            table(["turn of", "length", "requests", "sent", "varying", "at 50 %", "at 90 %"], rows),
            "A turn that moves to another specialist. *First* is the destination's first request without static prompt and schemas. Bastão moves by the router, or the specialist declines (`not_mine`) and the next one answers in the same turn; a single agent has nobody to move to.",
            table(["transfer in", "after", "requests", "first", "first, whole", "sent", "at 50 %", "at 90 %"], moved),
            targets(figures),
        ]
    )


def targets(figures: Json) -> str:
    flat = figures["turns"][OURS]["200"]["sent"] / figures["turns"][OURS]["60"]["sent"]
    ours = max(figures["transfers"][name]["60"]["first"] for name in (OURS, DECLINED))
    theirs = figures["transfers"]["langgraph-swarm"]["60"]["first"]
    lines = [
        f"- turn 200 / turn 60 ≤ 1.10: {flat:.2f}, {verdict(flat <= 1.10)}",
        f"- destination's first request at 60 turns ≤ 1,600: {ours}, {verdict(ours <= 1600)}",
        f"- … and ≤ 1/20 of swarm's: 1/{theirs / ours:.1f} (swarm {theirs}), {verdict(ours * 20 <= theirs)}",
    ]
    return "\n".join(lines)
