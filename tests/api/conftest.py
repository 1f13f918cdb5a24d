"""Fixtures: the demo as it starts, over the local provider, and Bastões of scripted models."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from api import create_app
from tests.api.serving import CUSTOMER_KEYS, OPERATOR_KEYS, Client, keys_text, scripted, serving
from tests.conftest import drop_database

Served = Callable[..., Client]


@pytest.fixture(scope="session")
def demo(postgres: str, data_dir: Path) -> Iterator[str]:
    """The address of the demo as a shop would start it: local provider, offline chat model, its own database."""
    name = f"api_{uuid4().hex[:12]}"
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute(sql.SQL("create database {} template template0").format(sql.Identifier(name)))
    environ = {"DATABASE_URL": make_conninfo(postgres, dbname=name), "BASTAO_DATA_DIR": str(data_dir)}
    with serving(create_app(environ)) as address:
        yield address
    drop_database(postgres, name)


@pytest.fixture
def database(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the test's own, to look at what was stored."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
def serve(database_url: str) -> Iterator[Served]:
    """Serve a Bastão of scripted models on this test's database: `serve(scripts, decider)` gives a client of customer c1."""
    with ExitStack() as stack:

        def start(scripts: Any, decider: Any, **more: Any) -> Client:
            environ = {
                "DATABASE_URL": database_url, "BASTAO_CUSTOMER_KEYS": keys_text(CUSTOMER_KEYS),
                "BASTAO_OPERATOR_KEYS": keys_text(OPERATOR_KEYS),
            }  # fmt: skip
            return Client(stack.enter_context(serving(create_app(environ, opener=scripted(scripts, decider, **more)))))

        yield start
