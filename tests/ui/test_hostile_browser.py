"""Hostile text on screen in Chromium: nothing of it runs, and no request leaves this machine."""

import asyncio
from typing import Any

import pytest

from storage.database import Database
from tests.hostile.written import ACTIVE, write_hostile
from tests.ui import test_browser
from tests.ui.test_browser import Visitor
from tests.ui.test_browser import address as address
from tests.ui.test_browser import browser as browser

pytestmark = test_browser.pytestmark


@pytest.fixture
def written(database_url: str) -> None:
    """Before the browser: its loop leaves no room for another one."""

    async def write() -> None:
        database = await Database.open(environ={"DATABASE_URL": database_url})
        await write_hostile(database, "th-hostile", customer_id="c1")
        await database.close()

    asyncio.run(write())


def watched(browser: Any, address: str) -> tuple[Visitor, list[str]]:
    """A visitor, and every dialog that something on the page opened."""
    visitor, opened = Visitor(browser, address), list[str]()
    visitor.page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    visitor.page.on("pageerror", lambda error: opened.append(str(error)))
    return visitor, opened


def test_hostile_text_on_both_pages_loads_and_runs_nothing(written: None, address: str, browser: Any) -> None:
    eve, opened = watched(browser, address)
    eve.open()
    eve.open(f"{address}/?cliente=c1&conversa=th-hostile")
    eve.page.locator(".fala").nth(len(ACTIVE)).wait_for()
    eve.rest()
    assert eve.page.locator(".stMain img, .stMain script, .stMain iframe, .stMain a, .stMain form").count() == 0
    eve.page.locator(".fala").first.hover()
    eve.page.mouse.wheel(0, 4_000)
    assert (eve.elsewhere(), opened) == (set(), [])
    assert eve.page.title() == "Bastão"

    operator, also_opened = watched(browser, address)
    operator.page.goto(f"{address}/fila?item=q-hostile")
    operator.page.locator(".item-cabeca").wait_for()
    operator.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert operator.page.locator(".stMain img, .stMain script, .stMain iframe, .stMain a[href^=http]").count() == 0
    assert (operator.elsewhere(), also_opened) == (set(), [])
