"""Who asks: signed tokens, two keys at once, demo headers in demo mode only."""

import base64
import json
import time
from typing import Any

import pytest

from api.tokens import identities_of, keys_of
from settings import ConfigurationError
from tests.api.conftest import Served
from tests.api.serving import CUSTOMER_KEYS, OPERATOR_KEYS, Client, operator, problem, token
from tests.scripted import ScriptedDecider, nobody

ENOUGH = "x" * 32


@pytest.fixture
def shop(serve: Served) -> Client:
    return serve({}, ScriptedDecider(nobody), mode="production")


def unsigned(**claims: Any) -> dict[str, str]:
    """A token of `alg: none`, which must never be believed."""

    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return {"Authorization": f"Bearer {part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."}


@pytest.mark.parametrize("headers", [token(), token(kid="k2"), token(kid=None, key=CUSTOMER_KEYS["k2"])])
def test_either_key_is_valid_with_or_without_its_id(shop: Client, headers: dict[str, str]) -> None:
    shop.headers = headers
    assert shop.get("/conversations").json() == {"conversations": []}


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({}, "token"),
        ({"Authorization": "Basic YTpi"}, "token"),
        ({"Authorization": "Bearer nonsense"}, ""),
        (token(ttl_s=-60), "expired"),
        (token(exp=None), "exp"),
        (token(sub=None), "sub"),  # pyright: ignore[reportArgumentType] - left out of the token
        (token(sub=""), "sub"),
        (token("c1\u0000"), "sub"),
        (token(kid="k9", key=CUSTOMER_KEYS["k1"]), "no key"),
        (token(kid="k1", key=CUSTOMER_KEYS["k2"]), "no key"),
        (token(key="a key that is not ours, but long enough"), "no key"),
        (token(key=CUSTOMER_KEYS["k1"], algorithm="HS512"), ""),
        (unsigned(sub="c1", exp=int(time.time()) + 600), ""),
        (token(kid="o1"), "no key"),
        (token(role="operator"), "role"),
        (token(aud="another shop"), "ud"),
    ],
)
def test_what_proves_nothing_is_refused(shop: Client, headers: dict[str, str], why: str) -> None:
    shop.headers = {}
    got = shop.get("/conversations", headers=headers)
    refused = problem(got, 401, "unauthenticated")
    assert why in refused["detail"]
    assert got.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "headers", [token(), token(role="operator"), token("bia", kid="o1"), token("bia", kid="o1", role="customer")]
)
def test_only_an_operators_key_and_role_open_the_queue(shop: Client, headers: dict[str, str]) -> None:
    shop.headers = {}
    problem(shop.get("/queue", headers=headers), 401, "unauthenticated")
    assert shop.get("/queue", headers=operator()).json() == {"items": []}


@pytest.mark.parametrize(("path", "header"), [("/conversations", "X-Demo-Customer"), ("/queue", "X-Demo-Operator")])
def test_demo_headers_are_refused_in_production(shop: Client, path: str, header: str) -> None:
    shop.headers = {}
    problem(shop.get(path, headers={header: "c1"}), 403, "demo_only")


def test_demo_headers_name_demo_customers_only(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody))
    client.headers = {}
    for name in ("c1", "c2", "c3"):
        assert client.get("/conversations", headers={"X-Demo-Customer": name}).status_code == 200
    refused = problem(client.get("/conversations", headers={"X-Demo-Customer": "c9"}), 401, "unauthenticated")
    assert "c1, c2, c3" in refused["detail"]
    assert client.get("/queue", headers={"X-Demo-Operator": "bia"}).status_code == 200
    problem(client.get("/queue", headers={"X-Demo-Operator": ""}), 401, "unauthenticated")


def test_a_token_wins_over_a_demo_header(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody))
    made = client.post("/conversations", headers=token("c2")).json()["conversation_id"]
    assert client.get(f"/conversations/{made}/messages", headers=token("c2")).status_code == 200
    problem(client.get(f"/conversations/{made}/messages"), 404, "no_such_conversation")


@pytest.mark.parametrize("text", ["k1", ":" + ENOUGH, "k1:short", f"k1:{ENOUGH},k1:{ENOUGH}y"])
def test_keys_that_cannot_be_keys_stop_the_start_and_are_not_repeated(text: str) -> None:
    with pytest.raises(ConfigurationError, match="BASTAO_CUSTOMER_KEYS") as refused:
        identities_of({"BASTAO_CUSTOMER_KEYS": text}, demo=True)
    assert ENOUGH not in str(refused.value)
    assert "short" not in str(refused.value).replace("shorter", "")


def test_a_secret_may_hold_colons() -> None:
    assert keys_of(f" k1:{ENOUGH}:a , k2:{ENOUGH} ", name="X") == {"k1": f"{ENOUGH}:a", "k2": ENOUGH}
    assert not set(CUSTOMER_KEYS) & set(OPERATOR_KEYS)
