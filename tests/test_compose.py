"""The compose file and the image, as far as they can be checked without Docker: what they name exists, and nobody is root."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from api import health
from settings import ROOT
from tests.test_architecture import TOP

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = ("api", "pages")


def test_the_three_services_are_there_and_images_have_plain_names() -> None:
    assert set(SERVICES) == {"database", *OURS}
    base = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    for image in [*base, *(service["image"] for service in SERVICES.values())]:
        assert "/" not in image
        assert image == "bastao" or re.fullmatch(r"[a-z]+:\d[\w.-]*", image), image


def test_what_the_image_copies_exists_and_all_packages_go_in() -> None:
    for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE):
        assert all((ROOT / source).exists() for source in line.split())
    left_out = {line.strip("/") for line in (ROOT / ".dockerignore").read_text("utf-8").split()}
    assert not TOP & left_out
    assert {".env", "compose.env", ".streamlit/secrets.toml", ".git"} <= left_out
    assert ".streamlit" not in left_out


def test_nobody_is_root_and_data_is_the_users_own() -> None:
    assert re.search(r"^USER [1-9]\d*$", DOCKERFILE, re.MULTILINE)
    before, _, after = DOCKERFILE.partition("\nUSER ")
    assert "RUN" not in after
    assert "install -d -o bastao" in before
    for name in OURS:
        assert "user" not in SERVICES[name]
        assert SERVICES[name]["cap_drop"] == ["ALL"]
        assert SERVICES[name]["volumes"] == ["data:/data"]


def test_the_commands_are_the_ones_that_start_the_product() -> None:
    programs = Path(sys.executable).parent
    for name in OURS:
        program, *arguments = SERVICES[name]["command"]
        assert (programs / program).exists()
        assert "0.0.0.0" in arguments
    assert SERVICES["api"]["command"][1] == "api:app"
    assert (ROOT / SERVICES["pages"]["command"][2]).exists()
    assert json.loads(DOCKERFILE.rsplit("CMD ", 1)[1])[:2] == SERVICES["api"]["command"][:2]


def test_ports_are_this_machines_and_pages_wait_for_the_migration() -> None:
    assert all(port.startswith("127.0.0.1:") for name in OURS for port in SERVICES[name]["ports"])
    assert "ports" not in SERVICES["database"]
    assert SERVICES["api"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert SERVICES["pages"]["depends_on"] == {"api": {"condition": "service_healthy"}}


def test_a_stop_waits_longer_than_running_turns_may() -> None:
    limits = json.loads((ROOT / "config.json").read_text("utf-8"))["limits"]
    assert all(int(SERVICES[name]["stop_grace_period"].rstrip("s")) > limits["shutdown_s"] for name in OURS)


def test_the_example_names_only_what_is_read_and_no_secret() -> None:
    example = (ROOT / "compose.env.example").read_text("utf-8")
    known = (ROOT / ".env.example").read_text("utf-8") + (ROOT / "compose.yaml").read_text("utf-8")
    named = re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", example, re.MULTILINE)
    assert {"POSTGRES_PASSWORD", "BASTAO_SECRET"} <= {name for name, _ in named}
    assert all(name in known for name, _ in named)
    assert [value for _, value in named if value and not value.startswith("/")] == []


@contextmanager
def answering(status: int) -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            del format, args

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1], asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("status", [200, 503])
@pytest.mark.parametrize(("name", "path"), [("api", "/health/ready"), ("pages", "/_stcore/health")])
def test_a_health_check_tells_a_ready_service_from_another(name: str, path: str, status: int) -> None:
    kind, program, *arguments = SERVICES[name]["healthcheck"]["test"]
    assert (kind, program) == ("CMD", "python")
    port = SERVICES[name]["ports"][0].rsplit(":", 1)[1]
    with answering(status) as (free, asked):
        command = [sys.executable, *(argument.replace(f":{port}/", f":{free}/") for argument in arguments)]
        code = subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
    assert (code == 0) is (status == 200)
    assert asked == [path]


def test_the_apis_health_check_asks_a_route_that_it_has() -> None:
    asked = re.search(r":8000(/[\w/]+)", SERVICES["api"]["healthcheck"]["test"][-1])
    assert asked
    assert asked[1] in {getattr(route, "path", None) for route in health.router.routes}
