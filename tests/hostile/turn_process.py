"""One turn in a process of its own: `python -m tests.hostile.turn_process THREAD`, on the DATABASE_URL of its environment."""

import asyncio
import os
import sys

from graph.conversation import Bastao
from routing.shop import Customer
from tests.api.serving import scripted
from tests.scripted import ScriptedDecider

ANA = Customer(id="c1", name="Ana", level="session")


async def main(thread_id: str) -> None:
    """Print the turn's status."""
    opener = scripted(
        {"support": lambda messages, kwargs: "Qual é o número?"}, ScriptedDecider(lambda message, exchange: "support")
    )
    opened: Bastao
    async with opener(dict(os.environ)) as opened:
        stream = opened.conversation.send(
            thread_id, ["cadê meu pedido?"], message_id="m-2", customer=ANA, channel="tests"
        )
        print([event.status for event in [e async for e in stream] if event.type == "done"])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
