"""The chat page in Chromium, with its models at the end of a socket: a confirmation, a stop, two tabs, a restart.

One server for the whole module: each test has a conversation of its own. BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from agents.models.offline import OfflineChatModels
from settings import ROOT, load_settings, roster_of
from stubs.app import create_app
from stubs.serve import serving
from stubs.specialists import chat_by_prompt
from tests.conftest import fresh_database
from tests.stubs.simulated import QUESTION, WordDecider
from tests.surfaces import environ_of
from tests.ui import test_browser
from tests.ui.serving import PATIENCE_S, Pages, serving_pages
from tests.ui.test_browser import CHROMIUM, FLAGS, WHERE_IS_IT, Visitor, playwright
from tests.ui.test_chat import NEW_ADDRESS

pytestmark = test_browser.pytestmark
MODEL = "gpt-de-teste"
ELSEWHERE = """
import asyncio, os, sys
from datetime import UTC, datetime
from storage.database import Database
from storage.records import messages

async def main():
    database = await Database.open(environ=os.environ)
    async with database.connection() as conn:
        said = {"message_id": "m-bia", "role": "operator", "author": "bia", "text": "Bom dia, aqui é a Bia."}
        await messages.add(conn, sys.argv[1], **said, now=datetime.now(UTC))
    await database.close()

asyncio.run(main())
"""
DESK = {"viewport": {"width": 1280, "height": 850}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "user_agent": "Mobile"}


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """A server that speaks as the offline models do and decides by words, and that faults can be put on."""
    roster, models = roster_of(load_settings({})), OfflineChatModels()
    chats = {spec.id: models.for_agent(spec) for spec in roster.specs}
    prompts = {spec.id: roster.prompt(spec.id) for spec in roster.specs}
    with serving(create_app(decider=WordDecider(), chat=chat_by_prompt(prompts, chats), question=QUESTION)) as address:
        yield address


@pytest.fixture(scope="module")
def pages(postgres: str, model: str, surface_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    folder = tmp_path_factory.mktemp("pages")
    chat = {"provider": "openai", "model": MODEL, "base_url": f"{model}/v1"}
    config = json.loads((ROOT / "config.json").read_text("utf-8"))
    config |= {"chat_model": chat, "decision": {"provider": "systemone"}}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with fresh_database(postgres) as url:
        own = {"BASTAO_CONFIG": str(folder / "config.json"), "SYSTEMONE_BASE_URL": model}
        environ = environ_of(url, surface_data) | own
        with serving_pages(environ, log=folder / "streamlit.log") as served:
            yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def visitors(browser: Any, pages: Pages) -> Iterator[Any]:
    """Open visitors of the page, each at an address of it; what they hold is given back."""
    opened: list[Visitor] = []

    def visit(url: str | None = None, **context: Any) -> Visitor:
        visitor = Visitor(browser, pages.address, **(context or DESK))
        opened.append(visitor)
        visitor.open(url)
        return visitor

    yield visit
    for visitor in opened:
        visitor.page.context.close()


def lines(visitor: Visitor) -> list[str]:
    """What was said, without the time of day."""
    return [text.split("\n", 1)[-1] for text in visitor.page.locator(".fala").all_inner_texts()]


def write(visitor: Visitor, text: str) -> None:
    """Send a message and wait for nothing."""
    box = visitor.page.get_by_placeholder("Escreva sua mensagem")
    box.fill(text)
    box.press("Enter")


def answered(visitor: Visitor) -> bool:
    """Tell whether the last word is ours, and nothing runs."""
    last = visitor.page.locator(".fala").last.get_attribute("class") or ""
    return "agente" in last and visitor.page.locator(".st-key-parar").count() == 0


def until(visitor: Visitor, true: Callable[[], bool]) -> None:
    """Wait for what another tab or process brings about."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        visitor.page.wait_for_timeout(100)


def test_a_confirmation_is_a_card_and_a_double_click_on_its_yes_acts_once(visitors: Any) -> None:
    ana = visitors()
    ana.say(NEW_ADDRESS)
    card = ana.page.locator(".confirmacao")
    card.wait_for()
    assert "10431" in card.inner_text()
    assert "245" in card.inner_text()
    ana.keep("confirmation")
    phone = visitors(ana.page.url, **PHONE)
    phone.page.locator(".confirmacao").wait_for()
    phone.rest()
    phone.keep("confirmation-phone")
    assert phone.overflow() <= 0
    ana.page.locator("[class*=st-key-sim-] button").dblclick()
    ana.page.locator(".fala.agente").nth(1).wait_for()
    ana.rest()
    assert lines(ana).count("sim") == 1
    assert ana.page.locator(".confirmacao").count() == 0
    ana.keep("confirmed")
    phone.page.locator(".fala.agente").nth(1).wait_for()
    assert lines(phone) == lines(ana)


def test_a_stop_in_mid_answer_ends_it_and_the_next_message_is_answered(visitors: Any, model: str) -> None:
    ana = visitors()
    httpx.post(f"{model}/stub/faults", json={"model": MODEL, "fault": {"kind": "hang"}}).raise_for_status()
    try:
        write(ana, WHERE_IS_IT)
        ana.page.locator(".trabalhando").get_by_text("Entregas").wait_for()
        ana.keep("working")
        ana.page.locator(".st-key-parar button").click()
        ana.page.get_by_text("Resposta interrompida").wait_for()
    finally:
        httpx.delete(f"{model}/stub/faults").raise_for_status()
    ana.page.reload()
    ana.page.get_by_text("Resposta interrompida").wait_for()
    ana.rest()
    assert lines(ana) == [WHERE_IS_IT]
    ana.keep("stopped")
    ana.say("e aí?")
    assert "10405" in lines(ana)[-1]
    assert len(lines(ana)) == 3


def test_two_tabs_on_one_conversation_show_the_same(visitors: Any) -> None:
    one = visitors()
    one.say(WHERE_IS_IT)
    two = visitors(one.page.url)
    two.page.locator(".fala.agente").wait_for()
    two.say("bom dia, tudo bem?")
    one.page.get_by_text("bom dia, tudo bem?").wait_for()
    one.page.locator(".fala.agente").nth(1).wait_for()
    write(one, "qual a previsão do pedido 10405?")
    write(two, "e qual é a transportadora?")
    until(one, lambda: answered(one) and answered(two) and lines(one) == lines(two) and len(lines(one)) >= 7)
    assert {"qual a previsão do pedido 10405?", "e qual é a transportadora?"} <= set(lines(one))
    assert len(one.page.locator(".fala.cliente").all()) == 4


def test_what_another_process_writes_appears_by_itself(visitors: Any, pages: Pages) -> None:
    ana = visitors()
    ana.say(WHERE_IS_IT)
    thread_id = parse_qs(urlsplit(ana.page.url).query)["conversa"][0]
    subprocess.run([sys.executable, "-c", ELSEWHERE, thread_id], cwd=ROOT, env=dict(pages.environ), check=True)
    ana.page.locator(".fala.pessoa").get_by_text("Bom dia, aqui é a Bia.").wait_for()


def test_a_restart_keeps_the_history(visitors: Any, pages: Pages) -> None:
    ana = visitors()
    ana.say(WHERE_IS_IT)
    before, url = lines(ana), ana.page.url
    pages.stop()
    pages.start()
    again = visitors(url)
    again.page.locator(".fala.agente").wait_for()
    assert lines(again) == before
    again.say("bom dia")
    assert len(lines(again)) == len(before) + 2
