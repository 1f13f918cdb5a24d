import pytest

from routing.values import cents, compact, flat, holds, normalised, spelled, unspelled


@pytest.mark.parametrize(
    ("text", "amount"),
    [("R$ 1.234,56", 123456), ("89,90 reais", 8990), ("$12.50", 1250), ("1,234.5", 123450), ("300", 30000), ("nada", None),
     ("1.234", 123400), ("R$ 45", 4500)],
)  # fmt: skip
def test_reads_hundredths(text: str, amount: int | None) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("order", "#W-12", "w12"), ("payment_method", "cartão de crédito", "card"), ("payment_method", "Pix", "pix"),
        ("amount", "R$ 89,90", "R$ 89,90 (89,90 reais)"), ("order_status", "ainda não chegou", "I haven't received it"),
        ("order_status", "em trânsito", "in_transit"), ("name", "José", "jose"),
    ],
)  # fmt: skip
def test_recognises_the_same_value(key: str, one: str, other: str) -> None:
    assert normalised(key, one) == normalised(key, other)


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("2026-03-12 (12 de março)", "12 de março", True), ("R$ 89,90", "89,90", True), ("W2378156", "#W2378156", True),
        ("Rua das Flores, 35", "35", True), ("10405", "1040", False), ("2 10405", "10405", True), ("ana", "", False),
    ],
)  # fmt: skip
def test_holds_whole_words_only(value: str, wanted: str, expected: bool) -> None:
    assert holds(value, wanted) is expected


def test_flat_keeps_every_position() -> None:
    text = "Ação É ß ı — Ünïcødé 👍"
    assert len(flat(text)) == len(text)
    assert compact("#A-ç 1") == "ac1"


def test_spelling_stands_behind_the_normal_form() -> None:
    assert spelled("2026-03-12", "12/03") == "2026-03-12 (12/03)"
    assert unspelled("2026-03-12 (12/03)") == "2026-03-12"
    assert spelled("10405", "10405") == "10405"
