"""Runs an app on a port of the loopback interface, in a thread of its own, and stops it again."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def serving(app: ASGIApp, *, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve while the block runs and give the base address. Port 0 is a free one. Raises OSError for a port that is taken.

    The socket listens before the server runs: a client that comes early waits in its queue instead of being refused.
    """
    listening = socket.create_server((host, port), backlog=128)
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="stub-providers", daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()


def serve_forever(app: ASGIApp, *, host: str, port: int) -> None:
    """Serve until the process is told to stop."""
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)
