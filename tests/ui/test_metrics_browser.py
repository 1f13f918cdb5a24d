"""The numbers' page in Chromium: on a laptop and on a phone in the dark; a table taken along; nothing fetched from elsewhere.

BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.months import month_url
from tests.ui.test_browser import CHROMIUM, FIRST_OPENING_S, Visitor, address, browser

__all__ = ["address", "browser", "month_url"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]


@pytest.fixture
def surface_environ(month_url: str, surface_data: Path) -> dict[str, str]:
    """The page's process gets the month's database."""
    keep = {
        key: value for key, value in os.environ.items() if not key.startswith(("BASTAO_", "OPENAI_", "OPENROUTER_"))
    }
    return {**keep, "DATABASE_URL": month_url, "BASTAO_DATA_DIR": str(surface_data)}


def test_the_numbers_are_readable_on_a_laptop_and_on_a_phone(browser: Any, address: str) -> None:
    url = f"{address}/numeros?de=2026-10-01&ate=2026-10-31"
    laptop = Visitor(browser, address, viewport={"width": 1280, "height": 900}, color_scheme="light")
    laptop.page.goto(url)
    laptop.page.locator(".figuras").wait_for(timeout=FIRST_OPENING_S * 1000)
    laptop.page.get_by_text("Baixar o resumo em CSV").wait_for()
    laptop.rest()
    laptop.page.locator("[data-testid=stVegaLiteChart]").nth(6).wait_for(state="attached")
    laptop.keep("numbers")
    assert laptop.overflow() <= 0
    assert "Dados simulados" in laptop.page.locator(".stMain").inner_text()

    with laptop.page.expect_download() as taken:
        laptop.page.locator(".st-key-csv-fila-humana button").click()
    assert taken.value.suggested_filename == "fila-humana-20261001-20261031.csv"
    assert Path(taken.value.path()).read_text("utf-8-sig").startswith("Motivo;Itens;Atendidos;")

    phone = Visitor(
        browser, address, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark"
    )
    phone.page.goto(url)
    phone.page.locator(".figuras").wait_for()
    phone.rest()
    phone.keep("numbers-phone")
    assert phone.overflow() <= 0
    assert laptop.elsewhere() | phone.elsewhere() == set()


def test_on_a_narrow_window_the_panel_is_closed_until_it_is_asked_for(browser: Any, address: str) -> None:
    ana = Visitor(browser, address, viewport={"width": 390, "height": 844})
    ana.open()
    ana.page.locator(".st-key-exemplo-0 button").click()
    ana.page.locator(".fala.agente").first.wait_for()
    ana.rest()
    panel = ana.page.locator(".st-key-painel")
    ana.keep("narrow")
    assert not panel.is_visible()
    ana.page.locator(".st-key-bastidores-estreito label").click()
    panel.wait_for()
    assert ana.overflow() <= 0
    ana.page.set_viewport_size({"width": 1280, "height": 850})
    assert panel.is_visible()
    ana.page.locator(".st-key-bastidores label").click()
    panel.wait_for(state="hidden")
    assert ana.page.locator(".st-key-bastidores-estreito").is_hidden()
