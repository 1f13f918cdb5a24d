"""CPU and wall time of a turn of the graph alone: no decision, no storage, an instant model; beside swarm in memory."""

from typing import Any

from bench.bastao import bastao
from bench.clock import Times
from bench.customer import ask
from bench.kit import take_kit
from bench.peers import in_memory
from bench.place import fresh_database, server
from bench.standins import graph_alone
from bench.tables import spread, table, verdict

TITLE = "The graph alone"
AT = (1, 20, 60)
ROUNDS, QUICK_ROUNDS = 30, 6
OURS, SWARM = "Bastão", "langgraph-swarm"
# Shown beside a target that is missed.
WHY = (
    "Swarm's graph is one agent's loop and nothing else; ours is six steps around the same loop, with the rules of turn-taking, the "
    "extraction of facts, grounding and the check of every claim in it. Tried: bench/profiles (44 % of all calls of a turn are gone). What is "
    "left is LangGraph's own cost per step, and the claims check (a tenth). A long conversation turns the ratio round: ours is flat."
)
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Time both, round by round in turns, on conversations that have the given length."""
    with server() as address, fresh_database(address) as url:
        async with bastao(url, keep=True) as desk:
            kit = await take_kit(desk)
            for model in desk.models.made.values():
                model.keep = False
            found: Json = {}
            for length in AT:
                times, pair = {OURS: Times(), SWARM: Times()}, await _grown(desk, kit, length)
                for number in range(QUICK_ROUNDS if quick else ROUNDS):
                    await _round(pair, times, length, number)
                found[str(length)] = {name: t.summary() for name, t in times.items()}
    return found


async def _round(pair: Any, times: dict[str, Times], length: int, number: int) -> None:
    """Time the turn that follows `length - 1` turns. Long conversations are gone on with: a few turns more are no difference."""
    ours, swarm = pair
    thread = f"{length}-{number if length == 1 else 0}"
    if length == 1:
        ours.begin(thread)
    text = ask(length + (number if length > 1 else 0), number)
    await times[OURS].of(lambda: ours.say(text))
    await times[SWARM].of(lambda: swarm.say(thread, text))


async def _grown(desk: Any, kit: Any, length: int) -> Any:
    """Return both, warm, with a conversation that is one turn short of the length."""
    ours, swarm = await graph_alone(desk), in_memory("swarm", kit)
    for turn in range(1, max(length, 4)):
        await ours.say(ask(turn))
        await swarm.say(f"{length}-0" if length > 1 else "warm", ask(turn))
    return ours, swarm


def render(figures: Json) -> str:
    rows = [
        [f"{name}, turn {length}", spread(t["cpu"]), spread(t["wall"]), t["cpu"]["n"]]
        for length, both in figures.items()
        for name, t in both.items()
    ]
    ratios: dict[str, float] = {
        length: both[OURS]["cpu"]["p50"] / both[SWARM]["cpu"]["p50"] for length, both in figures.items()
    }
    met = max(ratios.values()) <= 1.5
    told = ", ".join(f"{ratio:.2f} at turn {length}" for length, ratio in ratios.items())
    return "\n\n".join(
        [
            "Milliseconds of a turn with one tool call; median (quartiles).",
            table(["graph alone", "CPU ms", "wall ms", "n"], rows),
            f"- CPU ≤ 1.5 × swarm in memory: {told}, {verdict(met)}" + ("" if met else f". {WHY}"),
        ]
    )
