import json
from pathlib import Path

import pytest

from routing.people_words import asks_person, only_mentions

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "people.jsonl").read_text("utf-8").splitlines()]


def test_the_corpus_is_large_enough():
    assert sum(row["asks"] for row in ROWS) >= 40
    assert sum(not row["asks"] for row in ROWS) >= 40


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_asking_for_a_person(row):
    assert asks_person(row["text"]) is row["asks"], row["text"]


@pytest.mark.parametrize(
    "text", ["o atendente de ontem me prometeu", "não quero atendente, só o código", "the agent promised me"]
)
def test_speaking_of_an_attendant_is_told_apart(text):
    assert only_mentions(text)


@pytest.mark.parametrize("text", ["quero um atendente", "cadê meu pedido?", ""])
def test_asking_for_one_or_for_none_is_no_mention(text):
    assert not only_mentions(text)
