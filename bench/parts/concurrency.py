"""Many conversations at once, in one process and in four; and what is left of eight messages that arrive at once."""

import asyncio
import json
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.bastao import ANA, bastao
from bench.kit import take_kit
from bench.peers import BUILDERS, Kit, on_postgres
from bench.place import environment, fresh_database, server
from bench.tables import middle, table, verdict
from ops.reading import history

TITLE = "Many at once"
CONVERSATIONS, PROCESSES, TURNS, REPEATS = (50, 200), (1, 4), 2, 2
QUICK = ((10,), (1, 2), 1, 1)
KINDS = {"bastao": "Bastão", "swarm": "langgraph-swarm, stock saver"}
AT_ONCE = 8
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Load both, repeat by repeat in turns, then send eight messages at once to each."""
    conversations, processes, turns, repeats = QUICK if quick else (CONVERSATIONS, PROCESSES, TURNS, REPEATS)
    async with AsyncExitStack() as stack:
        address = stack.enter_context(server())
        url = stack.enter_context(fresh_database(address))
        async with bastao(url, keep=True) as desk:
            kit = await take_kit(desk)
            kept = {"Bastão": await _bastao_keeps(desk)}
        for kind in BUILDERS:
            async with on_postgres(kind, kit, stack.enter_context(fresh_database(address))) as peer:
                kept[peer.name] = await _peer_keeps(peer)
        runs: list[Json] = []
        for many, count, _, kind in product(conversations, processes, range(repeats), KINDS):
            with fresh_database(address) as own:
                if kind != "bastao":
                    async with on_postgres(kind, kit, own):
                        pass
                runs.append(_load(kind, own, kit, conversations=many, processes=count, turns=turns))
    return {"kept": kept, "runs": runs, "turns": turns}


def _load(kind: str, url: str, kit: Kit, *, conversations: int, processes: int, turns: int) -> Json:
    """Run one load; return turns per second over all processes, the latencies in ms, and CPU seconds of our side."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kit.json"
        path.write_text(kit.dump(), "utf-8")
        share = conversations // processes
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.load", kind, url, str(path), str(share), str(turns), uuid4().hex[:6]],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(url),
            )
            for _ in range(processes)
        ]  # fmt: skip
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "ready"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        found = [json.loads(process.communicate()[0]) for process in started]
    took = [seconds * 1000 for one in found for seconds in one["took"]]
    span = max(one["ended"] for one in found) - min(one["began"] for one in found)
    return {
        "kind": kind, "conversations": conversations, "processes": processes, "turns_per_s": len(took) / span, "took": middle(took),
        "cpu_ms": 1000 * sum(one["cpu_s"] for one in found) / len(took),
    }  # fmt: skip


def _eight() -> list[str]:
    return [
        f"mensagem {number} sobre o pedido 10405"
        for number in ("um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito")
    ]


async def _bastao_keeps(desk: Any) -> Json:
    async def send(text: str) -> None:
        async for _ in desk.conversation.send("eight", [text], message_id=uuid4().hex, customer=ANA, channel="bench"):
            pass

    answers = await asyncio.gather(*(send(text) for text in _eight()), return_exceptions=True)
    lines = await history(desk.services.database, "eight", customer=None)
    said = [line.text for line in lines if line.role == "customer"]
    unanswered = [line for line in lines if line.role == "customer" and line.turn_status != "replied"]
    return _kept(said, answers) | {"unanswered": len(unanswered)}


async def _peer_keeps(peer: Any) -> Json:
    answers = await asyncio.gather(*(peer.say("eight", text) for text in _eight()), return_exceptions=True)
    return _kept(await peer.heard("eight"), answers)


def _kept(said: list[str], answers: list[Any]) -> Json:
    return {
        "kept": len(set(said) & set(_eight())), "twice": len(said) - len(set(said)),
        "errors": sum(isinstance(a, BaseException) for a in answers),
    }  # fmt: skip


def render(figures: Json) -> str:
    rows = [
        [KINDS[r["kind"]], r["conversations"], r["processes"], round(r["turns_per_s"], 1), round(r["took"]["p50"]), round(r["took"]["p95"]), round(r["cpu_ms"], 1)]
        for r in sorted(figures["runs"], key=lambda r: (r["conversations"], r["processes"], r["kind"]))
    ]  # fmt: skip
    kept = [[name, f"{k['kept']} of {AT_ONCE}", k["twice"], k["errors"]] for name, k in figures["kept"].items()]
    ours = figures["kept"]["Bastão"]
    return "\n\n".join(
        [
            f"Every conversation begins in the same moment and has {figures['turns']} turns; one line per repeat. The model takes no time, so everybody waits for the processor: latencies are queueing.",
            table(["", "conversations", "processes", "turns/s", "p50 ms", "p95 ms", "CPU ms/turn"], rows),
            "Eight messages at once in one conversation: how many of them the conversation still has afterwards. No peer reports an error for those it lost.",
            table(["", "kept", "twice", "errors"], kept),
            f"- Bastão keeps all, each answered: {verdict(ours['kept'] == AT_ONCE and not ours['unanswered'])}",
        ]
    )
