"""`langgraph dev` serves the demo offline, and LangGraph's own client converses with it."""

import importlib.util
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from settings import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.db,
    pytest.mark.skipif(
        importlib.util.find_spec("langgraph_api") is None, reason="the extra is absent: requirements-studio.txt"
    ),
]
STARTS_WITHIN_S = 240


@pytest.fixture
def server(surface_environ: dict[str, str], tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = surface_environ | {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false"}
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--host", "127.0.0.1", "--port", str(port), "--no-browser", "--no-reload", "--allow-blocking"]  # fmt: skip
    with (tmp_path / "studio.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/ok", process, tmp_path / "studio.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text("utf-8")[-2000:]
        try:
            if httpx.get(url, timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)  # another process: there is nothing of ours to wait on
    raise AssertionError(log.read_text("utf-8")[-2000:])


async def test_a_thread_a_streamed_run_and_a_transfer(server: str) -> None:
    from langgraph_sdk import get_client

    client = get_client(url=server)
    thread = await client.threads.create()
    seen: list[dict[str, Any]] = []
    for text in (
        "oi, meu tênis do pedido 10405 ainda não chegou, cadê?",
        "e por que me cobraram duas vezes no cartão?",
    ):
        given = {"messages": [{"role": "user", "content": text}]}
        async for part in client.runs.stream(thread["thread_id"], "bastao", input=given, stream_mode="custom"):
            assert part.event != "error", part.data
            if part.event == "custom":
                seen.append(part.data)
    assert {"decision", "reply", "done"} <= {event["type"] for event in seen}
    assert [event["to_agent"] for event in seen if event["type"] == "handoff"][-1] == "billing"
    state: Any = await client.threads.get_state(thread["thread_id"])
    assert [message["type"] for message in state["values"]["messages"]] == ["human", "ai", "human", "ai"]
