"""Prices and limits as values."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from routing.budget import BudgetLimit, Price, Prices, most_tokens, usd

CHEAP, DEAR = Price(input_usd=Decimal("0.042")), Price(input_usd=Decimal("2"), output_usd=Decimal("8"))
PRICES = Prices(models={"jev": CHEAP, "jev-pro": DEAR})


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("jev", CHEAP),
        ("jev-1.13.0", CHEAP),
        ("jev:free", CHEAP),
        ("jev-pro", DEAR),
        ("jev-pro-2026", DEAR),
        ("jevons", None),
        ("x/jev", None),
        ("", None),
    ],
)
def test_a_build_has_the_price_of_its_family(model: str, price: Price | None) -> None:
    assert PRICES.of(model) == price


@pytest.mark.parametrize(
    ("price", "tokens_in", "tokens_out", "cost"),
    [
        (DEAR, 1_000_000, 1_000_000, "10"),
        (DEAR, 1, 0, "0.000002"),
        (CHEAP, 148, 3, "0.00000622"),  # 0.000006216, rounded up
        (CHEAP, 0, 0, "0"),
        (CHEAP, -5, 0, "0"),
    ],
)
def test_costs_are_rounded_up(price: Price, tokens_in: int, tokens_out: int, cost: str) -> None:
    assert price.cost(input_tokens=tokens_in, output_tokens=tokens_out) == Decimal(cost)


@pytest.mark.parametrize(
    ("cached_usd", "cached", "cost"),
    [("0.50", 600_000, "1.10"), (None, 600_000, "2"), ("0.50", 5_000_000, "0.50"), ("0.50", -1, "2")],
)
def test_cached_input_has_its_own_price_where_there_is_one(cached_usd: str | None, cached: int, cost: str) -> None:
    price = Price(input_usd=Decimal(2), cached_usd=None if cached_usd is None else Decimal(cached_usd))
    assert price.cost(input_tokens=1_000_000, cached_tokens=cached) == Decimal(cost)


@pytest.mark.parametrize(
    ("value", "amount"), [(0.1, "0.1"), ("0.000000001", "0.00000001"), (Decimal("1"), "1"), (0.000006216, "0.00000622")]
)
def test_amounts(value: float | str | Decimal, amount: str) -> None:
    assert usd(value) == Decimal(amount)


def test_the_stop_line_is_below_the_limit() -> None:
    assert BudgetLimit(limit_usd=Decimal(3), stop_usd=Decimal("2.80")).stop_usd == Decimal("2.80")
    with pytest.raises(ValidationError, match="must not be above"):
        BudgetLimit(limit_usd=Decimal(3), stop_usd=Decimal("3.01"))


@pytest.mark.parametrize("wrong", ["-1", "NaN", "Infinity"])
def test_amounts_that_are_none(wrong: str) -> None:
    with pytest.raises(ValidationError):
        BudgetLimit(limit_usd=Decimal(wrong), stop_usd=Decimal(0))
    with pytest.raises(ValidationError):
        Price(input_usd=Decimal(wrong))


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 3), ("ção", 5), ("🎯", 4), ("\ud800", 3)])
def test_no_text_has_more_tokens_than_bytes(text: str, tokens: int) -> None:
    assert most_tokens(text) == tokens
