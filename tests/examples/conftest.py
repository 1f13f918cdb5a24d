"""The embeddable chat on a site of its own, in front of the demo's API."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from api import create_app
from settings import ROOT
from tests.api.serving import serving

WIDGET = ROOT / "examples/widget"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        del format, args


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a site that serves the widget's files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(WIDGET)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def api(site: str, database_url: str, data_dir: Path, tmp_path: Path) -> Iterator[str]:
    """The address of the demo's API, which lets that site in."""
    config = json.loads((ROOT / "config.json").read_text("utf-8")) | {"api": {"origins": [site]}}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    environ = {
        "DATABASE_URL": database_url,
        "BASTAO_DATA_DIR": str(data_dir),
        "BASTAO_CONFIG": str(tmp_path / "config.json"),
    }
    with serving(create_app(environ)) as address:
        yield address
