"""Why a provider gave no usable answer."""

from typing import Literal

ErrorKind = Literal["retryable", "ours", "payment", "garbage"]


class ProviderError(Exception):
    """A provider gave no usable answer.

    `retryable`: it is down, slow or busy; `ours`: the request or the key is wrong; `payment`: no money left (402 or our
    own budget); `garbage`: it answered what is no answer. `why` is a short phrase that never quotes a message or a key.
    `retry_after_s` is what the server asked for. `cost_usd` is what the attempt cost, None when nobody knows.
    """

    def __init__(
        self, kind: ErrorKind, why: str, retry_after_s: float | None = None, *, cost_usd: float | None = 0.0
    ) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind: ErrorKind = kind
        self.why = why
        self.retry_after_s = retry_after_s
        self.cost_usd = cost_usd
