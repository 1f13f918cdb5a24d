"""An API process of its own, for tests that end it: `python -m tests.api.process FD REACHED SHUTDOWN_S`.

It serves a Bastão of scripted models on the DATABASE_URL of its environment, on an inherited listening socket. Every turn
makes the file REACHED and waits for SIGUSR1.
"""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn

from api import create_app
from graph.limits import Limits
from tests.api.serving import scripted
from tests.scripted import ScriptedDecider, call

LOOKUP = [call("lookup_order", order="10405"), "Seu pedido 10405 está com a transportadora."]


def main(fd: int, reached: Path, shutdown_s: float) -> None:
    decider = ScriptedDecider(lambda message, exchange: "support")

    async def wait() -> None:
        opened = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, opened.set)
        await asyncio.to_thread(reached.touch)
        await opened.wait()

    decider.meanwhile = wait
    opener = scripted({"support": LOOKUP}, decider, limits=Limits(shutdown_s=shutdown_s))
    app = create_app(dict(os.environ), opener=opener)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=5)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
