"""A crafted checkpoint: what its rows name is never imported or called, also where nobody set the strict mode.

Each attempt runs in a process of its own, without LANGGRAPH_STRICT_MSGPACK: the library reads it when it is imported.
"""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import ormsgpack
import psycopg
import pytest

from settings import ROOT
from tests.graph.conftest import Make

# langgraph.checkpoint.serde.jsonplus: a constructor with one argument, with several, with named ones; a method; a model.
SINGLE, POSITIONAL, NAMED, METHOD, PYDANTIC = 0, 1, 2, 3, 5
pytestmark = pytest.mark.slow


class Bomb:
    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


def ext(code: int, *values: Any) -> bytes:
    return ormsgpack.packb(ormsgpack.Ext(code, ormsgpack.packb(values)))


def blobs(mark: Path) -> dict[str, tuple[str, bytes]]:
    """Every way that a blob has to name what shall run; each would make a file of its name beside `mark`."""

    def touch(way: str) -> str:
        return f"touch {mark}-{way}"

    def shell(way: str) -> list[str]:
        return ["/bin/sh", "-c", touch(way)]

    json_way = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [touch("json")], "kwargs": {}}
    return {
        "single": ("msgpack", ext(SINGLE, "os", "system", touch("single"))),
        "positional": ("msgpack", ext(POSITIONAL, "subprocess", "run", [shell("positional")])),
        "named": ("msgpack", ext(NAMED, "subprocess", "run", {"args": shell("named")})),
        "method": ("msgpack", ext(METHOD, "subprocess", "Popen", shell("method"), "__call__")),
        "pydantic": ("msgpack", ext(PYDANTIC, "subprocess", "Popen", {"args": shell("pydantic")})),
        "json": ("json", json.dumps(json_way).encode()),
        "pickle": ("pickle", pickle.dumps(Bomb(touch("pickle")))),
    }


PROBE = """
import json, sys
from graph.checkpoint import strict_serializer
if sys.argv[1] == "stock":
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    serializer = JsonPlusSerializer(pickle_fallback=True)
else:
    serializer = strict_serializer()
for kind, blob in json.load(sys.stdin):
    try:
        serializer.loads_typed((kind, bytes.fromhex(blob)))
    except Exception:
        pass
"""
# Turned off, as somebody might: `graph.checkpoint` only sets it where nobody did.
PERMISSIVE = {"LANGGRAPH_STRICT_MSGPACK": "false"}


def environ(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LANGGRAPH_")}
    return {**kept, **more}


def run(mark: Path, which: str) -> None:
    given = json.dumps([(kind, blob.hex()) for kind, blob in blobs(mark).values()])
    subprocess.run(
        [sys.executable, "-c", PROBE, which], cwd=ROOT, env=environ(**PERMISSIVE), input=given, text=True, timeout=120,
        check=True,
    )  # fmt: skip


def played(thread_id: str, given: dict[str, str]) -> str:
    """Play a turn in a process of its own; return how it ended."""
    command = [sys.executable, "-m", "tests.hostile.turn_process", thread_id]
    ran = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=True)
    return ran.stdout.strip().splitlines()[-1]


def made_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_stock_serialiser_runs_them(tmp_path: Path) -> None:
    """Else the tests below would prove nothing."""
    run(tmp_path / "ran", "stock")
    assert set(made_in(tmp_path)) >= {"ran-single", "ran-positional", "ran-named", "ran-pickle"}


def test_ours_runs_none_of_them_even_where_the_strict_mode_was_turned_off(tmp_path: Path) -> None:
    run(tmp_path / "ran", "ours")
    assert made_in(tmp_path) == []


@pytest.mark.parametrize("environment", [{}, PERMISSIVE], ids=["unset", "turned off"])
async def test_a_turn_over_crafted_rows_runs_none_of_them(
    make_desk: Make, database_url: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    desk = await make_desk({"support": ["Qual é o número?"]}, lambda message, exchange: "support")
    await desk.say("cadê meu pedido?")
    with psycopg.connect(database_url, autocommit=True) as conn:
        crafted = list(blobs(tmp_path / "ran").values())
        rows = conn.execute("select channel from checkpoint_blobs where thread_id = %s", [desk.thread_id]).fetchall()
        assert len(rows) >= len(crafted), "enough channels for every way"
        for number, (channel,) in enumerate(rows):
            kind, blob = crafted[number % len(crafted)]
            conn.execute(
                "update checkpoint_blobs set type = %s, blob = %s where thread_id = %s and channel = %s",
                [kind, blob, desk.thread_id, channel],
            )
        for number, (kind, blob) in enumerate(crafted):
            conn.execute(
                "insert into checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, type, blob) select thread_id,"
                " checkpoint_id, 'crafted', %s, 'facts', %s, %s from checkpoints where thread_id = %s",
                [number, kind, blob, desk.thread_id],
            )
    assert played(desk.thread_id, environ(DATABASE_URL=database_url, **environment)) in ("['failed']", "['replied']")
    assert made_in(tmp_path) == []
