"""What the pages show to whom: nothing of another customer's, a record of what operators read, and few sign-ins."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from streamlit.testing.v1 import AppTest

from ops.problems import TooMany
from tests.ui.test_chat import PAGE, address_of, page
from tests.ui.test_chat import backend as backend
from tests.ui.test_operators import Talk, draw
from ui.bridge import Backend
from ui.failures import SENDING, words_of

SECRETS = ("10405", "cadê o pedido", "BR104057388BR", "transportadora")
LOGINS = {"BASTAO_OPERATOR_LOGIN": "bia:a password that is long,caio:another one that is long"}
STAGE: dict[str, Any] = {}
pytestmark = pytest.mark.slow


@pytest.fixture
def talk(backend: Backend) -> Talk:
    """A conversation of customer c1 in which something was read, and a person called."""
    talk = Talk(backend)
    talk.say("cadê o pedido 10405?")
    talk.say("quero falar com gente")
    return talk


@pytest.fixture
def audit(database_url: str) -> Iterator[Any]:
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield lambda: conn.execute("select actor, rule, customer_id, thread_id from audit order by id").fetchall()


def open_page(**address: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    for key, value in address.items():
        at.query_params[key] = value
    return at.run()


def test_another_customers_conversation_in_the_address_shows_nothing_and_is_noted(talk: Talk, audit: Any) -> None:
    assert any(secret in page(open_page(cliente="c1", conversa=talk.thread_id)) for secret in SECRETS)
    before = audit()
    at = open_page(cliente="c2", conversa=talk.thread_id)
    shown = page(at) + "".join(str(button.label) for button in at.button)
    assert [
        secret
        for secret in SECRETS
        if secret in shown.replace("Meu pedido 10405", "").replace("Pix do pedido 10405", "")
    ] == []
    assert "conversa" not in address_of(at)
    assert audit()[len(before) :] == [("customer", "foreign_conversation", "c2", talk.thread_id)]


def test_an_address_that_leads_nowhere_opens_the_page(backend: Backend) -> None:
    for thread_id in ("\x00", "a" * 5_000, "\u202e\u200b", "th-nobodys", "'; drop table messages; --", "../../etc"):
        page(open_page(cliente="c1", conversa=thread_id))


def test_who_writes_too_fast_is_told_so_in_words() -> None:
    assert isinstance(TooMany("Espere 7 s.", 7), SENDING)
    assert words_of(TooMany("Espere 7 s.", 7)) == "Espere 7 s."


def test_what_an_operator_sees_is_recorded(talk: Talk, audit: Any) -> None:
    item = talk.item()
    before = audit()
    at = AppTest.from_function(draw, default_timeout=60)
    at.query_params["item"] = item
    at.run()
    assert "10405" in page(at)
    noted = [(actor, rule) for actor, rule, _, _ in audit()[len(before) :]]
    assert set(noted) == {("operator:Marta", "read_queue"), ("operator:Marta", "read_item")}


def draw_sign_in() -> None:
    import streamlit as st

    from tests.ui.test_isolation import LOGINS, STAGE
    from ui.sign_in import operator_of

    if (name := operator_of(STAGE["backend"], LOGINS)) is not None:
        st.write(f"dentro: {name}")


def sign_in(name: str, password: str) -> AppTest:
    at = AppTest.from_function(draw_sign_in, default_timeout=60).run()
    at.text_input(key="usuario").input(name)
    at.text_input(key="senha").input(password)
    return at.button[0].click().run()


def test_after_too_many_wrong_passwords_the_page_lets_nobody_in_by_that_name(backend: Backend, audit: Any) -> None:
    in_production = replace(backend.bastao, mode="production")
    STAGE["backend"] = Backend(backend.loop, SimpleNamespace(value=in_production), backend.runs, backend.news)  # type: ignore[arg-type]
    tries = backend.bastao.services.limits.sign_in_tries
    for _ in range(tries):
        assert [e.value for e in sign_in("bia", "a wrong password").error] == ["Usuário ou senha não conferem."]
    locked = sign_in("bia", "a password that is long")
    assert [e.value for e in locked.error] == ["Muitas tentativas. Espere 15 min e tente de novo."]
    assert [m.value for m in sign_in("caio", "another one that is long").markdown] == ["dentro: caio"]
    rules = [rule for _, rule, _, _ in audit()]
    assert rules == ["sign_in_refused"] * tries + ["sign_in_locked"]
