"""Prometheus metrics over real sockets: the same from every process, right by the tables, and not for everybody."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api import create_app
from settings import ROOT
from tests.api.conftest import Served
from tests.api.serving import Client, problem, scripted, serving
from tests.scripted import ScriptedDecider, nobody

Series = dict[tuple[str, tuple[tuple[str, str], ...]], float]
PATIENCE_S = 120


def scraped(client: Client) -> Series:
    """Return every series of a scrape by name and labels."""
    got = client.get("/metrics")
    assert got.status_code == 200, got.text
    assert got.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(got.text)
        for sample in family.samples
    }


def of(series: Series, name: str) -> dict[tuple[str, ...], float]:
    """Return the series of one name by their labels' values, in the order of the labels' names."""
    return {
        tuple(value for _, value in labels): n for (found, labels), n in series.items() if found == f"bastao_{name}"
    }


@pytest.fixture
def worker(database_url: str) -> Iterator[Client]:
    """Another process on the same database."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as listening:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.api.worker", str(listening.fileno())],
            cwd=ROOT, env={**os.environ, "DATABASE_URL": database_url}, pass_fds=[listening.fileno()],
        )  # fmt: skip
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            httpx.get(
                f"{address}/health/live", timeout=PATIENCE_S
            )  # the socket listens already: it answers once it can
            yield Client(address)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


@pytest.mark.slow
def test_two_processes_give_the_same_figures_and_they_are_the_tables(
    worker: Client, serve: Served, database: psycopg.Connection[Any]
) -> None:
    here = serve({"returns": [RuntimeError("broken")]}, ScriptedDecider(lambda message, exchange: "returns"))
    there = worker.create()
    assert worker.say(there, "meu pedido 10405 não chegou")["status"] == "replied"
    mine = here.create()
    here.say(mine, "quero trocar o pedido 10405")
    here.say(mine, "quero falar com um atendente")
    ones, others = scraped(here), scraped(worker)
    grows = ("bastao_queue_oldest_seconds", ())
    assert 0 < ones.pop(grows) <= others.pop(grows)
    assert ones == others

    by_status = database.execute("select status, count(*) from turns group by 1").fetchall()
    assert {k[0]: n for k, n in of(ones, "turns_today").items() if n} == dict(by_status)
    assert {"replied", "failed"} <= {status for status, _ in by_status}
    passed = database.execute(
        "select from_agent, reason, to_agent from packages where from_agent is not null and to_agent <> 'person'"
    ).fetchall()
    hops = {k: n for k, n in of(ones, "transfers_today").items() if k[1] == "hop"}
    assert passed == [("support", "duplicate_charge", "billing")]
    assert hops == {("support", "hop", "duplicate_charge", "billing"): 1}
    decided = database.execute(
        "select coalesce(decision ->> 'provider', 'rule'), decision ->> 'reason', count(*) from turns"
        " where decision is not null group by 1, 2"
    ).fetchall()
    assert of(ones, "decisions_today") == {(provider, reason): n for provider, reason, n in decided}
    waiting = database.execute(
        "select reason, count(*) from human_queue where status = 'waiting' group by 1"
    ).fetchall()
    assert {k[0]: n for k, n in of(ones, "queue_open").items() if n} == dict(waiting) != {}
    read = database.execute("select sum((tokens ->> 'input')::int) from turns").fetchone()
    assert read is not None
    assert of(ones, "tokens_today")[("input",)] == read[0] > 0
    replied = database.execute("select count(*) from turns where status = 'replied' and action is null").fetchone()
    assert replied is not None
    assert of(ones, "reply_seconds_count")[()] == of(ones, "reply_seconds_bucket")[("+Inf",)] == replied[0]
    words = {value for _, labels in ones for _, value in labels}
    assert not any(personal in " ".join(words) for personal in ("10405", there, mine, "c1"))


def test_a_scrape_needs_the_token_where_there_is_one(database_url: str) -> None:
    environ = {"DATABASE_URL": database_url, "BASTAO_METRICS_TOKEN": "a token of the tests"}
    with serving(create_app(environ, opener=scripted({}, ScriptedDecider(nobody)))) as address:
        problem(Client(address).get("/metrics"), 401, "unauthenticated")
        right = Client(address, {"Authorization": "Bearer a token of the tests"})
        assert scraped(right)[("bastao_database_up", ())] == 1


def test_production_without_a_token_gives_nothing(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody), mode="production")
    problem(client.get("/metrics"), 403, "metrics_off")
