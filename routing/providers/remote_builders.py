"""Builds the remote providers from settings: addresses, models, keys and prices come from outside, none from here."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from pydantic import ConfigDict, Field, SecretStr

from routing.budget import Price, Prices
from routing.model import Frozen
from routing.providers import openai_decisions, openrouter, systemone
from routing.providers.base import DecisionProvider
from routing.providers.http_json import JsonHttp
from routing.providers.llm import OUTPUT_TOKENS, LlmDecisions, chat_model
from routing.providers.remote import join

# US$ per million tokens, as published in 2026-10; what is set in `prices` counts first.
PUBLISHED = Prices(
    models={
        openrouter.MSD1: Price(input_usd=Decimal("0.042")),
        openrouter.JEV: Price(input_usd=Decimal("0.042")),
        "jev": Price(input_usd=Decimal("0.042")),
        openai_decisions.MODEL: Price(input_usd=Decimal("0.10")),
    }
)


# OpenRouter counts cost only when asked to, and hands prompts only to upstreams that keep nothing.
OPENROUTER_CHAT: dict[str, Any] = {"usage": {"include": True}, "provider": {"data_collection": "deny"}}


class NotConfigured(ValueError):
    """A provider that was asked for lacks a key, an address or a model. The message names which."""


class RemoteSettings(Frozen):
    """Where the remote providers are. `http` is shared by all of them; the llm provider has a client of its own kind.

    A reasoning model thinks within `llm_output_tokens`, and its client drops a temperature that it would refuse.
    `max_input_tokens` bounds what one decision can cost: the context of the decision models. A model without a price is
    counted with `unpriced_call_usd` a call.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    openrouter_key: SecretStr | None = None
    openrouter_base_url: str = openrouter.BASE_URL
    openrouter_path: Literal["/api/alpha/decisions", "/api/v1/systemone"] = openrouter.ALPHA_PATH
    msd1_model: str = openrouter.MSD1
    jev_model: str = openrouter.JEV
    systemone_base_url: str | None = None
    systemone_model: str = "jev-latest"
    systemone_key: SecretStr | None = None
    systemone_key_header: Literal["Authorization", "api-key"] = "Authorization"
    systemone_path: str = systemone.PATH
    openai_key: SecretStr | None = None
    openai_base_url: str = openai_decisions.BASE_URL
    openai_model: str = openai_decisions.MODEL
    llm_key: SecretStr | None = None
    llm_base_url: str | None = None
    llm_model: str | None = None
    llm_temperature: float | None = 0.0
    llm_output_tokens: int = Field(default=OUTPUT_TOKENS, gt=0)
    llm_extra_body: dict[str, Any] | None = None
    timeout_s: float = Field(default=10.0, gt=0)
    prices: Prices = Prices()
    max_input_tokens: int = Field(default=32_768, gt=0)
    unpriced_call_usd: float = Field(default=0.01, ge=0, allow_inf_nan=False)
    http: JsonHttp = Field(default_factory=JsonHttp, exclude=True, repr=False)

    def price_of(self, model: str) -> Price | None:
        """Return the configured price of a model, else the published one, else None."""
        return self.prices.of(model) or PUBLISHED.of(model)

    def most_usd(self, model: str, *, output_tokens: int = 0) -> float:
        """Return the most that one decision of a model can cost."""
        price = self.price_of(model)
        if price is None:
            return self.unpriced_call_usd
        return float(price.cost(input_tokens=self.max_input_tokens, output_tokens=output_tokens))


