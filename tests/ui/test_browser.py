"""The page in Chromium: scenario 1 played by hand, on a laptop, on a phone, in the dark; nothing is fetched from elsewhere.

BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scripts.scenario import load_scenarios
from tests.conftest import fresh_database
from tests.surfaces import environ_of
from tests.ui.serving import PATIENCE_S, serving_pages

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None
) or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
FIRST_OPENING_S = 300
WHERE_IS_IT = "oi, meu tênis do pedido 10405 ainda não chegou, cadê?"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]


@pytest.fixture
def address(surface_environ: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The page, served by a process of its own on a free port."""
    with serving_pages(surface_environ, log=tmp_path / "streamlit.log") as pages:
        yield pages.address


@pytest.fixture(scope="module")
def shared(postgres: str, surface_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, served once for tests that have a conversation each and need nothing else of their own."""
    with fresh_database(postgres) as url:
        log = tmp_path_factory.mktemp("page") / "streamlit.log"
        with serving_pages(environ_of(url, surface_data), log=log) as pages:
            yield pages.address


@pytest.fixture
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Visitor:
    """A page, every request that it made, and every error that it logged."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.page = browser.new_context(**context).new_page()
        self.address = address
        self.fetched: list[str] = []
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.set_default_timeout(PATIENCE_S * 1000)

    def open(self, url: str | None = None) -> None:
        self.page.goto(url or self.address)
        # A new data folder fits the decision model first, which takes half a minute of an idle core.
        self.page.get_by_placeholder("Escreva sua mensagem").wait_for(timeout=FIRST_OPENING_S * 1000)

    def say(self, text: str) -> None:
        """Type a message and wait until it is answered and the page is at rest."""
        replies = self.page.locator(".fala.agente")
        before = replies.count()
        box = self.page.get_by_placeholder("Escreva sua mensagem")
        box.fill(text)
        box.press("Enter")
        replies.nth(before).wait_for()
        self.rest()

    def rest(self) -> None:
        self.page.locator(".st-key-parar").wait_for(state="detached")
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()

    def keep(self, name: str) -> None:
        if folder := os.environ.get("BASTAO_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.wait_for_timeout(700)  # the chart fades in
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))

    def elsewhere(self) -> set[str]:
        """The hosts that were asked for anything."""
        ours = urlsplit(self.address).netloc
        return {urlsplit(url).netloc for url in self.fetched if not url.startswith(("data:", "blob:"))} - {ours}

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def test_scenario_1_is_played_through_the_page(browser: Any, shared: str) -> None:
    ana = Visitor(browser, shared, viewport={"width": 1280, "height": 900}, color_scheme="light")
    ana.open()
    ana.keep("empty")
    for number, line in enumerate(load_scenarios()[0].turns, start=1):
        ana.say(line.say)
        ana.keep(f"scenario-1-turn-{number}")
    text = ana.page.locator(".stMain").inner_text()
    assert "Financeiro recebeu: pedido 10405" in text
    assert ana.page.locator(".st-key-painel .titulo").first.is_visible()
    assert ana.elsewhere() == set()

    url = ana.page.url
    dark = Visitor(browser, shared, viewport={"width": 1280, "height": 800}, color_scheme="dark")
    dark.open(url)
    dark.page.locator(".passagem").wait_for()
    dark.rest()
    dark.keep("dark")
    phone = Visitor(
        browser, shared, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, user_agent="Mobile"
    )
    phone.open(url)
    phone.page.locator(".passagem").wait_for()
    phone.rest()
    phone.keep("phone")
    assert phone.overflow() <= 0
    assert phone.page.locator(".st-key-painel").count() == 0
    assert dark.elsewhere() | phone.elsewhere() == set()


def test_a_double_click_sends_once_and_a_reload_keeps_the_history(browser: Any, shared: str) -> None:
    ana = Visitor(browser, shared)
    ana.open()
    ana.page.locator(".st-key-exemplo-0 button").dblclick()
    ana.page.locator(".fala.agente").first.wait_for()
    ana.rest()
    ana.page.reload()
    ana.page.locator(".fala.agente").first.wait_for()
    ana.rest()
    assert ana.page.locator(".fala.cliente").count() == 1
    assert ana.page.locator(".fala.agente").count() == 1


def test_a_browser_that_is_closed_in_mid_turn_finds_the_answer_later(browser: Any, shared: str) -> None:
    ana = Visitor(browser, shared)
    ana.open()
    box = ana.page.get_by_placeholder("Escreva sua mensagem")
    box.fill(WHERE_IS_IT)
    box.press("Enter")
    ana.page.wait_for_url("**conversa=**")
    url = ana.page.url
    ana.page.context.close()
    again = Visitor(browser, shared)
    again.open(url)
    again.page.locator(".fala.agente").first.wait_for()


def test_hostile_text_stays_text(browser: Any, shared: str) -> None:
    eve = Visitor(browser, shared)
    eve.open()
    eve.say("<img src=http://evil.example/x.png onerror=\"document.title='pwned'\"> ![x](http://evil.example/y.png)")
    assert "<img src=http://evil.example/x.png" in eve.page.locator(".fala.cliente").inner_text()
    assert eve.page.locator(".stMain img, .stSidebar img").count() == 0
    assert eve.page.title() == "Bastão"
    assert eve.elsewhere() == set()
