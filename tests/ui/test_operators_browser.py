"""The operators' page in Chromium: a case with everything in it, taken over, answered and given back.

BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

from typing import Any

import pytest

from tests.ui.test_browser import CHROMIUM, Visitor, address, browser

__all__ = ["address", "browser"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
SAID = (
    "oi, meu tênis do pedido 10405 ainda não chegou, cadê?",
    "paguei esse pedido no cartão e cobraram duas vezes",
    "pode abrir",
    "isso é um absurdo, quero falar com um atendente",
    "é o presente da minha filha, o aniversário é sábado",
)


def test_a_case_is_taken_over_answered_and_given_back(browser: Any, address: str) -> None:
    ana = Visitor(browser, address, viewport={"width": 1280, "height": 800}, color_scheme="light")
    ana.open()
    for line in SAID:
        ana.say(line)
    ana.keep("waiting-for-a-person")

    bia = Visitor(browser, address, viewport={"width": 1360, "height": 1000}, color_scheme="light")
    bia.page.goto(f"{address}/fila")
    bia.page.locator(".bloco.acoes").wait_for()
    bia.keep("queue-item")
    shown = bia.page.locator(".stMain").inner_text()
    assert "Informações que não batem" in shown
    assert "absurdo" in shown
    assert bia.overflow() <= 0

    phone = Visitor(browser, address, viewport={"width": 390, "height": 844}, is_mobile=True, color_scheme="dark")
    phone.page.goto(f"{address}/fila")
    phone.page.locator(".bloco.acoes").wait_for()
    phone.rest()
    phone.page.get_by_role("button", name="Assumir").wait_for()
    phone.keep("queue-phone")
    assert phone.overflow() <= 0

    bia.page.locator("[class*=st-key-claim-] button").click()
    ana.page.get_by_text("Marta assumiu a conversa").wait_for()
    bia.page.get_by_label("Resposta ao cliente").fill("Oi, Ana! Sou a Marta, já estou vendo.")
    bia.page.get_by_role("button", name="Enviar resposta").click()
    ana.page.locator(".fala.pessoa").wait_for()
    ana.keep("held-by-a-person")
    bia.page.locator(".fala.pessoa").wait_for()
    bia.keep("queue-item-held")
    bia.page.locator("[class*=st-key-hand_back-] button").click()
    ana.page.get_by_text("Voltei a te atender").wait_for()
    assert ana.elsewhere() | bia.elsewhere() | phone.elsewhere() == set()
