"""Four API workers on one PostgreSQL, many conversations at once, simulated providers: is anything lost, and how fast is it?

python -m bench.workers [--workers 4] [--conversations 200] [--turns 5]; exits 1 when a message or a reply is lost or doubled.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from bench.customer import ask
from bench.place import environment, fresh_database, server
from bench.serving import api, free_port, memory_mb, process, wait_for
from bench.tables import middle

_CHAT = "openai/simulated-chat"
_NO_LIMIT = {"limit_usd": "1000000", "stop_usd": "1000000"}
_TRIES = 5
Json = dict[str, Any]


@dataclass(slots=True)
class Seen:
    """What the client saw of all conversations."""

    sent: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    statuses: Counter[str] = field(default_factory=Counter[str])
    took_ms: list[float] = field(default_factory=list[float])
    faults: list[str] = field(default_factory=list[str])
    sent_again: int = 0


def simulated(address: str) -> Json:
    """Return the configuration that asks simulated providers for every decision and every chat completion."""
    return {
        "decision": {"provider": "msd1+fallback", "deadline_s": 30},
        "chat_model": {"provider": "openrouter", "model": _CHAT, "base_url": f"{address}/api/v1", "timeout_s": 120},
        "budget": {"day": _NO_LIMIT, "conversation": _NO_LIMIT, "customer": _NO_LIMIT},
        "prices": {
            "models": {
                _CHAT: {"input_usd": "0.4", "output_usd": "1.6"},
                "microsoft/microsoft-decision-1": {"input_usd": "0.042"},
            }
        },
    }


async def measure(*, workers: int, conversations: int, turns: int) -> Json:
    """Run the load over real sockets, then read every conversation back and compare."""
    with server() as database_server, fresh_database(database_server) as url:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with process(["-m", "bench.simulated", str(port)], environment(url)) as providers:
            wait_for(f"{address}/openapi.json", providers)
            environ = environment(
                url, config=simulated(address), name="workers", OPENROUTER_BASE_URL=address, OPENROUTER_API_KEY="simulated",
                TURN_TIMEOUT_SECONDS="600",
            )  # fmt: skip
            with api(environ, workers=workers) as (base, whole):
                async with _client(base) as client:
                    # Unmeasured: workers that are still loading the fallback's model would be measured at that.
                    await asyncio.gather(*(_converse(client, n, 2, Seen()) for n in range(2 * workers)))
                    seen, began = Seen(), time.perf_counter()
                    await asyncio.gather(*(_converse(client, n, turns, seen) for n in range(conversations)))
                    span = time.perf_counter() - began
                    await _check(client, seen)
                memory = memory_mb(whole)
    answered = sum(seen.statuses.values())
    return {
        "workers": workers, "conversations": conversations, "turns": turns, "messages": conversations * turns, "answered": answered,
        "statuses": dict(seen.statuses), "sent_again": seen.sent_again, "faults": seen.faults[:20], "lost_or_doubled": len(seen.faults), "seconds": round(span, 1),
        "turns_per_s": answered / span, "took": middle(seen.took_ms), "memory_mb": round(memory),
    }  # fmt: skip


def _client(base: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    headers = {"X-Demo-Customer": "c1", "Accept": "application/json"}
    return httpx.AsyncClient(base_url=base, timeout=None, limits=limits, headers=headers)


async def _converse(client: httpx.AsyncClient, number: int, turns: int, seen: Seen) -> None:
    made = await _post(client, "/conversations", None, seen)
    conversation = str(made.json()["conversation_id"])
    seen.sent[conversation] = []
    for turn in range(1, turns + 1):
        message_id, began = uuid4().hex, time.perf_counter()
        seen.sent[conversation].append(message_id)
        body = {"message_id": message_id, "text": ask(turn, number)}
        got = await _post(client, f"/conversations/{conversation}/messages", body, seen)
        seen.took_ms.append((time.perf_counter() - began) * 1000)
        answer: Mapping[str, Any] = got.json() if got.status_code == 200 else {"status": f"HTTP {got.status_code}"}
        seen.statuses[str(answer["status"])] += 1
        if answer["status"] != "replied" or not answer["reply"]:
            seen.faults.append(f"{conversation} turn {turn}: {answer['status']}")


async def _post(client: httpx.AsyncClient, path: str, body: Json | None, seen: Seen) -> httpx.Response:
    """Post, again where the connection was lost or the answer is to come back later (409).

    As a client should, under the same message id, so that nothing is asked twice.
    """
    for _ in range(_TRIES - 1):
        wait_s = 1.0
        try:
            got = await client.post(path, json=body)
        except httpx.TransportError:
            pass
        else:
            if got.status_code != httpx.codes.CONFLICT:
                return got
            wait_s = float(got.headers.get("Retry-After", 1))
        seen.sent_again += 1
        await asyncio.sleep(wait_s)
    return await client.post(path, json=body)


async def _check(client: httpx.AsyncClient, seen: Seen) -> None:
    """Read each history: every message once, in its order, each followed by exactly one reply of its turn."""
    for conversation, sent in seen.sent.items():
        lines: list[Json] = (await client.get(f"/conversations/{conversation}/messages")).json()["messages"]
        stored = [line["message_id"] for line in lines if line["role"] == "customer"]
        if stored != sent:
            seen.faults.append(
                f"{conversation}: sent {len(sent)} messages, {len(stored)} are stored, or in another order"
            )
        replies = Counter(line["turn_id"] for line in lines if line["role"] == "agent")
        for line in lines:
            if line["role"] == "customer" and replies[line["turn_id"]] != 1:
                seen.faults.append(f"{conversation}: {replies[line['turn_id']]} replies to {line['message_id']}")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.workers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    found = asyncio.run(measure(workers=given.workers, conversations=given.conversations, turns=given.turns))
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 1 if found["lost_or_doubled"] else 0


if __name__ == "__main__":
    sys.exit(main())
