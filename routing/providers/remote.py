"""What the decision providers behind HTTP have in common: an address, a key, a price, and one POST per decision."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from langchain_core.decisions import Question, State
from pydantic import Field, SecretStr

from routing.budget import Price
from routing.providers.base import DecisionProvider, DecisionResponse
from routing.providers.http_json import JsonHttp

Json = dict[str, Any]


class RemoteProvider(DecisionProvider, ABC):
    """A provider of the form "one JSON body there, one JSON body back".

    `known_as` is its flag; `headers` hold the key. `timeout_s` is its own limit: a chain's share of the deadline is usually
    shorter and then counts. `price` is what its tokens cost where the answer names no cost.
    """

    extras: ClassVar[bool] = True

    known_as: str
    url: str
    headers: dict[str, SecretStr] = Field(default={}, exclude=True, repr=False)
    timeout_s: float = Field(default=10.0, gt=0)
    price: Price | None = None
    http: JsonHttp = Field(default_factory=JsonHttp, exclude=True, repr=False)

    @property
    def _provider(self) -> str:
        return self.known_as

    @abstractmethod
    def body(self, state: State, questions: dict[str, Question]) -> Json:
        """Return what is posted."""

    @abstractmethod
    def read(self, data: Json, questions: dict[str, Question]) -> DecisionResponse:
        """Read what came back. Raises `ProviderError("garbage", …)`."""

    def _classify(self, state: State, questions: dict[str, Question]) -> DecisionResponse:
        async def once() -> DecisionResponse:
            try:
                return await self._aclassify(state, questions)
            finally:
                await self.http.aclose()

        return asyncio.run(once())

    async def _aclassify(self, state: State, questions: dict[str, Question]) -> DecisionResponse:
        body = self.body(state, questions)
        data = await self.http.post(self.url, body=body, headers=self.headers, timeout_s=self.timeout_s)
        return self.read(data, questions)


def join(base_url: str, path: str) -> str:
    """Join a server's address and a path. Raises ValueError unless the address is http(s)."""
    if not base_url.startswith(("https://", "http://")):
        raise ValueError(f"not an http(s) address: {base_url!r}")
    return f"{base_url.rstrip('/')}/{path.lstrip('/')}"
