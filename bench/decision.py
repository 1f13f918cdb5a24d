"""How long a decision of the embedded model takes, on one core: median, 95th percentile, load time, memory.

python -m bench.decision [--rounds N] [--at-most N]
"""

import argparse
import json
import os
import platform
import resource
import statistics
import time
from pathlib import Path

from routing.decision import Exchange
from routing.providers.base import ask
from routing.question import build_question
from settings import ROOT, decider_of, load_environment, load_settings, roster_of

CASES = ROOT / "evals" / "cases" / "router"


def exchanges() -> list[tuple[str, Exchange]]:
    """Return the development set's messages with their last exchange: real lengths, in context and out of it."""
    found: list[tuple[str, Exchange]] = []
    for path in sorted(CASES.glob("dev_*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            last = {turn["role"]: turn["text"] for turn in case["history"]}
            exchange = Exchange(
                last_customer=last.get("customer"), last_agent=last.get("agent"), current_agent=case["current_agent"]
            )
            found.append((case["message"], exchange))
    return found


async def measure(rounds: int, at_most: int | None = None) -> dict[str, float | int | str]:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    environ = load_environment()
    settings = load_settings(environ)
    roster = roster_of(settings)
    provider = decider_of(settings, roster, environ, provider="local").providers[0]
    began = time.perf_counter()
    provider.warm_up()
    loaded = time.perf_counter() - began
    question = build_question([(spec.id, spec.role) for spec in roster.specs])
    cases = exchanges()[:at_most]
    took: list[float] = []
    cpu = time.process_time()
    for _ in range(rounds):
        for message, exchange in cases:
            before = time.perf_counter()
            await ask(provider, message, exchange=exchange, question=question)
            took.append((time.perf_counter() - before) * 1000)
    cpu = (time.process_time() - cpu) * 1000 / len(took)
    cut = statistics.quantiles(took, n=100)
    return {
        "decisions": len(took), "p50_ms": round(cut[49], 2), "p95_ms": round(cut[94], 2), "p99_ms": round(cut[98], 2),
        "cpu_ms": round(cpu, 2), "load_s": round(loaded, 2), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "python": platform.python_version(), "machine": f"{platform.machine()}, one of {os.cpu_count()} cores",
    }  # fmt: skip


def main() -> None:
    import asyncio

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--at-most", type=int, default=None, metavar="N", help="only the first N messages")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    figures = asyncio.run(measure(given.rounds, given.at_most))
    print(json.dumps(figures, indent=2))
    if given.out:
        given.out.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
