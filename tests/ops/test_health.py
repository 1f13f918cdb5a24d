"""Whether this process can serve, and with how much: the database and its schema are needed, a decision provider is missed."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pydantic import SecretStr

from ops.alarms import Alarm
from ops.deciding import AbSettings, ArmSettings, DecisionSettings, build_decider
from ops.health import Check, is_ready, readiness
from routing.decision import Exchange
from routing.ports import Decider, NoProvider
from routing.providers.registry import ProviderSettings
from routing.providers.remote_builders import RemoteSettings
from routing.question import build_question
from storage.database import Database
from tests.scripted import ScriptedDecider, nobody

QUESTION = build_question([("support", "onde está o pedido"), ("billing", "cobranças")])


class Refusing(BaseHTTPRequestHandler):
    """A provider that knows no key."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(401)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def decider(flag: str, address: str, folder: Path, *, rung: list[Alarm], now: list[float]) -> Decider:
    remote = RemoteSettings(openrouter_key=SecretStr("sk-test-key"), openrouter_base_url=address)
    return build_decider(
        flag, DecisionSettings(deadline_s=20, ab=AbSettings(arms=(ArmSettings(provider="msd1"), ArmSettings(provider="jev")))),
        ProviderSettings(examples_dir=folder, cache_dir=folder, remote=remote), calibrations={}, clock=lambda: now[0],
        ledger=None, on_alarm=rung.append,
    )  # fmt: skip


def providers(checks: tuple[Check, ...]) -> Check:
    return next(check for check in checks if check.name == "providers")


async def test_a_provider_that_refuses_the_key_rings_and_is_said_to_rest(
    db: Database, refusing: str, tmp_path: Path
) -> None:
    rung, now = list[Alarm](), [0.0]
    asked = decider("msd1", refusing, tmp_path, rung=rung, now=now)
    assert providers(await readiness(db, asked)) == Check(name="providers", ok=True, required=False)
    with pytest.raises(NoProvider):
        await asked.decide("oi", Exchange(), QUESTION, thread_id="t")
    assert [(alarm.kind, alarm.subject) for alarm in rung] == [("decision_provider", "msd1")]
    checks = await readiness(db, asked)
    assert providers(checks).ok is False
    assert (providers(checks).why or "").startswith("msd1: ours, again in ")
    assert is_ready(checks), "turns are still answered: another process would have no other provider"
    now[0] += 3_600
    assert providers(await readiness(db, asked)).ok


async def test_one_that_rests_of_two_is_named_and_enough_is_left(db: Database, refusing: str, tmp_path: Path) -> None:
    asked = decider("ab", refusing, tmp_path, rung=[], now=[0.0])
    with pytest.raises(NoProvider):
        await asked.decide("oi", Exchange(), QUESTION, thread_id="t")
    check = providers(await readiness(db, asked))
    assert check.ok
    assert check.why is not None


async def test_a_database_that_is_gone_is_no_reason_to_raise(db: Database) -> None:
    await db.close()
    checks = await readiness(db, ScriptedDecider(nobody))
    assert {check.name: check.ok for check in checks} == {"database": False, "migrations": False, "providers": True}
    assert not is_ready(checks)


async def test_without_a_decider_providers_are_not_looked_at(db: Database) -> None:
    assert [check.name for check in await readiness(db)] == ["database", "migrations"]
