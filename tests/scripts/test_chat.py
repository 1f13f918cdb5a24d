"""The terminal as a process: JSON in and out, broken input, interruption, and what it refuses."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts.chat import arguments, environment, json_lines, main
from settings import ROOT

KEYS = [
    "thread_id", "turn", "status", "message", "agent", "reason", "probabilities", "confidence", "threshold", "provider", "tools",
    "handoffs", "reply", "latency_ms", "cost_usd",
]  # fmt: skip
PATIENCE_S = 300  # a new data folder fits the decision model first
WHERE_IS_IT = "oi, meu tênis do pedido 10405 ainda não chegou, cadê?"


def chat(environ: dict[str, str], said: bytes, *flags: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "scripts.chat", *flags],
        cwd=ROOT,
        env=environ,
        input=said,
        capture_output=True,
        timeout=PATIENCE_S,
    )


def turns(ran: "subprocess.CompletedProcess[bytes]") -> list[dict[str, Any]]:
    assert ran.returncode == 0, ran.stderr.decode()
    return [json.loads(line) for line in ran.stdout.decode("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (b"", []),
        (b"oi\n", ["oi"]),
        (b"oi", ["oi"]),
        (b"oi\r\n\r\n   \ncad\xc3\xaa?\n", ["oi", "cadê?"]),
        (b"cad\xea o pedido\n", ["cad\ufffd o pedido"]),
        (b"\xff\xfe\n", ["\ufffd\ufffd"]),
        ("\u200b\u2060\noi\n\u3000\n".encode(), ["oi"]),
    ],
)
def test_lines_are_read_whatever_the_bytes(given: bytes, lines: Sequence[str]) -> None:
    assert list(json_lines(io.BytesIO(given))) == list(lines)


def test_the_command_line_wins_over_the_environment() -> None:
    given = arguments(["--config", "other.json", "--data-dir", "d"])
    assert environment(given, {"BASTAO_CONFIG": "a", "HOME": "/h"}) == {
        "BASTAO_CONFIG": "other.json", "BASTAO_DATA_DIR": "d", "HOME": "/h",
    }  # fmt: skip
    assert environment(arguments([]), {"BASTAO_CONFIG": "a"}) == {"BASTAO_CONFIG": "a"}


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    assert "printf" in capsys.readouterr().out


def test_a_wrong_configuration_is_told_with_its_own_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--config", str(tmp_path / "none.json")], {}) == 2
    assert "none.json" in capsys.readouterr().err


@pytest.mark.slow
def test_json_answers_a_line_with_a_line(surface_environ: dict[str, str]) -> None:
    said = f"{WHERE_IS_IT}\n\naproveitando, vi que me cobraram duas vezes esse pedido no pix\n".encode()
    first, second = turns(chat(surface_environ, said, "--json", "--thread", "t-1", "--customer", "c1"))
    assert list(first) == list(second) == KEYS
    assert (first["thread_id"], first["turn"], first["status"], first["message"]) == ("t-1", 1, "replied", WHERE_IS_IT)
    assert first["agent"] == "support"
    assert {"lookup_order"} <= {tool["name"] for tool in first["tools"]}
    assert all(set(tool) == {"name", "args", "outcome", "by"} for tool in first["tools"])
    assert (second["turn"], second["agent"]) == (2, "billing")
    (handoff,) = second["handoffs"]
    assert (handoff["from"], handoff["to"]) == ("support", "billing")
    assert "10405" in {fact["value"] for fact in handoff["facts"]}
    assert second["reply"]


@pytest.mark.slow
def test_a_conversation_goes_on_in_the_next_process(surface_environ: dict[str, str]) -> None:
    turns(chat(surface_environ, f"{WHERE_IS_IT}\n".encode(), "--json", "--thread", "t-2"))
    (again,) = turns(chat(surface_environ, b"e me cobraram duas vezes\n", "--json", "--thread", "t-2"))
    assert again["turn"] == 2
    assert "10405" in json.dumps(again["handoffs"])


@pytest.mark.slow
def test_broken_bytes_are_answered(surface_environ: dict[str, str]) -> None:
    (turn,) = turns(chat(surface_environ, b"cad\xea o pedido 10405?\n", "--json"))
    assert turn["status"] == "replied"
    assert turn["message"] == "cad\ufffd o pedido 10405?"


@pytest.mark.slow
def test_another_customers_conversation_is_refused(surface_environ: dict[str, str]) -> None:
    turns(chat(surface_environ, b"oi\n", "--json", "--thread", "t-3", "--customer", "c1"))
    ran = chat(surface_environ, b"oi\n", "--json", "--thread", "t-3", "--customer", "c2")
    assert ran.returncode == 1
    assert ran.stdout == b""
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
def test_an_unknown_customer_is_told_who_there_is(surface_environ: dict[str, str]) -> None:
    ran = chat(surface_environ, b"oi\n", "--json", "--customer", "c9")
    assert ran.returncode == 1
    assert b"c1, c2, c3" in ran.stderr


@pytest.mark.slow
def test_an_unreachable_database_is_told(surface_environ: dict[str, str]) -> None:
    nobody = {**surface_environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    ran = chat(nobody, b"oi\n", "--json")
    assert ran.returncode == 2
    assert ran.stdout == b""
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("flags", [("--json",), ()])
def test_ctrl_c_ends_cleanly(surface_environ: dict[str, str], flags: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.chat", *flags], cwd=ROOT, env=surface_environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"oi\n")
    process.stdin.flush()
    process.stdout.readline()  # it is open, and waits for the next line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err.decode()
    assert b"Traceback" not in out + err


@pytest.mark.slow
def test_in_words_it_greets_answers_and_leaves(surface_environ: dict[str, str]) -> None:
    ran = chat(surface_environ, f"{WHERE_IS_IT}\n/nova\noi\n/sair\nnunca lida\n".encode())
    assert ran.returncode == 0, ran.stderr.decode()
    text = ran.stdout.decode()
    assert "modelo offline (simulado)" in text
    assert "Entregas e cadastro ›" in text
    assert "Nova conversa" in text
    assert "nunca lida" not in text
    assert "\x1b[" not in text
