"""From settings to providers: what is missing is named, what a call can cost is known before it is made."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from routing.budget import Price, Prices
from routing.providers.registry import BUILDERS, ProviderSettings, build_providers
from routing.providers.remote_builders import NotConfigured, RemoteSettings
from tests.routing.providers.clients import FLAGS, client, remote_settings
from tests.stubs.simulated import WordDecider

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


def test_an_address_must_be_http() -> None:
    with pytest.raises(ValueError, match="not an http"):
        client("msd1", remote_settings("openrouter.ai"))
