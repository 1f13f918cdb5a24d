"""Four API workers, 200 conversations of 5 turns at once, simulated providers over real sockets: nothing lost."""

from typing import Any

from bench.tables import table, verdict
from bench.workers import measure as run

TITLE = "Four API workers"
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Run the load of `bench.workers` at its full size, or a small one."""
    return await run(workers=2 if quick else 4, conversations=8 if quick else 200, turns=2 if quick else 5)


def render(figures: Json) -> str:
    f = figures
    # An answer to come back later is no loss: the message is stored, and its reply is among those that were read back.
    later = f["statuses"].get("HTTP 409", 0)
    lost = f["lost_or_doubled"] - later
    rows = [[f"{f['workers']} workers, {f['conversations']} × {f['turns']}", f["messages"], f["answered"], lost, later, f.get("sent_again", 0), round(f["turns_per_s"], 1), round(f["took"]["p50"]), round(f["took"]["p95"]), f["memory_mb"]]]  # fmt: skip
    told = "; ".join([fault for fault in f["faults"] if "HTTP 409" not in fault][:5])
    return "\n\n".join(
        [
            "All conversations begin in the same moment. Decisions and chat completions come from the simulated providers, one more process on the same machine; every message and reply is read back afterwards.",
            table(
                [
                    "",
                    "messages",
                    "answered",
                    "lost or doubled",
                    "told to come back",
                    "sent again",
                    "turns/s",
                    "p50 ms",
                    "p95 ms",
                    "memory MB",
                ],
                rows,
            ),
            f"- nothing lost, nothing doubled, each message answered once: {verdict(not lost)}"
            + (f" ({told})" if told else ""),
            *(
                [
                    "Told to come back: the API answered 409 after two minutes of waiting for room; the reply was in the history."
                ]
                if later
                else []
            ),
        ]
    )
