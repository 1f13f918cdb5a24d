"""Any server that speaks `POST /v1/systemone`: TypeSafe, Microsoft Foundry, or one of your own."""

from typing import Literal

from langchain_core.decisions import Question, State
from pydantic import SecretStr

from routing.budget import Price
from routing.providers.base import DecisionResponse
from routing.providers.http_json import JsonHttp, secret_header
from routing.providers.remote import Json, RemoteProvider, join
from routing.providers.systemone_wire import to_body, to_response

PATH = "/v1/systemone"


class SystemOneDecisions(RemoteProvider):
    """A System One server."""

    def body(self, state: State, questions: dict[str, Question]) -> Json:
        return to_body(self.model, state, questions)

    def read(self, data: Json, questions: dict[str, Question]) -> DecisionResponse:
        return to_response(
            data, provider=self.known_as, questions=questions, price=self.price, unknown_cost_usd=self.max_cost_usd
        )


def systemone(
    known_as: str,
    *,
    model: str,
    base_url: str,
    key: str | None = None,
    key_header: Literal["Authorization", "api-key"] = "Authorization",
    path: str = PATH,
    timeout_s: float = 10.0,
    price: Price | None = None,
    max_cost_usd: float = 0.0,
    http: JsonHttp | None = None,
) -> SystemOneDecisions:
    """Return a provider. Foundry takes its key in `api-key` and a deployment's name as `model`; a server of one's own may
    need no key. Raises ValueError for a key or address that is none.
    """
    headers: dict[str, SecretStr] = {}
    if key is not None:
        headers[key_header] = secret_header(key, prefix="Bearer " if key_header == "Authorization" else "")
    return SystemOneDecisions(
        known_as=known_as,
        model=model,
        url=join(base_url, path),
        headers=headers,
        timeout_s=timeout_s,
        price=price,
        max_cost_usd=max_cost_usd,
        http=http or JsonHttp(),
    )
