"""Text stays text, and times read as people say them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from ui.words import as_label, clock_words, literal, short_title, spoken

ZONE = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/x.png)",
    "<a href='http://evil.example'>aqui</a>",
    "\"'><svg onload=alert(1)>",
    "&lt;b&gt; já escapado",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("shown", [literal, spoken])
def test_no_text_becomes_markup(shown: object, text: str) -> None:
    assert callable(shown)
    drawn = shown(text)
    assert "<" not in drawn
    assert ">" not in drawn
    assert '"' not in drawn


def test_an_entity_is_shown_as_it_was_typed() -> None:
    assert literal("&lt;b&gt;") == "&amp;lt;b&amp;gt;"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("veja **isto** aqui", "veja <b>isto</b> aqui"),
        ("**<img>**", "<b>&lt;img&gt;</b>"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
        ("**sem fim", "**sem fim"),
    ],
)
def test_only_bold_is_drawn_in_replies(text: str, drawn: str) -> None:
    assert spoken(text) == drawn


def test_the_customers_asterisks_stay() -> None:
    assert literal("**oi**") == "**oi**"


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (datetime(2026, 11, 30, 14, 5, tzinfo=UTC), "11:05"),
        (datetime(2026, 11, 29, 14, 5, tzinfo=UTC), "ontem 11:05"),
        (datetime(2026, 11, 30, 2, 0, tzinfo=UTC), "ontem 23:00"),
        (datetime(2026, 11, 3, 14, 5, tzinfo=UTC), "03/11 11:05"),
    ],
)
def test_times(at: datetime, said: str) -> None:
    assert clock_words(at, now=NOW, zone=ZONE) == said


@pytest.mark.parametrize(
    ("title", "shown"),
    [(None, "Conversa sem título"), ("  oi\n tudo  bem ", "oi tudo bem"), ("x" * 90, "x" * 21 + "…")],
)
def test_titles(title: str | None, shown: str) -> None:
    assert short_title(title) == shown


@pytest.mark.parametrize(
    "text", ["![a](http://evil.example)", "[a](http://x)", "$x^2$", ":smile:", "<b>", "`a`", "*b*"]
)
def test_a_label_escapes_what_streamlit_would_read(text: str) -> None:
    label = as_label(text)
    special = set("![]()$:<>`*")
    assert all(label[i - 1] == "\\" for i, char in enumerate(label) if char in special)
