"""Hostile text on the pages: it is drawn as text, whoever wrote it, and nothing breaks."""

from html.parser import HTMLParser

import pytest
from streamlit.testing.v1 import AppTest

from tests.hostile.forms import FORMS
from tests.hostile.written import ACTIVE, write_hostile
from tests.ui.test_chat import PAGE, page
from tests.ui.test_chat import backend as backend
from tests.ui.test_operators import draw
from ui.bridge import Backend
from ui.words import literal

# What a page of ours never writes: whatever has one of these came from somebody.
LOADING = {"img", "script", "iframe", "svg", "style", "object", "embed", "link", "meta", "form", "input", "a", "base"}
pytestmark = pytest.mark.slow


class Elements(HTMLParser):
    """The elements of a page that load, run or lead somewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.active: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wrong = [name for name, _ in attrs if name.startswith("on") or name in ("href", "src", "srcset", "action")]
        if tag in LOADING or wrong:
            self.active.append(f"<{tag} {' '.join(wrong)}>")


def active(html: str) -> list[str]:
    found = Elements()
    found.feed(html)
    return found.active


def test_forms_that_a_customer_sends_are_drawn_as_text(backend: Backend) -> None:
    at = AppTest.from_file(PAGE, default_timeout=120)
    at.query_params["cliente"] = "c1"
    at.run()
    for name in ("NUL", "right to left", "combining", "families", "tags", "terminal", "percent", "line ends"):
        at.chat_input[0].set_value(FORMS[name]).run()
        shown = page(at)
        assert "fala cliente" in shown, name
        assert active(shown) == [], name
        assert "\x1b" not in shown


def test_what_lies_in_the_database_is_drawn_as_text_on_both_pages(backend: Backend) -> None:
    backend.read(write_hostile(backend.bastao.database, "th-hostile", customer_id="c1"))
    at = AppTest.from_file(PAGE, default_timeout=120)
    at.query_params["cliente"], at.query_params["conversa"] = "c1", "th-hostile"
    shown = page(at.run())
    assert active(shown) == []
    assert all(literal(text) in shown for text in ACTIVE if "\n" not in text and "R$" not in text and "*" not in text)
    assert not any("](" in str(button.label).replace("\\]\\(", "") for button in at.button)
    desk = AppTest.from_function(draw, default_timeout=120)
    desk.query_params["item"] = "q-hostile"
    assert active(page(desk.run())) == []
