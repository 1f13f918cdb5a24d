"""SIGTERM to a process under uvicorn: not ready, no new turn; running turns end, or another process answers them."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.shutdown import drained_first
from settings import ROOT
from tests.api.conftest import Served
from tests.api.process import LOOKUP
from tests.api.serving import Client, problem
from tests.api.test_conversations import to, until

ASKED = "cadê o pedido 10405?"
STARTS_S, ENDS_S = 90, 30
pytestmark = pytest.mark.slow


class Worker:
    """A process that serves, and whose turns wait until they are let go."""

    def __init__(self, database_url: str, reached: Path, *, shutdown_s: float) -> None:
        self.reached = reached
        with socket.create_server(("127.0.0.1", 0), backlog=32) as listening:
            command = [
                sys.executable,
                "-m",
                "tests.api.process",
                str(listening.fileno()),
                str(reached),
                str(shutdown_s),
            ]
            environ = {**os.environ, "DATABASE_URL": database_url}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environ, pass_fds=[listening.fileno()])
            self.client = Client(f"http://127.0.0.1:{listening.getsockname()[1]}")
        until(lambda: self.ready() == 200, STARTS_S)

    def ready(self) -> int:
        assert self.process.poll() is None, "the process ended"
        return self.client.get("/health/ready").status_code

    def wait_for_turn(self) -> None:
        until(self.reached.exists, STARTS_S)

    def let_go(self) -> None:
        self.process.send_signal(signal.SIGUSR1)

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)


@pytest.fixture
def start(database_url: str, tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    started: list[Worker] = []

    def begin(**more: Any) -> Worker:
        started.append(Worker(database_url, tmp_path / f"reached-{len(started)}", **more))
        return started[-1]

    yield begin
    for worker in started:
        worker.process.kill()
        worker.process.wait(ENDS_S)


def test_a_process_that_ends_says_so_and_finishes_its_turns(start: Callable[..., Worker]) -> None:
    worker = start(shutdown_s=20)
    client = worker.client
    conversation = client.create()
    with ThreadPoolExecutor() as pool:
        turn = pool.submit(client.stream, conversation, ASKED)
        worker.wait_for_turn()
        worker.terminate()
        until(lambda: worker.ready() == 503)
        checks = {check["name"]: check["ok"] for check in client.get("/health/ready").json()["checks"]}
        assert (checks["database"], checks["migrations"], checks["taking_turns"]) == (True, True, False)
        assert client.get("/health/live").status_code == 200
        refused = client.post(f"/conversations/{conversation}/messages", {"text": "e agora?"})
        problem(refused, 503, "closing_down")
        assert int(refused.headers["retry-after"]) > 0
        lines = client.get(f"/conversations/{conversation}/messages").json()["messages"]
        assert [line["text"] for line in lines] == [ASKED]  # what was refused is not stored
        worker.let_go()
        events = turn.result(ENDS_S)
    assert [event["type"] for event in events[-2:]] == ["reply", "done"]
    assert worker.process.wait(ENDS_S) in (0, -signal.SIGTERM)
    with pytest.raises(httpx.ConnectError):
        client.get("/health/live")


def test_a_turn_that_does_not_end_in_time_is_answered_by_another_process(
    start: Callable[..., Worker], serve: Served
) -> None:
    worker = start(shutdown_s=0.3)
    client = worker.client
    conversation = client.create()
    with ThreadPoolExecutor() as pool:
        turn = pool.submit(client.stream, conversation, ASKED, message_id="m-1")
        worker.wait_for_turn()
        worker.terminate()
        events = turn.result(ENDS_S)
    assert (events[-1]["type"], events[-1]["code"]) == ("error", "closing")
    assert worker.process.wait(ENDS_S) in (0, -signal.SIGTERM)
    other = serve(
        {"support": LOOKUP}, to("support")
    )  # it looks for such turns when it starts, and then again and again

    def lines() -> list[Any]:
        return other.get(f"/conversations/{conversation}/messages").json()["messages"]

    until(lambda: len(lines()) == 2)
    again = other.say(conversation, ASKED, message_id="m-1")
    assert lines()[1]["text"] == again["reply"]["text"]
    (stored,) = other.get(f"/conversations/{conversation}/trail").json()["turns"]
    assert (stored["status"], stored["number"]) == ("replied", 1)


async def test_the_work_ends_before_the_server_is_told_and_a_second_signal_does_not_wait() -> None:
    told: list[str] = []
    begun, opened, drained = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def drain() -> None:
        told.append("draining")
        begun.set()
        await opened.wait()
        told.append("drained")
        drained.set()

    before = signal.signal(signal.SIGTERM, lambda number, frame: told.append("server"))
    try:
        with drained_first(drain):
            signal.raise_signal(signal.SIGTERM)
            await begun.wait()
            signal.raise_signal(signal.SIGTERM)
            assert told == ["draining", "server"]
            opened.set()
            await drained.wait()
        assert told == ["draining", "server", "drained"]
        signal.raise_signal(signal.SIGTERM)
        assert told[-1] == "server"  # handed back
    finally:
        signal.signal(signal.SIGTERM, before)
