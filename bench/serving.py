"""The processes of a shop, started as a shop starts them: API workers and simulated providers, stopped by their own ids."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import httpx
import psutil

from settings import ROOT

_PATIENCE_S = 300.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@contextmanager
def process(command: list[str], environ: Mapping[str, str]) -> Iterator[psutil.Process]:
    """Run a Python command while the block runs; end it and its children after it."""
    started = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=dict(environ))
    whole = psutil.Process(started.pid)
    try:
        yield whole
    finally:
        children = whole.children(recursive=True) if whole.is_running() else []
        started.terminate()
        try:
            started.wait(timeout=30)
        except subprocess.TimeoutExpired:
            started.kill()
        _, left = psutil.wait_procs(children, timeout=10)
        for child in left:
            child.kill()


def wait_for(url: str, whole: psutil.Process) -> float:
    """Return the seconds until the address answers 200. Raises TimeoutError when it never does, RuntimeError when its process is over."""
    began = time.monotonic()
    while time.monotonic() - began < _PATIENCE_S:
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return time.monotonic() - began
        except httpx.HTTPError:
            pass
        if not whole.is_running() or whole.status() == psutil.STATUS_ZOMBIE:
            raise RuntimeError(f"the process behind {url} ended")
        time.sleep(0.05)
    raise TimeoutError(url)


@contextmanager
def api(environ: Mapping[str, str], *, workers: int = 1) -> Iterator[tuple[str, psutil.Process]]:
    """Serve the API with so many workers; give its address once a worker is ready."""
    port = free_port()
    # Uvicorn ends a worker that is silent for 5 s: under a load on purpose that would be a restart, not a measurement.
    patience = ["--timeout-worker-healthcheck", "120"]
    command = [
        "-m",
        "uvicorn",
        "api:app",
        "--port",
        str(port),
        "--workers",
        str(workers),
        "--log-level",
        "error",
        *patience,
    ]
    with process(command, environ) as whole:
        wait_for(f"http://127.0.0.1:{port}/health/ready", whole)
        yield f"http://127.0.0.1:{port}", whole


def memory_mb(whole: psutil.Process) -> float:
    """Return the memory of a process and its children that no other process shares (USS), in MB."""
    found = [whole, *whole.children(recursive=True)]
    return sum(one.memory_full_info().uss for one in found if one.is_running()) / 1e6
