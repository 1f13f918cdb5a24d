"""The command that serves the simulated shop: what it refuses, and that it serves."""

import socket
import subprocess
import sys

import httpx
import pytest

from scripts.stub_shop import main
from settings import ROOT


@pytest.mark.parametrize("argument", ["write", "write=fire", "cancel=late"])
def test_a_fault_that_is_none(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fault", argument]) == 2
    said = capsys.readouterr().err
    assert argument in said
    assert "reset_after" in said
    assert "find_effect" in said


@pytest.mark.slow
def test_it_serves_and_says_that_it_is_invented() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = [sys.executable, "-m", "scripts.stub_shop", "--port", str(port), "--fault", "write=late"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            assert "invented" in process.stdout.readline()
            transport = httpx.HTTPTransport(retries=5)  # the line is printed just before the port is opened
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, trust_env=False) as http:
                assert http.get("/orders/10405").json()["id"] == "10405"
                assert http.get("/stub/faults").json()[0]["kind"] == "late"
        finally:
            process.terminate()