def remote_of(environ: Mapping[str, str], configured: Mapping[str, Any] | None = None) -> RemoteSettings:
    """Compose settings from an environment (keys and addresses) and a configuration (models, path, prices, limits).

    The llm provider speaks to OpenRouter where there is a key for it, else to OpenAI; `configured` may name another address.
    Raises pydantic's ValidationError for a configuration that is none.
    """
    secrets = {
        "openrouter_key": "OPENROUTER_API_KEY",
        "systemone_key": "SYSTEMONE_API_KEY",
        "openai_key": "OPENAI_API_KEY",
    }
    addresses = {"openrouter_base_url": "OPENROUTER_BASE_URL", "systemone_base_url": "SYSTEMONE_BASE_URL"}
    given = {name: environ[variable].strip() for name, variable in secrets.items() if environ.get(variable, "").strip()}
    given |= {name: environ[variable] for name, variable in addresses.items() if environ.get(variable)}
    through_openrouter = "openrouter_key" in given
    base = given.get("openrouter_base_url", openrouter.BASE_URL) if through_openrouter else openai_decisions.BASE_URL
    llm: dict[str, Any] = {"llm_base_url": f"{base}/api/v1" if through_openrouter else f"{base}/v1"}
    if through_openrouter:
        llm |= {"llm_key": given["openrouter_key"], "llm_extra_body": OPENROUTER_CHAT}
    elif "openai_key" in given:
        llm["llm_key"] = given["openai_key"]
    return RemoteSettings.model_validate({**llm, **given, **(configured or {})})


def build_openrouter(known_as: str, model: str, settings: RemoteSettings) -> DecisionProvider:
    """Build a decision model of OpenRouter's. Raises `NotConfigured` without a key."""
    return openrouter.openrouter(
        known_as,
        model=model,
        key=_key(settings.openrouter_key, known_as, "openrouter_key"),
        base_url=settings.openrouter_base_url,
        path=settings.openrouter_path,
        timeout_s=settings.timeout_s,
        price=settings.price_of(model),
        max_cost_usd=settings.most_usd(model),
        http=settings.http,
    )


def build_msd1(settings: RemoteSettings) -> DecisionProvider:
    return build_openrouter("msd1", settings.msd1_model, settings)


def build_jev(settings: RemoteSettings) -> DecisionProvider:
    return build_openrouter("jev", settings.jev_model, settings)


def build_systemone(settings: RemoteSettings) -> DecisionProvider:
    """Build the provider of a System One server. Raises `NotConfigured` without an address; a key is optional."""
    model, key = settings.systemone_model, settings.systemone_key
    return systemone.systemone(
        "systemone",
        model=model,
        base_url=_given(settings.systemone_base_url, "systemone", "systemone_base_url"),
        key=None if key is None else _key(key, "systemone", "systemone_key"),
        key_header=settings.systemone_key_header,
        path=settings.systemone_path,
        timeout_s=settings.timeout_s,
        price=settings.price_of(model),
        max_cost_usd=settings.most_usd(model),
        http=settings.http,
    )


def build_openai(settings: RemoteSettings) -> DecisionProvider:
    """Build OpenAI's decision model. Raises `NotConfigured` without a key."""
    model = settings.openai_model
    return openai_decisions.openai_decisions(
        "openai",
        key=_key(settings.openai_key, "openai", "openai_key"),
        model=model,
        base_url=settings.openai_base_url,
        timeout_s=settings.timeout_s,
        price=settings.price_of(model),
        max_cost_usd=settings.most_usd(model),
        http=settings.http,
    )


def build_llm(settings: RemoteSettings) -> DecisionProvider:
    """Build a chat model as a provider. Raises `NotConfigured` without key, address or model."""
    model = _given(settings.llm_model, "llm", "llm_model")
    chat = chat_model(
        model=model,
        key=_key(settings.llm_key, "llm", "llm_key"),
        base_url=join(_given(settings.llm_base_url, "llm", "llm_base_url"), ""),
        timeout_s=settings.timeout_s,
        temperature=settings.llm_temperature,
        output_tokens=settings.llm_output_tokens,
        extra_body=settings.llm_extra_body,
    )
    return LlmDecisions(
        model=model,
        chat=chat,
        timeout_s=settings.timeout_s,
        price=settings.price_of(model),
        max_cost_usd=settings.most_usd(model, output_tokens=settings.llm_output_tokens),
    )


def _given(value: str | None, known_as: str, name: str) -> str:
    if not value:
        raise NotConfigured(f"provider {known_as!r} needs {name}")
    return value


def _key(value: SecretStr | None, known_as: str, name: str) -> str:
    return _given(None if value is None else value.get_secret_value().strip(), known_as, name)
