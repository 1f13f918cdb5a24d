import json
from pathlib import Path

import pytest

from routing.language import detect

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "language.jsonl").read_text("utf-8").splitlines()
]


def test_the_table_is_large_enough():
    assert len(ROWS) >= 60


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_language_is_sticky_and_follows_clear_messages(row):
    assert detect(row["text"], row["current"]) == row["expected"], row["text"]


@pytest.mark.parametrize("current", ["pt", "en"])
@pytest.mark.parametrize("text", ["", "?", "10405 10418 10431 10433 10440", "\ud800\0\u202e", "¿¡ ¿¡ ¿¡ ¿¡"])
def test_nothing_to_read_changes_nothing(text, current):
    assert detect(text, current) == current


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("refund please", "en"), ("hi there", "en"), ("hello", "en"), ("tracking number?", "en"), ("cancel order", "en"),
        ("where's 10405", "en"), ("return 10405", "en"), ("item missing", "en"), ("speak to human", "pt"),
        ("oi", "pt"), ("ok", "pt"), ("boleto", "pt"), ("status 10405", "pt"), ("delivery", "pt"), ("no", "pt"), ("", "pt"),
        ("reembolso please", "pt"), ("meu tracking", "pt"), ("10405", "pt"),
    ],
)  # fmt: skip
def test_a_first_message_may_be_short(text: str, expected: str):
    assert detect(text, None) == expected


def test_only_the_first_one():
    assert detect("refund please", "pt") == "pt"
    assert detect("where is my order?", None) == "en"
