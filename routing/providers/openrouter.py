"""Decision models through OpenRouter: MSD1 and Jev. `POST /api/alpha/decisions`, no streaming, no `/v1` in the path."""

from langchain_core.decisions import Question, State
from pydantic import SecretStr

from routing.budget import Price
from routing.providers.base import DecisionResponse
from routing.providers.http_json import JsonHttp, secret_header
from routing.providers.remote import Json, RemoteProvider, join
from routing.providers.systemone_wire import to_body, to_response

BASE_URL = "https://openrouter.ai"
# Both speak the same format: the second is OpenRouter's copy of TypeSafe's path.
ALPHA_PATH, SYSTEMONE_PATH = "/api/alpha/decisions", "/api/v1/systemone"
MSD1, JEV = "microsoft/microsoft-decision-1", "typesafe/jev-1.13"


class OpenRouterDecisions(RemoteProvider):
    """One decision model of OpenRouter's."""

    def body(self, state: State, questions: dict[str, Question]) -> Json:
        # "deny": only upstreams that neither store nor train on what they are sent.
        return {**to_body(self.model, state, questions), "provider": {"data_collection": "deny"}}

    def read(self, data: Json, questions: dict[str, Question]) -> DecisionResponse:
        return to_response(
            data, provider=self.known_as, questions=questions, price=self.price, unknown_cost_usd=self.max_cost_usd
        )


def openrouter(
    known_as: str,
    *,
    model: str,
    key: str,
    base_url: str = BASE_URL,
    path: str = ALPHA_PATH,
    timeout_s: float = 10.0,
    price: Price | None = None,
    max_cost_usd: float = 0.0,
    http: JsonHttp | None = None,
) -> OpenRouterDecisions:
    """Return a provider. `model` may be an alias or a dated build. Raises ValueError for a key or address that is none."""
    headers: dict[str, SecretStr] = {"Authorization": secret_header(key, prefix="Bearer ")}
    return OpenRouterDecisions(
        known_as=known_as,
        model=model,
        url=join(base_url, path),
        headers=headers,
        timeout_s=timeout_s,
        price=price,
        max_cost_usd=max_cost_usd,
        http=http or JsonHttp(),
    )
