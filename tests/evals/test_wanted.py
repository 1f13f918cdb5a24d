"""Which values are typed identifiers, and when a fact is one of them."""

import pytest

from evals.wanted import is_card, is_value, kind_of, typed_tokens
from tests.routing.builders import fact


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("order", "10405", "identifier"), ("serial", "SN-44X9", "identifier"), ("email", "ana@exemplo.com", "identifier"),
        ("address", "Rua Azul, 9", "identifier"), ("cost", "250", "identifier"), ("when", "43241", "identifier"),
        ("date", "14 june 2018", "identifier"), ("date", "March 3rd", "identifier"), ("date", "the 2nd of March", "identifier"),
        ("date", "12/03", "identifier"), ("date", "2026-03-12", "identifier"), ("date", "5 de dezembro", "identifier"),
        ("date", "2 days before", "words"), ("date", "the 3rd", "words"), ("date", "next Tuesday", "words"),
        ("date", "dia 14", "words"), ("date", "3 semanas", "words"), ("time", "5:15 pm", "words"), ("time", "14h30", "words"),
        ("time", "half past 11 in the morning", "words"), ("time", "morning 11:30", "words"), ("time", "1130 pm", "words"),
        ("quantity", "seven", "words"), ("name", "Ana", "words"),
        ("card_number", "4111 1111 1111 1111", "card"), ("card_number", "4532 0244 9834 3128", "identifier"),
        ("card_number", "654 e 17", "identifier"), ("order", "4111111111111111", "identifier"),
        ("password", "tomato 12", "secret"), ("cvv", "123", "secret"),
    ],
)  # fmt: skip
def test_the_kind_of_a_value(key: str, value: str, kind: str) -> None:
    assert kind_of(key, value) == kind


@pytest.mark.parametrize(
    ("key", "have", "wanted", "expected"),
    [
        ("order", "W12345", "#w-12345", True), ("order", "10405", "1040", False), ("order", "10405 10406", "10405", False),
        ("date", "2018-06-14 (14 june 2018)", "14 june 2018", True), ("date", "2018-06-14 (14 june 2018)", "2018-06-14", True),
        ("date", "2018-06-14 (14 june 2018)", "14 june", False), ("amount", "R$ 89,90", "89,90 reais", True),
        ("amount", "R$ 89,90", "reais", False), ("amount", "R$ 89,90", "89", False),
        ("phone", "+5511987654321", "(11) 98765-4321", True), ("phone", "+5511987654321", "4321", False),
        ("address", "Rua Azul, 9", "rua azul 9", True), ("mention", "x", "", False),
    ],
)  # fmt: skip
def test_a_fact_is_a_value_or_it_is_not(key: str, have: str, wanted: str, expected: bool) -> None:
    assert is_value(fact(key, have), wanted) is expected


def test_a_card_is_known_by_its_last_four() -> None:
    assert is_card(fact("card", "1111"), "4111 1111 1111 1111")
    assert not is_card(fact("identifier", "1111"), "4111 1111 1111 1111")
    assert not is_card(fact("card", "2222"), "4111 1111 1111 1111")


def test_the_typed_tokens_of_a_phrase() -> None:
    assert typed_tokens("98 th house 5b colony") == ("98", "5b")
