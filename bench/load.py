"""One process of a load: so many conversations at once, each a few turns. Started by bench.parts.concurrency.

python -m bench.load bastao|swarm URL KIT CONVERSATIONS TURNS LABEL; waits for a line on stdin before it begins, prints JSON.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from bench.bastao import bastao
from bench.customer import ask
from bench.peers import Kit, on_postgres

Say = Callable[[str, str], Awaitable[Any]]


async def run(kind: str, url: str, kit: Kit, *, conversations: int, turns: int, label: str) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        say: Say = (
            (await stack.enter_async_context(bastao(url))).say
            if kind == "bastao"
            else (await stack.enter_async_context(on_postgres(kind, kit, url, set_up=False))).say
        )
        await say(f"{label}-warm", ask(1))
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        took: list[float] = []
        began, cpu = time.time(), time.process_time()
        await asyncio.gather(*(_converse(say, f"{label}-{n}", n, turns, took) for n in range(conversations)))
        return {"began": began, "ended": time.time(), "cpu_s": time.process_time() - cpu, "took": took}


async def _converse(say: Say, thread: str, number: int, turns: int, took: list[float]) -> None:
    for turn in range(1, turns + 1):
        began = time.perf_counter()
        await say(thread, ask(turn, number))
        took.append(time.perf_counter() - began)


def main() -> None:
    kind, url, kit, conversations, turns, label = sys.argv[1:]
    given = Kit.load(Path(kit).read_text("utf-8"))
    print(
        json.dumps(asyncio.run(run(kind, url, given, conversations=int(conversations), turns=int(turns), label=label)))
    )


if __name__ == "__main__":
    main()
