"""The pages, served by a process of their own that can be ended and started again on the same address."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from settings import ROOT

PATIENCE_S = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Pages:
    """`streamlit run app.py` in an environment; its output goes to a file."""

    def __init__(
        self, environ: Mapping[str, str], *, log: Path, port: int | None = None, flags: tuple[str, ...] = ()
    ) -> None:
        self._port = port or free_port()
        self.environ, self._log, self._flags = environ, log, flags
        self.address = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        flags = (f"--server.port={self._port}", "--server.address=127.0.0.1", *self._flags)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", *flags],
                cwd=ROOT,
                env=dict(self.environ),
                stdout=log,
                stderr=log,
            )
        try:
            _wait_for(self.address + "/_stcore/health", self._process)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(40)
        except subprocess.TimeoutExpired:  # one that is fitting the decision model hears nothing
            self._process.kill()
            self._process.wait()


@contextmanager
def serving_pages(
    environ: Mapping[str, str], *, log: Path, port: int | None = None, flags: tuple[str, ...] = ()
) -> Iterator[Pages]:
    pages = Pages(environ, log=log, port=port, flags=flags)
    try:
        yield pages
    finally:
        pages.stop()


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        assert process.poll() is None, "streamlit ended at once"
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)  # another process: there is nothing of ours to wait on
    raise AssertionError(f"{url} does not answer")
