"""The command: what it refuses, and that it serves."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from scripts.stub_providers import main

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("argument", "said"), [("jev", "not a fault"), ("jev=fire", "kinds: status"), ("jev=status:9", "status")]
)
def test_a_fault_that_is_none(argument: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fault", argument], environ={}) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_it_serves_and_says_that_it_simulates() -> None:
    free = httpx.URL("http://127.0.0.1:0")
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = [sys.executable, "-m", "scripts.stub_providers", "--port", str(port), "--fault", "m=status:503"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            assert "simulated" in process.stdout.readline()
            transport = httpx.HTTPTransport(retries=5)  # the line is printed just before the port is opened
            with httpx.Client(base_url=free.copy_with(port=port), transport=transport) as http:
                assert http.get("/stub/faults").json()["m"]["status"] == 503
        finally:
            process.terminate()
