"""The embeddable chat in Chromium: a conversation, a photo, a confirmation, the keyboard, 320 px, a lost connection, a person.

BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from scripts.scenario import load_scenarios
from tests.ui.test_browser import CHROMIUM, FLAGS, PATIENCE_S, WHERE_IS_IT, playwright

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
PHOTO = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Visitor:
    def __init__(self, chromium: Any, site: str, api: str, **context: Any) -> None:
        self.context = chromium.new_context(**context)
        self.page = self.context.new_page()
        self.site, self.api = site, api
        self.hosts: set[str] = set()
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(PATIENCE_S * 1000)

    def open(self, more: str = "") -> None:
        self.page.goto(f"{self.site}/?api={self.api}{more}")
        self.page.locator("textarea").wait_for()

    def lines(self, kind: str = "agent") -> list[str]:
        return [line.inner_text() for line in self.page.locator(f".line.{kind}").all()]

    def say(self, text: str) -> str:
        before = self.page.locator(".line.agent").count()
        self.page.locator("textarea").fill(text)
        self.page.keyboard.press("Enter")
        self.page.locator(".line.agent").nth(before).wait_for()
        self.at_rest()
        return self.lines()[-1]

    def at_rest(self) -> None:
        self.page.locator("[role=log][aria-busy=false]").wait_for()

    def keep(self, name: str, folder: str | None) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))


@pytest.fixture
def screenshots() -> str | None:
    import os

    return os.environ.get("BASTAO_SCREENSHOTS")


def test_scenario_1_is_played_through_the_widget_and_survives_a_reload(
    chromium: Any, site: str, api: str, screenshots: str | None
) -> None:
    visitor = Visitor(chromium, site, api, viewport={"width": 320, "height": 640})
    visitor.open("&customer=c1")
    where, charged, opened, when = (turn.say for turn in load_scenarios()[0].turns)
    assert "10405" in visitor.say(where)
    visitor.say(charged)
    assert "Financeiro" in visitor.page.locator(".note").last.inner_text()
    visitor.page.locator(".answers").wait_for()
    visitor.keep("widget-confirmation", screenshots)
    assert "Protocolo CB-" in visitor.say(opened)
    visitor.page.locator("textarea").fill(when)
    visitor.page.locator(".send").dblclick()
    visitor.page.locator(".line.agent").nth(3).wait_for()
    visitor.at_rest()
    assert "dias úteis" in visitor.lines()[-1]
    assert visitor.lines("customer") == [where, charged, opened, when]
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 320
    found = axe.Axe().run(visitor.page)
    assert found.violations_count == 0, [(v["id"], v["nodes"][0]["html"]) for v in found.response["violations"]]
    visitor.keep("widget-320", screenshots)
    said = (visitor.lines(), visitor.lines("customer"))
    visitor.page.reload()
    visitor.page.locator(".line.agent").nth(3).wait_for()
    reloaded = [line.split("\n", 1)[-1] for line in visitor.lines()]
    assert (reloaded, visitor.lines("customer")) == ([line.split("\n", 1)[-1] for line in said[0]], said[1])
    assert visitor.hosts <= {urlsplit(site).netloc, urlsplit(api).netloc}
    assert visitor.errors == []


def test_a_photo_travels_as_a_part_and_a_confirmation_is_a_button(chromium: Any, site: str, api: str) -> None:
    visitor = Visitor(chromium, site, api)
    visitor.open("&customer=c1")
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "tenis.png", "mimeType": "image/png", "buffer": PHOTO}
    )
    assert "tenis.png" in visitor.page.locator(".attached").inner_text()
    visitor.say("olha como está, me cobraram duas vezes o pedido 10405")
    assert visitor.page.locator(".line.customer img").count() == 1
    identity = visitor.page.evaluate("sessionStorage.getItem(Object.keys(sessionStorage)[0])")
    told = httpx.get(f"{api}/conversations/{identity}/messages", headers={"X-Demo-Customer": "c1"}, timeout=30).json()
    assert [part["type"] for part in told["messages"][0]["parts"]] == ["image", "text"]
    yes = visitor.page.locator(".answers button").first
    yes.wait_for()
    before = visitor.page.locator(".line.agent").count()
    yes.click()
    visitor.page.locator(".line.agent").nth(before).wait_for()
    visitor.at_rest()
    assert visitor.page.locator(".answers").count() == 0
    assert visitor.lines("customer")[-1] == "Sim"


def test_a_lost_connection_answers_the_message_once(chromium: Any, site: str, api: str) -> None:
    visitor = Visitor(chromium, site, api)
    visitor.open()
    visitor.context.set_offline(True)
    visitor.page.locator("textarea").fill(WHERE_IS_IT)
    visitor.page.keyboard.press("Enter")
    visitor.page.get_by_text("Sem conexão").wait_for()
    visitor.context.set_offline(False)
    visitor.page.locator(".line.agent").first.wait_for()
    visitor.at_rest()
    assert len(visitor.lines()) == 1
    assert visitor.lines("customer") == [WHERE_IS_IT]


def test_what_a_person_writes_appears_and_what_a_customer_writes_is_text(chromium: Any, site: str, api: str) -> None:
    visitor = Visitor(chromium, site, api)
    visitor.open("&lang=en&customer=c2")
    visitor.say("<img src=x onerror=alert(1)> I want to talk to a human, please")
    assert visitor.page.locator("[role=log] img").count() == 0
    operator = {"X-Demo-Operator": "bia"}
    item = httpx.get(f"{api}/queue", headers=operator, timeout=30).json()["items"][0]
    path = f"{api}/conversations/{item['thread_id']}/person"
    for action in ({"kind": "claim", "item_id": item["id"]}, {"kind": "reply", "text": "Hi, this is Bia."}):
        assert httpx.post(path, json=action, headers=operator, timeout=30).status_code == 200
    visitor.page.locator(".line.person").wait_for()
    assert visitor.lines("person") == ["Agent\nHi, this is Bia."]
