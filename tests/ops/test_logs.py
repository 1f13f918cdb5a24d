"""Everything that is logged, at the loudest level, of turns full of personal data, faults and secrets: JSON lines without any."""

import asyncio
import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graph.turn_mark import current_turn
from ops.conversations import note_failure
from ops.logs import OURS, TERMINAL, LogSettings, handler_of, secrets_of
from ops.reading import failure
from routing.masking import Masker
from settings import ROOT
from tests.graph.acting import MONDAY, SetClock, rows
from tests.graph.conftest import Make, of
from tests.graph.conftest import make_desk as make_desk
from tests.ops.lived import VALUES, lived

SECRETS = ("sk-live-1234567890ab", "hunter2", "batata123", "opensesame", "4111111111111111", "p4ssw0rd")
ENVIRON = {"OPENAI_API_KEY": "opensesame", "DATABASE_URL": "postgresql://u:p4ssw0rd@db/x", "BASTAO_MODE": "demo"}


class Lines(io.StringIO):
    """What was logged, as text and as the objects that the lines are."""

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Everything that this process logs at DEBUG, through our handler."""
    written, root = Lines(), logging.getLogger()
    handler = handler_of(LogSettings(level="DEBUG"), mask=Masker(secrets_of(ENVIRON)), stream=written)
    # A server that another test started leaves its own loggers quiet and apart.
    named = [
        logging.getLogger(name)
        for name in (*OURS, "httpx", "httpcore", "openai", "uvicorn", "uvicorn.access", "uvicorn.error")
    ]
    before = [(logger, logger.level, logger.propagate) for logger in named]
    for logger in named:
        logger.setLevel(logging.DEBUG)
        logger.propagate = True
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)
    for logger, old, propagates in before:
        logger.setLevel(old)
        logger.propagate = propagates


def leaked(text: str) -> list[str]:
    plain = re.sub(r"(?<=\d)[\W_]{1,3}(?=\d)", "", text)
    return [
        value
        for value in (*VALUES, *SECRETS)
        if value in text or (value.isdigit() and len(value) > 7 and value in plain)
    ]


async def test_turns_with_personal_data_and_faults_log_none_of_it(make_desk: Make, lines: Lines) -> None:
    await lived(make_desk, SetClock(MONDAY))
    assert any(line["logger"] == "graph.turns" and "RuntimeError" in line["message"] for line in lines.objects)
    assert leaked(lines.getvalue()) == []


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("key sk-live-1234567890ab refused for ana.souza@example.com"),
        ValueError("password='hunter2' of 529.982.247-25, 4111 1111 1111 1111"),
        KeyError("minha senha é batata123 e o telefone (11) 96123-4501"),
        ConnectionError("postgresql://u:p4ssw0rd@db/x refused opensesame"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_an_exception_whose_text_holds_a_secret_is_numbered_and_masked(
    make_desk: Make, lines: Lines, error: Exception
) -> None:
    desk = await make_desk({"support": [error, error]}, lambda m, e: "support")
    events = await desk.say("sou a Ana Souza, cpf 529.982.247-25: cadê o pedido 10405?")
    failed = of(events, "error")[0]
    stored = await failure(desk.services.database, failed.protocol)
    assert stored is not None
    assert type(error).__name__ in stored.detail
    assert "Traceback" in stored.detail
    left = set(leaked(stored.detail)) - {"opensesame"}  # known to this process alone, not by its form
    assert left == set()
    assert leaked(lines.getvalue()) == []
    assert leaked(failed.text) == []


async def test_a_failure_outside_of_a_turn_is_numbered_and_masked(make_desk: Make, lines: Lines) -> None:
    desk = await make_desk({}, lambda m, e: "support")
    protocol = await note_failure(desk.services, RuntimeError("token=abcdef123456 of 529.982.247-25"))
    stored = await failure(desk.services.database, protocol)
    assert stored is not None
    assert "<cpf>" in stored.detail
    assert protocol in lines.getvalue()
    assert leaked(stored.detail + lines.getvalue()) == []


async def test_every_line_of_a_turn_names_it_and_no_other(make_desk: Make, lines: Lines) -> None:
    log = logging.getLogger("tools.test")

    def answer(messages: object, kwargs: object) -> str:
        log.debug("asked")
        return "Está a caminho."

    desk = await make_desk({"support": answer}, lambda m, e: "support")
    log.info("before")
    await asyncio.gather(desk.say("cadê o 10405?", thread_id="th-1"), desk.say("cadê o 10405?", thread_id="th-2"))
    said = {line["message"]: [] for line in lines.objects}
    for line in lines.objects:
        said[line["message"]].append(line["turn"])
    ids = {row["id"] for row in await rows(desk, "select id from turns")}
    assert said["before"] == [None]
    assert set(said["asked"]) == ids
    assert len(ids) == 2
    assert current_turn.get() is None


def test_a_line_is_an_object_with_its_time_level_and_logger(lines: Lines) -> None:
    logging.getLogger("ops.x").warning(
        "hello %s", "ana@example.com", extra={"rows": {"facts": 3}, "password": "hunter2", "n": 1}
    )
    (line,) = lines.objects
    assert list(line)[:5] == ["at", "level", "logger", "turn", "message"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("at"))
    assert line == {
        "level": "WARNING", "logger": "ops.x", "turn": None, "message": "hello <email>", "rows": {"facts": 3},
        "password": "<secret>", "n": 1,
    }  # fmt: skip


def test_exceptions_stacks_and_dicts_are_masked_too(lines: Lines) -> None:
    log = logging.getLogger("ops.x")
    try:
        raise RuntimeError("secret: hunter2, 529.982.247-25")
    except RuntimeError:
        log.exception("broken", stack_info=True)
    log.error({"event": "x", "customer": {"email": "ana.souza@example.com", "phones": ["(11) 96123-4501"]}})
    broken, given = lines.objects
    assert "RuntimeError" in broken["exception"]
    assert "test_logs.py" in broken["stack"]
    assert given["customer"] == {"email": "<email>", "phones": ["<phone>"]}
    assert leaked(lines.getvalue()) == []


def test_a_line_that_cannot_be_formatted_is_not_printed_raw() -> None:
    lines = Lines()
    broken = logging.LogRecord("ops.x", logging.ERROR, "f", 1, "%d of %s", ("sk-live-1234567890ab", "hunter2"), None)
    handler_of(LogSettings(), mask=Masker(), stream=lines).handle(broken)
    assert "TypeError" in lines.objects[0]["message"]
    assert leaked(lines.getvalue()) == []


def test_libraries_below_a_warning_are_not_heard_whatever_level_they_were_set_to(lines: Lines) -> None:
    """They quote what they send: prompts with names and addresses, which no pattern finds."""
    logging.getLogger("openai._base_client").debug("Request options: %s", {"content": "sou a Ana Souza"})
    logging.getLogger("httpx").info("sou a Ana Souza")
    logging.getLogger("httpx").warning("slow")
    logging.getLogger("uvicorn.access").info("GET /health/live 200")
    assert [line["message"] for line in lines.objects] == ["slow", "GET /health/live 200"]


async def test_a_real_client_that_fails_says_nothing(lines: Lines) -> None:
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.HTTPError):
            await client.post(
                "http://127.0.0.1:1/",
                json={"content": "Ana Souza"},
                headers={"Authorization": "Bearer sk-live-1234567890ab"},
            )
    assert leaked(lines.getvalue()) == []


def test_the_secrets_of_a_process_are_found_by_their_names() -> None:
    environ = {
        "OPENAI_API_KEY": "abcdefgh", "BASTAO_SECRET": "12345678", "BASTAO_OPERATOR_LOGIN": "marta:segredo1,joao:segredo2",
        "DATABASE_URL": "host=db password=p4ssw0rd", "HOME": "/root", "EMPTY_KEY": "", "SHORT_TOKEN": "x",
    }  # fmt: skip
    found = secrets_of(environ)
    assert {"abcdefgh", "12345678", "segredo1", "segredo2", "p4ssw0rd"} <= set(found)
    assert "/root" not in found
    assert all(len(secret) > 5 for secret in found)
    assert list(found) == sorted(found, key=len, reverse=True)


def test_for_a_person_the_same_is_text() -> None:
    written = io.StringIO()
    handler = handler_of(TERMINAL, mask=Masker(), stream=written)
    handler.handle(logging.LogRecord("ops.x", logging.WARNING, "f", 1, "to %s", ("ana@example.com",), None))
    assert re.fullmatch(r"\S+ WARNING ops\.x: to <email>\n", written.getvalue())


PROCESS = """
import logging, sys, threading, warnings
logging.basicConfig(level=logging.DEBUG)
logging.getLogger("uvicorn.error").addHandler(logging.StreamHandler())
from ops.logs import LogSettings, configure_logs
configure_logs(LogSettings(level="DEBUG"), {"API_KEY": "opensesame"})
logging.getLogger("graph.x").debug("told opensesame")
logging.getLogger("sqlalchemy").debug("not heard")
logging.getLogger("uvicorn.error").info("serving")
warnings.warn("old ana@example.com")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start(); thread.join()
raise RuntimeError("the end, opensesame")
"""


def test_a_configured_process_logs_nothing_but_json_lines() -> None:
    ran = subprocess.run([sys.executable, "-c", PROCESS], cwd=ROOT, capture_output=True, text=True, check=False)
    said = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [line["message"].split("\n")[0][:20] for line in said][:2] == ["told <secret>", "serving"]
    assert [line["logger"] for line in said] == ["graph.x", "uvicorn.error", "py.warnings", "ops.logs", "ops.logs"]
    assert "opensesame" not in ran.stderr
    assert "ana@example.com" not in ran.stderr
    assert "RuntimeError" in said[-1]["exception"]


def test_a_process_without_standard_error_goes_on() -> None:
    closed = io.StringIO()
    closed.close()
    handler_of(LogSettings(), mask=Masker(), stream=closed).handle(
        logging.LogRecord("ops.x", logging.ERROR, "f", 1, "x", (), None)
    )
