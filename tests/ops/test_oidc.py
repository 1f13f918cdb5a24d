"""What a provider's claims make of a person: an operator, or nobody, and why."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from ops.oidc import NotIn, OidcSettings, SignedIn, operator_in

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
BIA = {"is_logged_in": True, "iat": NOW.timestamp() - 60, "preferred_username": "bia", "roles": ["operator"]}


def read(claims: dict[str, Any], **settings: Any) -> SignedIn | NotIn:
    return operator_in(claims, OidcSettings(**settings), now=NOW)


@pytest.mark.parametrize(
    ("claims", "settings"),
    [
        ({}, {}),
        ({"roles": "operator"}, {}),
        ({"roles": ["customer", "operator"]}, {}),
        ({"roles": None, "groups": ["sac"]}, {"role_claim": "groups", "operator_roles": ["sac", "chefia"]}),
        ({"roles": None, "realm_access": {"roles": ["operator"]}}, {"role_claim": "realm_access.roles"}),
        ({"roles": None, "https://loja.example/roles": ["operator"]}, {"role_claim": "https://loja.example/roles"}),
    ],
)
def test_a_role_makes_an_operator(claims: dict[str, Any], settings: dict[str, Any]) -> None:
    assert read({**BIA, **claims}, **settings) == SignedIn(name="bia")


@pytest.mark.parametrize(
    "roles", [None, [], "", "Operator", ["operators"], ["customer"], {"operator": True}, 1, [["operator"]]]
)
def test_anything_else_makes_none(roles: Any) -> None:
    assert read({**BIA, "roles": roles}) == NotIn(because="no_role", name="bia")


@pytest.mark.parametrize(
    "claims", [{}, {"email": "bia@example.com"}, {**BIA, "is_logged_in": False}, {**BIA, "is_logged_in": "true"}]
)
def test_nobody_is_in_who_did_not_log_in(claims: dict[str, Any]) -> None:
    assert read(claims) == NotIn(because="logged_out")


@pytest.mark.parametrize("issued", [(NOW - timedelta(hours=12, seconds=1)).timestamp(), None, "yesterday"])
def test_a_login_ends_after_the_configured_hours(issued: Any) -> None:
    assert read({**BIA, "iat": issued}) == NotIn(because="expired", name="bia")
    assert read(BIA, hours=0.01) == NotIn(because="expired", name="bia")


@pytest.mark.parametrize("name", [None, "", "  ", "bia\x00", "bia\nmarta", "b" * 81, ["bia"]])
def test_a_role_without_a_usable_name_is_not_enough(name: Any) -> None:
    assert read({**BIA, "preferred_username": name}) == NotIn(because="no_name")


def test_an_address_names_somebody_only_when_it_was_verified() -> None:
    mail = {**BIA, "email": "bia@example.com"}
    assert read(mail, name_claim="email") == NotIn(because="no_name")
    assert read({**mail, "email_verified": True}, name_claim="email") == SignedIn(name="bia@example.com")


@pytest.mark.parametrize("wrong", [{"operator_roles": []}, {"role_claim": ""}, {"hours": 0}, {"roles": "operator"}])
def test_settings_that_would_let_in_anybody_or_nobody_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OidcSettings(**wrong)
