"""The remote clients as the tests build them: from settings that point at a stub, under their flags."""

import httpx
from pydantic import SecretStr

from routing.providers.base import DecisionProvider
from routing.providers.http_json import JsonHttp
from routing.providers.remote_builders import (
    RemoteSettings,
    build_jev,
    build_llm,
    build_msd1,
    build_openai,
    build_systemone,
)
from tests.stubs.fixtures import KEY

# By flag: what builds it, and the name by which the stub knows its model.
MODELS = {
    "msd1": "microsoft/microsoft-decision-1",
    "jev": "typesafe/jev-1.13",
    "systemone": "jev-latest",
    "openai": "gpt-6-luna",
    "llm": "gpt-5-mini",
}
_BUILD = {
    "msd1": build_msd1,
    "jev": build_jev,
    "systemone": build_systemone,
    "openai": build_openai,
    "llm": build_llm,
}
FLAGS = tuple(_BUILD)


def remote_settings(url: str, *, key: str = KEY, http: JsonHttp | None = None, **changes: object) -> RemoteSettings:
    secret = SecretStr(key)
    fields: dict[str, object] = {
        "openrouter_key": secret,
        "openrouter_base_url": url,
        "systemone_base_url": url,
        "systemone_key": secret,
        "openai_key": secret,
        "openai_base_url": url,
        "llm_key": secret,
        "llm_base_url": f"{url}/api/v1",
        "llm_model": MODELS["llm"],
        "timeout_s": 5.0,
        # Plain HTTP on loopback: loading certificates would be most of a test's time.
        "http": http or JsonHttp(transport=httpx.AsyncHTTPTransport(verify=False)),
    }
    return RemoteSettings.model_validate(fields | changes)


def client(flag: str, settings: RemoteSettings) -> DecisionProvider:
    return _BUILD[flag](settings)
