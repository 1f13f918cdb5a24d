"""An API process of its own: `python -m tests.api.worker FD`, a Bastão of scripted models on an inherited listening socket.

It serves the DATABASE_URL of its environment as an API worker does, and ends at SIGTERM.
"""

import os
import socket
import sys

import uvicorn

from api import create_app
from tests.api.serving import scripted
from tests.scripted import ScriptedDecider, calls

HOP = {
    "support": [
        calls(("lookup_order", {"order": "10405"}), ("not_mine", {"reason": "duplicate_charge", "detail": "em dobro"}))
    ],
    "billing": ["Vejo duas cobranças do pedido 10405."],
}


def main(fd: int) -> None:
    opener = scripted(HOP, ScriptedDecider(lambda message, exchange: "support"))
    config = uvicorn.Config(create_app(dict(os.environ), opener=opener), log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
