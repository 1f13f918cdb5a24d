"""A wrong key or value fails at start with its path and what would be right; production refuses what is simulated."""

import json
from pathlib import Path
from typing import Any

import pytest

from ops.oidc import NEEDED
from settings import (
    ROOT,
    ConfigurationError,
    load_environment,
    load_settings,
    reader_of,
    reasons_of,
    roster_of,
    sensitive_of,
    webhook_of,
)

GOOD: dict[str, Any] = json.loads((ROOT / "config.json").read_text("utf-8"))


def written(folder: Path, **changes: Any) -> dict[str, str]:
    path = folder / "config.json"
    path.write_text(json.dumps({**GOOD, **changes}), "utf-8")
    return {"BASTAO_CONFIG": str(path), "BASTAO_DATA_DIR": str(folder)}


def test_the_shipped_configuration_is_valid() -> None:
    settings = load_settings({})
    assert settings.mode == "demo"
    assert roster_of(settings).ids == ("returns", "support", "billing")
    assert sensitive_of(settings)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mod": "demo"}, "mod: unknown key; known here: api, authority, budget, channels"),
        ({"api": {"origins": ["loja.example"]}}, "api.origins.0"),
        ({"limits": {"max_hopps": 2}}, "  limits.max_hopps: unknown key; known here: burst_s, clarifications, conversation_messages"),
        ({"limits": {"max_hops": -1}}, "  limits.max_hops: Input should be greater"),
        ({"limits": {"max_hops": {"a": 1}}}, "  limits.max_hops: Input should be a valid integer"),
        ({"limits": 5}, "  limits: Input should be"),
        ({"decision": {"provider": "local", "thresholds": {"tau": 1.7}}}, "decision.thresholds.tau"),
        ({"decision": {"providr": "local"}}, "decision.providr: unknown key; known here: ab, calibrations, deadline_s, per_provider"),
        ({"mode": "staging"}, "mode"),
        ({"timezone": "Brasilia"}, "timezone: Value error, not a time zone; write one like America/Sao_Paulo"),
        ({"roster": []}, "roster"),
        ({"sensitive": {"bombs": {}}}, "unknown topic 'bombs'; known: self_harm"),
        ({"read_by_example": {"thresholds": {"fraude": 0.5}}}, "unknown sign 'fraude'; known: asked_for_human, self_harm"),
        ({"chat_model": {"provider": "gpt"}}, "chat_model.provider"),
        ({"people": {"claim_timeout_minutes": 0}}, "people.claim_timeout_minutes"),
        ({"people": {"claim_minutes": 5}}, "people.claim_minutes: unknown key; known here: claim_timeout_minutes, closed_on_holidays"),
        ({"people": {"days": {"0": ["18:00", "09:00"]}}}, "people.days"),
        ({"people": {"webhook": {"url": "help desk"}}}, "people.webhook.url"),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_names_its_path(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(written(tmp_path, **changes))
    assert said in str(caught.value)


def test_a_wrong_time_limit_in_the_environment_is_named_where_it_lands(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"limits\.turn_timeout_s: Input should be a valid number"):
        load_settings({**written(tmp_path), "TURN_TIMEOUT_SECONDS": "soon"})
    with pytest.raises(ConfigurationError, match="limits: Input should be"):
        load_settings({**written(tmp_path, limits=5), "TURN_TIMEOUT_SECONDS": "5"})


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such file"):
        load_settings({"BASTAO_CONFIG": str(tmp_path / "nothing.json")})
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings({"BASTAO_CONFIG": str(tmp_path)})
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    with pytest.raises(ConfigurationError, match="not JSON"):
        load_settings({"BASTAO_CONFIG": str(broken)})


@pytest.mark.parametrize(
    ("roster", "said"),
    [(["agents/nobody.py"], "agents/nobody.py"), (["agents/returns.py", "agents/returns.py"], "returns")],
)
def test_a_roster_that_cannot_work_is_refused(tmp_path: Path, roster: list[str], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        roster_of(load_settings(written(tmp_path, roster=roster)))


def test_a_reason_for_an_unknown_specialist_is_refused(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, reasons={"charge": {"agent": "accounting"}}))
    with pytest.raises(ConfigurationError, match="accounting"):
        reasons_of(settings, roster_of(settings))


def test_editing_the_reasons_table_re_routes(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, reasons={"duplicate_charge": {"agent": "support"}}))
    assert reasons_of(settings, roster_of(settings)).entries["duplicate_charge"].agent == "support"


