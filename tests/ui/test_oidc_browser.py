"""The login of the operators' pages in Chromium, at a provider of OpenID Connect on a socket: out, wrong role, in, out, forged.

BASTAO_SCREENSHOTS names a folder that keeps what was seen.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from settings import ROOT
from stubs.serve import serving
from tests.ui import test_browser
from tests.ui.serving import free_port, serving_pages
from tests.ui.test_browser import FIRST_OPENING_S, Visitor
from tests.ui.test_browser import browser as browser

pytest.importorskip("authlib", reason="requirements-oidc.txt is not installed")
from tests.ui.oidc_provider import CLIENT, SECRET, create_provider

pytestmark = test_browser.pytestmark
PEOPLE = {
    "bia": {"preferred_username": "bia", "realm_access": {"roles": ["operator"]}},
    "caio": {"preferred_username": "caio", "realm_access": {"roles": ["estoque"]}},
    "velha": {"preferred_username": "velha", "realm_access": {"roles": ["operator"]}, "iat": 1_700_000_000},
}


@pytest.fixture
def address(surface_environ: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The pages, which send whoever wants in to the provider."""
    port = free_port()
    back = f"http://127.0.0.1:{port}/oauth2callback"
    config = json.loads((ROOT / "config.json").read_text("utf-8"))
    config |= {"sign_in": {"role_claim": "realm_access.roles"}, "decision": {"provider": "systemone"}}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    with serving(create_provider(PEOPLE, redirect_uri=back)) as provider:
        secrets = {
            "redirect_uri": back, "cookie_secret": "a cookie secret for the tests, long enough", "client_id": CLIENT,
            "client_secret": SECRET, "server_metadata_url": f"{provider}/.well-known/openid-configuration",
        }  # fmt: skip
        lines = [f"{key} = {json.dumps(value)}" for key, value in secrets.items()]
        (tmp_path / "secrets.toml").write_text("\n".join(["[auth]", *lines]), "utf-8")
        environ = {**surface_environ, "BASTAO_CONFIG": str(tmp_path / "config.json"), "SYSTEMONE_BASE_URL": provider}
        flags = (f"--secrets.files={tmp_path / 'secrets.toml'}",)
        with serving_pages(environ, log=tmp_path / "streamlit.log", port=port, flags=flags) as pages:
            yield pages.address


def log_in(visitor: Visitor, name: str) -> None:
    """Press the button, say at the provider who one is, and come back."""
    visitor.page.locator(".st-key-entrar button").click()
    visitor.page.get_by_role("link", name=name, exact=True).click()
    visitor.page.get_by_placeholder("Escreva sua mensagem").wait_for()
    visitor.page.goto(f"{visitor.address}/fila")


def test_only_an_operator_sees_the_queue_and_the_numbers(browser: Any, address: str) -> None:
    seen = Visitor(browser, address, viewport={"width": 1280, "height": 800}, color_scheme="light")
    for path in ("numeros", "fila"):
        seen.page.goto(f"{address}/{path}")
        seen.page.get_by_text("Entre com a sua conta de trabalho").wait_for(timeout=FIRST_OPENING_S * 1000)
        assert seen.page.locator(".cabecalho").count() == 0
    seen.keep("oidc-logged-out")

    log_in(seen, "caio")
    seen.page.get_by_text("caio não tem o papel de atendente").wait_for()
    assert seen.page.locator(".cabecalho").count() == 0
    seen.keep("oidc-wrong-role")
    seen.page.locator(".st-key-sair button").click()
    seen.page.get_by_placeholder("Escreva sua mensagem").wait_for()

    seen.page.goto(f"{address}/fila")
    log_in(seen, "velha")
    seen.page.get_by_text("Sua entrada venceu").wait_for()
    assert seen.page.locator(".cabecalho").count() == 0

    log_in(seen, "bia")
    seen.page.get_by_text("Ninguém na fila").wait_for()
    assert "Você entrou como bia." in seen.page.locator("[data-testid=stSidebar]").inner_text()
    seen.keep("oidc-operator")
    seen.page.goto(f"{address}/numeros")
    seen.page.get_by_text("Nada neste período").wait_for()
    seen.page.locator(".st-key-sair button").click()
    seen.page.get_by_placeholder("Escreva sua mensagem").wait_for()
    seen.page.goto(f"{address}/numeros")
    seen.page.locator(".st-key-entrar").wait_for()

    eve = Visitor(browser, address)
    forged = json.dumps({"is_logged_in": True, **PEOPLE["bia"]})
    eve.page.context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": address}])
    eve.page.goto(f"{address}/fila")
    eve.page.locator(".st-key-entrar").wait_for()
    assert eve.page.locator(".cabecalho").count() == 0
