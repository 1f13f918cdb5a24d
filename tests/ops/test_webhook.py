"""Announcements to the shop's own help desk, over a real local HTTP server that fails first."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from pydantic import SecretStr, ValidationError

from ops.announcements import announce, deliver
from ops.maintenance import Maintenance, Round
from ops.webhook import DELIVERY, EVENT, SIGNATURE, Webhook, WebhookSettings, verify
from storage.records import alarms
from tests.graph.acting import MONDAY, SetClock, items, person, rows
from tests.graph.conftest import Make
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only

SECRET = SecretStr("a secret of the help desk")


class HelpDesk(ThreadingHTTPServer):
    """Receives announcements; answers with the next of `answers`, then with 204."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.received: list[tuple[dict[str, str], bytes]] = []
        super().__init__(("127.0.0.1", 0), _Receiver)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/bastao"


class _Receiver(BaseHTTPRequestHandler):
    server: HelpDesk

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((dict(self.headers), body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def help_desk() -> Iterator[HelpDesk]:
    server = HelpDesk()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def webhook(help_desk: HelpDesk, **changes: Any) -> Webhook:
    return Webhook(settings=WebhookSettings(url=help_desk.url, **changes), secret=SECRET)


async def test_an_item_is_announced_signed_and_retried_by_the_table(make_desk: Make, help_desk: HelpDesk) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    (item,) = await items(desk)
    help_desk.answers = [500, 302]
    hook = webhook(help_desk, retry_s=(10, 60))
    async with httpx.AsyncClient() as client:
        assert await announce(desk.services) == 1
        assert await announce(desk.services) == 0
        assert await deliver(desk.services, hook, client) == 0
        assert await deliver(desk.services, hook, client) == 0, "not before its delay"
        clock.pass_(seconds=10)
        assert await deliver(desk.services, hook, client) == 0
        clock.pass_(seconds=59)
        assert await deliver(desk.services, hook, client) == 0
        assert len(help_desk.received) == 2
        clock.pass_(seconds=1)
        assert await deliver(desk.services, hook, client) == 1
        clock.pass_(days=1)
        assert await deliver(desk.services, hook, client) == 0, "delivered once"
    headers, body = help_desk.received[-1]
    assert len({h[DELIVERY] for h, _ in help_desk.received}) == 1
    assert len({b for _, b in help_desk.received}) == 1
    assert headers[EVENT] == "item.queued"
    told = json.loads(body)
    assert (told["item"]["id"], told["item"]["protocol"], told["item"]["reason"]) == (
        item.id,
        item.protocol,
        "asked_for_human",
    )
    assert told["item"]["conversation"] == desk.thread_id
    assert verify(SECRET, headers[SIGNATURE], body, now=MONDAY + timedelta(seconds=70))
    assert not verify(SECRET, headers[SIGNATURE], body + b" ", now=MONDAY + timedelta(seconds=70))
    assert not verify(SecretStr("another"), headers[SIGNATURE], body, now=MONDAY + timedelta(seconds=70))
    assert not verify(SECRET, headers[SIGNATURE], body, now=MONDAY + timedelta(hours=1)), "an old one may be a replay"
    for broken in ("", "t=,v1=", "t=x,v1=y", "v1"):
        assert not verify(SECRET, broken, body, now=MONDAY)


async def test_after_the_last_delay_it_is_given_up_and_an_alarm_rises(make_desk: Make, help_desk: HelpDesk) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    help_desk.answers = [503] * 9
    hook = webhook(help_desk, retry_s=(1,))
    async with httpx.AsyncClient() as client:
        await announce(desk.services)
        for _ in range(4):
            await deliver(desk.services, hook, client)
            clock.pass_(hours=1)
    assert len(help_desk.received) == 2
    assert [(r["status"], r["last_error"]) for r in await rows(desk, "select * from webhook_deliveries")] == [
        ("failed", "HTTP 503")
    ]
    async with desk.services.database.connection() as conn:
        assert [a.kind for a in await alarms.open_(conn)] == ["webhook"]


async def test_a_help_desk_that_is_down_stops_nothing_and_the_end_of_an_item_is_told_too(
    make_desk: Make, help_desk: HelpDesk
) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    hook = webhook(help_desk)
    nowhere = Webhook(settings=WebhookSettings(url="http://127.0.0.1:1/", timeout_s=1), secret=SECRET)
    common: dict[str, Any] = {
        "services": desk.services,
        "conversation": desk.conversation,
        "claim_timeout": timedelta(minutes=30),
    }
    await desk.say("quero falar com um atendente")
    assert await Maintenance(**common, webhook=nowhere).once() == Round(announced=1)
    clock.pass_(minutes=1)
    assert await Maintenance(**common, webhook=hook).once() == Round(delivered=1)
    await person(desk, "resolve")
    assert await Maintenance(**common, webhook=hook).once() == Round(announced=1, delivered=1)
    assert [h[EVENT] for h, _ in help_desk.received] == ["item.queued", "item.resolved"]
    assert await Maintenance(**common, webhook=hook).once() == Round()


@pytest.mark.parametrize("url", ["ftp://x/", "nowhere", "", "http://"])
def test_a_webhook_needs_an_address(url: str) -> None:
    with pytest.raises(ValidationError):
        WebhookSettings(url=url)
