"""Money: what a call may cost at most, what it did cost, and where spending stops. Values only; the ledger is elsewhere."""

from decimal import ROUND_UP, Decimal
from typing import Self

from pydantic import Field, model_validator

from routing.model import Frozen

_MILLION = Decimal(1_000_000)
# The ledger's resolution. Amounts are rounded up to it: a reservation may not be smaller than what it stands for.
_SMALLEST = Decimal("0.00000001")


class BudgetLimit(Frozen):
    """From `stop_usd` on nothing new begins; `limit_usd` is never passed, not even by the call that would cross it."""

    limit_usd: Decimal = Field(ge=0, allow_inf_nan=False)
    stop_usd: Decimal = Field(ge=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _stops_before_the_limit(self) -> Self:
        if self.stop_usd > self.limit_usd:
            raise ValueError(f"stop_usd ({self.stop_usd}) must not be above limit_usd ({self.limit_usd})")
        return self


class BudgetLimits(Frozen):
    """Per day in the shop's zone, per conversation over its life, per customer and day. None: no limit."""

    day: BudgetLimit | None = None
    conversation: BudgetLimit | None = None
    customer: BudgetLimit | None = None


class Price(Frozen):
    """US$ per million tokens. `cached_usd` is of input that the provider had in its cache; None: no discount."""

    input_usd: Decimal = Field(ge=0, allow_inf_nan=False)
    output_usd: Decimal = Field(default=Decimal(0), ge=0, allow_inf_nan=False)
    cached_usd: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)

    def cost(self, *, input_tokens: int, output_tokens: int = 0, cached_tokens: int = 0) -> Decimal:
        """Return what so many tokens cost, rounded up to the ledger's resolution. Cached ones are a part of the input."""
        cached = min(max(cached_tokens, 0), max(input_tokens, 0))
        read = self.input_usd * (max(input_tokens, 0) - cached)
        read += (self.input_usd if self.cached_usd is None else self.cached_usd) * cached
        exact = (read + self.output_usd * max(output_tokens, 0)) / _MILLION
        return exact.quantize(_SMALLEST, rounding=ROUND_UP)


class Prices(Frozen):
    """The price of each model, by the name under which it is asked for; a dated build has the price of its family."""

    models: dict[str, Price] = Field(default={})

    def of(self, model: str) -> Price | None:
        """Return the price of a model: its own, else that of the longest name it begins with, else None."""
        families = [name for name in self.models if model == name or model.startswith((f"{name}-", f"{name}:"))]
        return self.models[max(families, key=len)] if families else None


def usd(value: float | str | Decimal) -> Decimal:
    """Return an amount at the ledger's resolution, rounded up. A float is read by its shortest decimal form."""
    return Decimal(str(value)).quantize(_SMALLEST, rounding=ROUND_UP)


def most_tokens(text: str) -> int:
    """Return the most tokens that a text can be: no tokenizer makes more than one per byte of UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))