def test_production_names_everything_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(written(tmp_path, mode="production"))
    for missing in (
        "DATABASE_URL",
        "chat_model",
        "BASTAO_CUSTOMER_KEYS",
        "BASTAO_OPERATOR_LOGIN",
        "shop.adapter",
        "BASTAO_SECRET",
    ):
        assert missing in str(caught.value)


def test_production_starts_when_nothing_is_simulated(tmp_path: Path) -> None:
    environ = written(
        tmp_path,
        mode="production",
        shop={"name": "Loja", "adapter": "my_shop:MyShop"},
        chat_model={"provider": "openai", "model": "m"},
    )
    given = dict.fromkeys(
        ("DATABASE_URL", "BASTAO_CUSTOMER_KEYS", "BASTAO_OPERATOR_LOGIN", "BASTAO_SECRET", "OPENAI_API_KEY"), "x"
    )
    assert load_settings(environ | given).mode == "production"


def test_production_takes_a_provider_in_place_of_passwords(tmp_path: Path) -> None:
    for sign_in, missing in (({"role_claim": "groups"}, False), (None, True)):
        with pytest.raises(ConfigurationError) as caught:
            load_settings(written(tmp_path, mode="production", sign_in=sign_in))
        assert ("BASTAO_OPERATOR_LOGIN" in str(caught.value)) is missing


def test_production_refuses_a_provider_without_its_secrets(tmp_path: Path) -> None:
    def said(**environ: str) -> str:
        with pytest.raises(ConfigurationError) as caught:
            load_settings(written(tmp_path, mode="production", sign_in={}) | environ)
        return str(caught.value)

    secrets = tmp_path / ".streamlit" / "secrets.toml"
    assert "  sign_in: the provider, in .streamlit/secrets.toml under [auth]: redirect_uri, cookie_secret" in said()
    secrets.parent.mkdir()
    secrets.write_text("[auth", "utf-8")
    assert "under [auth]: redirect_uri" in said(HOME=str(tmp_path))
    secrets.write_text(
        '[auth]\nredirect_uri = "r"\ncookie_secret = "c"\nclient_id = "i"\nclient_secret = ""\n', "utf-8"
    )
    assert "under [auth]: client_secret, server_metadata_url" in said(HOME=str(tmp_path))
    secrets.write_text("[auth]\n" + "\n".join(f'{key} = "x"' for key in NEEDED), "utf-8")
    assert "sign_in" not in said(HOME=str(tmp_path))
    assert "sign_in" not in said(STREAMLIT_SECRETS_FILES=str(secrets))


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("BASTAO_SECRET=from-file\nTURN_TIMEOUT_SECONDS=5\n", "utf-8")
    monkeypatch.setenv("BASTAO_SECRET", "from-environment")
    environ = load_environment(tmp_path)
    assert environ["BASTAO_SECRET"] == "from-environment"
    assert load_settings({**environ, "BASTAO_CONFIG": ""}).limits.model_dump()["turn_timeout_s"] == "5"


def test_the_opening_hours_alone_still_are_the_people_section(tmp_path: Path) -> None:
    people = load_settings(written(tmp_path, people={"days": {"0": ["10:00", "12:00"]}, "country": "BR"})).people
    assert people.hours.days == {0: ("10:00", "12:00")}
    assert (people.claim_timeout_minutes, people.webhook) == (30, None)


def test_a_webhook_needs_the_secret_that_signs_it(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, people={"webhook": {"url": "https://desk.example/in"}}))
    with pytest.raises(ConfigurationError, match="BASTAO_WEBHOOK_SECRET"):
        webhook_of(settings, {})
    webhook = webhook_of(settings, {"BASTAO_WEBHOOK_SECRET": "a secret of the help desk"})
    assert webhook.settings.url == "https://desk.example/in"
    assert "a secret" not in repr(webhook)
    assert webhook_of(load_settings({}), {}) is None


def test_the_reader_by_examples_can_be_switched_off(tmp_path: Path) -> None:
    on, off = (
        reader_of(
            load_settings(written(tmp_path, read_by_example={"enabled": enabled})), {"BASTAO_DATA_DIR": str(tmp_path)}
        )
        for enabled in (True, False)
    )

    assert on is not None
    assert off is None
