"""The account that a remote provider keeps of us: what was billed, and what its key may still spend."""

import itertools
from decimal import Decimal
from typing import Any

Json = dict[str, Any]


class Account:
    """Counts what simulated calls would have cost. Nobody is charged."""

    def __init__(self, *, limit_usd: Decimal | None = None) -> None:
        self.usage_usd = Decimal(0)
        self._limit_usd = limit_usd
        self._numbers = itertools.count(1)

    def bill(self, cost_usd: Decimal) -> None:
        self.usage_usd += cost_usd

    def next_id(self, prefix: str) -> str:
        return f"{prefix}-{next(self._numbers):08d}-simulado"

    def key_info(self) -> Json:
        """Return the body of OpenRouter's `GET /api/v1/key`."""
        left = None if self._limit_usd is None else float(self._limit_usd - self.usage_usd)
        limit = None if self._limit_usd is None else float(self._limit_usd)
        data = {"label": "simulado", "usage": float(self.usage_usd), "limit": limit, "limit_remaining": left}
        return {"data": {**data, "is_free_tier": False}}
