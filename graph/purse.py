"""Money around a specialist's model calls: reserve the most that one can cost, call, settle what it did cost."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from langchain_core.messages import AIMessage, AnyMessage

from routing.budget import Price, most_tokens

# A model without a price in the configuration is reserved and counted at this much a call, in US$.
UNPRICED_CALL = Decimal("0.05")


class Charge(Protocol):
    """An open reservation: told what the call cost."""

    cost_usd: float | Decimal | None


class Spending(Protocol):
    """The ledger as the graph sees it. `paid` raises `SpendingStopped` before a call that a limit forbids."""

    def paid(
        self, provider: str, *, model: str, most_usd: Decimal, thread_id: str, agent: str | None = None
    ) -> AbstractAsyncContextManager[Charge]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """What paying for one chat model takes. `max_tokens` bounds an answer."""

    spending: Spending
    provider: str
    model: str
    price: Price | None
    max_tokens: int

    def pay(
        self, messages: Sequence[AnyMessage], tools: Sequence[Any], *, thread_id: str, agent: str
    ) -> AbstractAsyncContextManager[Charge]:
        """Reserve for one call of this model."""
        size = sum(most_tokens(m.text) for m in messages) + sum(most_tokens(str(t)) for t in tools)
        most = (
            UNPRICED_CALL if self.price is None else self.price.cost(input_tokens=size, output_tokens=self.max_tokens)
        )
        return self.spending.paid(self.provider, model=self.model, most_usd=most, thread_id=thread_id, agent=agent)

    def cost(self, answer: AIMessage) -> Decimal | None:
        """Return what a call cost: the provider's own figure, else usage by our price, else unknown (counted in full)."""
        given = answer.response_metadata.get("cost")
        if given is not None:
            return Decimal(str(given))
        usage = answer.usage_metadata
        if self.price is None or usage is None:
            return None
        cached = usage.get("input_token_details", {}).get("cache_read", 0)
        return self.price.cost(
            input_tokens=usage["input_tokens"], output_tokens=usage["output_tokens"], cached_tokens=cached
        )
