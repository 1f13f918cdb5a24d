"""Profile the graph's turns: where does the work of a turn go?

python -m bench.profile [--turns N] > bench/profiles/now.txt

Calls are exact and the same on any machine; milliseconds are CPU time under the profiler, which makes short functions look long.
"""

import argparse
import asyncio
import cProfile
import pstats
import time
from typing import Any

from bench.bastao import bastao
from bench.customer import ask
from bench.place import fresh_database, server
from bench.standins import graph_alone
from settings import ROOT

_WARM = 10
_SHOWN = 60
_ELSEWHERE = ("langgraph", "langchain_core", "langchain", "langsmith", "pydantic", "asyncio", "concurrent")


async def profile(turns: int) -> pstats.Stats:
    """Return the profile of so many turns of one conversation, after a few that are not counted."""
    with server() as address, fresh_database(address) as url:
        async with bastao(url) as desk:
            alone = await graph_alone(desk)
            for number in range(1, _WARM + 1):
                await alone.say(ask(number))
            watched = cProfile.Profile(time.process_time)
            watched.enable()
            for number in range(_WARM + 1, _WARM + 1 + turns):
                await alone.say(ask(number))
            watched.disable()
    return pstats.Stats(watched)


def described(stats: pstats.Stats, turns: int) -> str:
    """Write the sums by package, then our own functions, the most expensive with what they call first."""
    found: dict[tuple[str, int, str], Any] = stats.stats  # type: ignore[attr-defined]
    calls = sum(row[1] for row in found.values())
    lines = [
        f"{turns} turns, {calls / turns:,.0f} calls and {1000 * sum(row[2] for row in found.values()) / turns:.1f} ms a turn",
        "",
    ]
    sums: dict[str, list[float]] = {}
    for (file, _, _), row in found.items():
        total = sums.setdefault(_package(file), [0.0, 0.0])
        total[0], total[1] = total[0] + row[1], total[1] + row[2]
    lines.append(f"{'calls/turn':>10} {'own ms':>8}  package")
    lines.extend(
        f"{n / turns:>10,.0f} {1000 * own / turns:>8.2f}  {name}"
        for name, (n, own) in sorted(sums.items(), key=lambda i: -i[1][0])
    )
    ours = [
        (key, row)
        for key, row in found.items()
        if key[0].startswith(f"{ROOT}/") and "/bench/" not in key[0] and ".venv" not in key[0]
    ]
    lines.extend(["", f"{'calls/turn':>10} {'own ms':>8} {'with callees':>12}  function"])
    for (file, line, name), row in sorted(ours, key=lambda item: -item[1][3])[:_SHOWN]:
        lines.append(
            f"{row[1] / turns:>10,.1f} {1000 * row[2] / turns:>8.2f} {1000 * row[3] / turns:>12.2f}  {file.removeprefix(f'{ROOT}/')}:{line} {name}"
        )
    return "\n".join(lines) + "\n"


def _package(file: str) -> str:
    if file.startswith(f"{ROOT}/") and ".venv" not in file:
        return file.removeprefix(f"{ROOT}/").split("/")[0]
    return next((name for name in _ELSEWHERE if f"/{name}/" in file), "other")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.profile", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=30)
    turns = parser.parse_args().turns
    print(described(asyncio.run(profile(turns)), turns), end="")


if __name__ == "__main__":
    main()
