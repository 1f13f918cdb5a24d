"""Alive, ready, and what runs; and that importing the app opens nothing."""

import subprocess
import sys
import tomllib
from typing import Any

import psycopg
import pytest
from psycopg import sql

from api import create_app
from api.health import VERSION
from settings import ROOT
from tests.api.conftest import Served
from tests.api.serving import Client, problem, scripted, serving
from tests.scripted import ScriptedDecider, nobody


def test_a_process_that_serves_is_alive_and_ready(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody))
    assert client.get("/health/live").json() == {"status": "alive"}
    ready = client.get("/health/ready")
    assert ready.status_code == 200
    assert [(check["name"], check["ok"]) for check in ready.json()["checks"]] == [
        ("database", True),
        ("migrations", True),
        ("providers", True),
    ]


def test_an_older_schema_is_not_ready_and_says_so(own_server: tuple[Client, str]) -> None:
    client, url = own_server
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("update bastao_migrations set version_num = '0000'")
    got = client.get("/health/ready")
    assert got.status_code == 503
    assert {check["name"]: check["ok"] for check in got.json()["checks"]} == {
        "database": True,
        "migrations": False,
        "providers": True,
    }


def test_a_database_that_is_gone_is_said_without_its_address(own_server: tuple[Client, str], postgres: str) -> None:
    client, url = own_server
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(str(name))))
    got = client.get("/health/ready")
    assert got.status_code == 503
    assert int(got.headers["retry-after"]) > 0
    assert not got.json()["ready"]
    assert str(name) not in got.text
    assert client.get("/health/live").status_code == 200


@pytest.fixture
def own_server(empty_database_url: str) -> Any:
    """A server on a database that the test may spoil."""
    environ = {"DATABASE_URL": empty_database_url}
    with serving(create_app(environ, opener=scripted({}, ScriptedDecider(nobody)))) as address:
        yield Client(address), empty_database_url


def test_the_version_is_the_projects(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody), release="0123456789ab", versions={"code": "ab"})
    got = client.get("/version").json()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert got == {
        "name": "bastao", "version": project["version"], "release": "0123456789ab", "parts": {"code": "ab"}, "mode": "demo", "roster": ["returns", "support", "billing"],
        "chat_model": "modelo de teste", "simulated": True,
    }  # fmt: skip
    assert project["version"] == VERSION
    assert client.get("/health/version").json() == got


def test_unknown_paths_and_methods_are_problems_too(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody))
    problem(client.get("/nowhere"), 404, "not_found")
    got = client.call("DELETE", "/version")
    problem(got, 405, "method_not_allowed")
    assert got.headers["allow"] == "GET"


def test_importing_the_app_opens_nothing() -> None:
    probe = "import api, sys; assert 'app' not in vars(api); a = api.app; assert a is api.app; assert not hasattr(a.state, 'door')"
    subprocess.run([sys.executable, "-c", probe], check=True, cwd=ROOT, env={"PATH": "", "DATABASE_URL": "nowhere"})
