"""From a command to the first answer, on an empty folder and on a used one; memory at rest and after a thousand conversations."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from bench.bastao import bastao
from bench.customer import ask
from bench.place import environment, fresh_database, server
from bench.serving import api, free_port, memory_mb, process, wait_for
from bench.tables import table
from ops.embedded_server import stop

TITLE = "Start and memory"
TOUCHED, QUICK_TOUCHED = 1000, 50
REPEATS = 3
Json = dict[str, Any]


async def measure(*, quick: bool = False) -> Json:
    """Start once on an empty folder and some times on a used one; then fill a process with conversations."""
    folder = Path(tempfile.mkdtemp(prefix="bs-"))
    repeats = 1 if quick else REPEATS
    try:
        # Quick: with the trained model at hand, for training it takes minutes of a busy machine.
        environ = environment("") if quick else {**environment(""), "BASTAO_DATA_DIR": str(folder)}
        environ.pop("DATABASE_URL")
        cold = None if quick else _first_answer(environ)
        warm = [_first_answer(environ) for _ in range(repeats)]
        page = [_page(environ) for _ in range(repeats)]
        stop(Path(environ["BASTAO_DATA_DIR"]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    with server() as address, fresh_database(address) as url:
        with api(environment(url)) as (_, whole):
            rest = memory_mb(whole)
        touched = QUICK_TOUCHED if quick else TOUCHED
        before, after = await _touch(url, touched)
    return {
        "cold_s": cold,
        "warm_s": warm,
        "page_s": page,
        "api_mb": rest,
        "touched": touched,
        "before_mb": before,
        "after_mb": after,
    }


def _first_answer(environ: dict[str, str]) -> float:
    """Return the seconds from starting the terminal's chat until its first answer stands there."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "scripts.chat", "--json", "--thread", uuid4().hex], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
    ) as started:  # fmt: skip
        assert started.stdin is not None
        assert started.stdout is not None
        started.stdin.write(b"cad\xc3\xaa meu pedido 10405?\n")
        started.stdin.flush()
        answer = json.loads(started.stdout.readline())
        took = time.monotonic() - began
        started.stdin.close()
    assert answer["status"] == "replied", answer
    return took


def _page(environ: dict[str, str]) -> float:
    """Return the seconds until the page's server answers; the page itself then opens Bastão as the terminal does."""
    port = free_port()
    command = ["-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(port)]
    with process(command, environ) as page:
        return wait_for(f"http://127.0.0.1:{port}/_stcore/health", page)


async def _touch(url: str, conversations: int) -> tuple[float, float]:
    async with bastao(url, local_decision=True) as desk:
        await desk.say("first", ask(1))
        before = memory_mb(psutil.Process())
        for number in range(conversations):
            await desk.say(f"touched-{number}", ask(1 + number % 5, number))
        return before, memory_mb(psutil.Process())


def render(figures: Json) -> str:
    f = figures
    rows = [
        ["first answer, empty folder (database made, model trained)", f["cold_s"], 1],
        ["first answer, used folder", sorted(f["warm_s"])[len(f["warm_s"]) // 2], len(f["warm_s"])],
        ["page's server answers, used folder", sorted(f["page_s"])[len(f["page_s"]) // 2], len(f["page_s"])],
    ]
    memory = [
        ["API worker at rest", f["api_mb"], None],
        ["process before", f["before_mb"], None],
        [
            f"the same after {f['touched']} conversations",
            f["after_mb"],
            round((f["after_mb"] - f["before_mb"]) * 1000 / f["touched"], 1),
        ],
    ]
    return "\n\n".join(
        [
            "Seconds from the command, after the installation; the terminal's chat gives the first answer, for the page needs a browser.",
            table(["", "s (median)", "n"], rows),
            "Memory that no other process shares (USS), with the embedded decision model loaded:",
            table(["", "MB", "kB a conversation"], memory),
        ]
    )
