"""From settings to providers: what is missing is named, what a call can cost is known before it is made."""

from decimal import Decimal
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from routing.budget import Price, Prices
from routing.providers.base import ask
from routing.providers.registry import BUILDERS, ProviderSettings, build_providers
from routing.providers.remote_builders import NotConfigured, RemoteSettings, remote_of
from tests.routing.providers.clients import FLAGS, client, remote_settings
from tests.stubs.fixtures import KEY
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, WordDecider

HERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("flag", "missing"),
    [
        ("msd1", "openrouter_key"),
        ("jev", "openrouter_key"),
        ("systemone", "systemone_base_url"),
        ("openai", "openai_key"),
        ("llm", "llm_model"),
    ],
)
def test_what_is_missing_is_named(flag: str, missing: str) -> None:
    with pytest.raises(NotConfigured, match=missing):
        client(flag, RemoteSettings())


def test_a_flag_that_was_typed_must_be_configured_but_the_default_order_is_a_wish() -> None:
    settings = ProviderSettings.model_validate({"examples_dir": "."})
    builders = {**BUILDERS, "local": lambda _: WordDecider()}
    assert [p.flag for p in build_providers("local+fallback", settings, builders=builders)] == ["local"]
    with pytest.raises(NotConfigured):
        build_providers("msd1+fallback", settings, builders=builders)


@pytest.mark.parametrize("flag", FLAGS)
def test_a_call_costs_at_most_what_is_reserved(flag: str) -> None:
    provider = client(flag, remote_settings(HERE))
    assert 0.0 < provider.max_cost_usd <= 0.01


def test_a_configured_price_counts_before_the_published_one() -> None:
    prices = Prices(models={"microsoft/microsoft-decision-1": Price(input_usd=Decimal(42))})
    ours, theirs = client("msd1", remote_settings(HERE, prices=prices)), client("msd1", remote_settings(HERE))
    assert ours.max_cost_usd == pytest.approx(theirs.max_cost_usd * 1000, rel=0.01)


def test_a_model_without_a_price_is_counted_all_the_same() -> None:
    assert (
        client("systemone", remote_settings(HERE, systemone_model="own", unpriced_call_usd=0.03)).max_cost_usd == 0.03
    )


@pytest.mark.parametrize(
    "wrong",
    [{"openrouter_path": "/api/v1/alpha/decisions"}, {"timeout_s": 0}, {"max_input_tokens": 0}, {"surprise": 1}],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        remote_settings(HERE, **wrong)


def test_an_environment_gives_keys_and_addresses_and_a_configuration_the_rest() -> None:
    environ = {
        "OPENROUTER_API_KEY": " sk-1\n",
        "OPENROUTER_BASE_URL": HERE,
        "SYSTEMONE_BASE_URL": HERE,
        "OPENAI_API_KEY": "",
    }
    settings = remote_of(environ, {"jev_model": "~typesafe/jev-latest", "llm_model": "m"})
    assert settings.openrouter_key is not None
    assert settings.openrouter_key.get_secret_value() == "sk-1"
    assert (settings.openrouter_base_url, settings.systemone_base_url, settings.openai_key) == (HERE, HERE, None)
    assert (settings.jev_model, settings.llm_base_url) == ("~typesafe/jev-latest", f"{HERE}/api/v1")
    assert remote_of({"OPENAI_API_KEY": "sk-2"}).llm_base_url == "https://api.openai.com/v1"


async def test_the_llm_provider_through_openrouter_denies_data_collection(stub: str, control: httpx.Client) -> None:
    settings = remote_of(
        {"OPENROUTER_API_KEY": KEY, "OPENROUTER_BASE_URL": stub},
        {"llm_model": "gpt-4.1-mini", "llm_output_tokens": 300},
    )
    answer = await ask(client("llm", settings), MESSAGE_TEXT, exchange=NOTHING_BEFORE, question=QUESTION)
    assert answer.cost_usd > 0
    (request,) = requests(control)
    assert request["path"] == "/api/v1/chat/completions"
    assert request["body"]["provider"] == {"data_collection": "deny"}
    assert request["body"]["temperature"] == 0
    assert request["body"]["max_completion_tokens"] == 300


def requests(control: httpx.Client) -> list[dict[str, Any]]:
    return control.get("/stub/requests").json()


def test_an_address_must_be_http() -> None:
    with pytest.raises(ValueError, match="not an http"):
        client("msd1", remote_settings("openrouter.ai"))
