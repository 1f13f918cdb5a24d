"""Real processes: six that start at once on an empty folder, one that is killed, and one that nobody can start."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from settings import ROOT, decider_of, load_settings, roster_of
from storage.embedded import stop_server

pytestmark = [pytest.mark.slow, pytest.mark.db]
PATIENCE_S = 240


@pytest.fixture(scope="module")
def trained(data_dir: Path) -> Path:
    """The folder of the trained classifier: training it six times over would test the machine's patience only."""
    environ = {"BASTAO_DATA_DIR": str(data_dir)}
    settings = load_settings(environ)
    for provider in decider_of(settings, roster_of(settings), environ).providers:
        provider.warm_up()
    return data_dir / "models"


@pytest.fixture
def folder(trained: Path) -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="bp-"))  # short: the path of a socket has 107 bytes
    shutil.copytree(trained, root / "models")
    yield root
    stop_server(root)
    shutil.rmtree(root, ignore_errors=True)


def chat(folder: Path, thread: str, *more: str) -> "subprocess.Popen[str]":
    environ = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "BASTAO_CONFIG")}
    return subprocess.Popen(
        [sys.executable, "-m", "scripts.chat", "--json", "--customer", "c1", "--thread", thread, *more],
        cwd=ROOT, env={**environ, "BASTAO_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def say(process: "subprocess.Popen[str]", text: str) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    assert line, process.stderr.read() if process.stderr else ""
    return json.loads(line)


def test_six_processes_at_once_on_an_empty_folder_all_answer(folder: Path) -> None:
    processes = [chat(folder, f"th-{i}") for i in range(6)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("cadê meu pedido 10405? ainda não chegou\n")
        process.stdin.close()
        process.stdin = None
    for process in processes:
        out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, err
        turn = json.loads(out)
        assert turn["status"] == "replied", err
        assert "10405" in turn["reply"]


def test_killed_after_the_second_turn_and_started_again_it_goes_on(folder: Path) -> None:
    first = chat(folder, "th-kill")
    say(first, "oi, meu tênis do pedido 10405 ainda não chegou, cadê?")
    turn = say(first, "aproveitando, vi que me cobraram duas vezes esse pedido no pix")
    assert turn["agent"] == "billing"
    first.send_signal(signal.SIGKILL)
    first.wait(timeout=30)
    second = chat(folder, "th-kill")
    turn = say(second, "pode abrir")
    assert [(t["name"], t["outcome"]) for t in turn["tools"] if t["name"] == "open_billing_ticket"] == [
        ("open_billing_ticket", "ok")
    ]
    turn = say(second, "beleza, e em quanto tempo volta o dinheiro?")
    assert turn["agent"] == "billing"
    assert "dias úteis" in turn["reply"]
    out, err = second.communicate(timeout=60)
    assert (second.returncode, out) == (0, ""), err
