"""What a WRITE needs, and what a yes is worth."""

from datetime import timedelta
from itertools import product

import pytest

from routing.authority import Posture
from routing.confirmation import (
    Accepted,
    Confirm,
    Verdict,
    Void,
    accept,
    after_yes,
    decide_confirmation,
    digest,
    propose,
    rejected_before,
)
from routing.pending import Proposal
from tests.routing.builders import NOW

ARGS = {"order_id": "10405", "street": "Rua das Flores", "number": "35"}


@pytest.mark.parametrize(
    ("confirm", "own", "inferred", "executes", "proposes"),
    [
        ("none", False, True, "execute", "operator"),
        ("explicit", True, False, "execute", "operator"),
        ("explicit", True, True, "ask_customer", "ask_customer"),
        ("explicit", False, False, "ask_customer", "ask_customer"),
        ("customer", True, False, "ask_customer", "ask_customer"),
        ("operator", True, False, "operator", "operator"),
    ],
)
def test_the_tools_rule_capped_by_posture(
    confirm: Confirm, own: bool, inferred: bool, executes: Verdict, proposes: Verdict
) -> None:
    verdicts = {
        posture: decide_confirmation(confirm, posture, own_request=own, arguments_inferred=inferred)
        for posture in ("guides", "proposes", "executes")
    }
    assert verdicts == {"guides": "refuse", "proposes": proposes, "executes": executes}


@pytest.mark.parametrize(
    ("confirm", "posture"), product(("none", "explicit", "customer", "operator"), ("guides", "proposes", "executes"))
)
def test_a_yes_never_leads_to_another_question(confirm: Confirm, posture: Posture) -> None:
    verdict = after_yes(confirm, posture)
    assert verdict != "ask_customer"
    assert (verdict == "execute") is (posture == "executes" and confirm != "operator")


def proposal(**more: object) -> Proposal:
    made = propose(
        "update_address", ARGS, id="p-1", summary="trocar o endereço", by="support", now=NOW, basis={"order:10405": "3"}
    )
    return made.model_copy(update=more)


@pytest.mark.parametrize(
    ("given", "minutes", "basis", "asked", "code"),
    [
        (proposal(), 5, {"order:10405": "3"}, digest("update_address", ARGS), None),
        (proposal(), 30, {"order:10405": "3"}, digest("update_address", ARGS), "expired"),
        (proposal(), 5, {"order:10405": "4"}, digest("update_address", ARGS), "changed"),
        (proposal(), 5, {}, digest("update_address", ARGS), "changed"),
        (proposal(), 5, {"order:10405": "3"}, None, "not_asked"),
        (proposal(), 5, {"order:10405": "3"}, digest("update_address", ARGS | {"number": "53"}), "not_asked"),
        (proposal(args=ARGS | {"number": "9"}), 5, {"order:10405": "3"}, digest("update_address", ARGS), "not_asked"),
    ],
)
def test_a_yes_binds_to_exactly_what_was_asked(
    given: Proposal, minutes: int, basis: dict[str, str], asked: str | None, code: str | None
) -> None:
    verdict = accept(given, now=NOW + timedelta(minutes=minutes), basis_now=basis, last_asked_digest=asked)
    assert (verdict.code if isinstance(verdict, Void) else None) == code
    assert isinstance(verdict, Accepted) is (code is None)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({"number": "35", "street": " Rua  das Flores", "order_id": "10405"}, True),
        (ARGS | {"complement": None}, True),
        (ARGS | {"number": "36"}, False),
        (ARGS | {"street": "rua das flores"}, False),
        (ARGS | {"complement": "apto 2"}, False),
    ],
)
def test_the_digest_is_of_the_arguments(other: dict[str, str | None], same: bool) -> None:
    assert (digest("update_address", other) == digest("update_address", ARGS)) is same  # type: ignore[arg-type]
    assert digest("cancel_order", ARGS) != digest("update_address", ARGS)


def test_what_was_refused_is_known_again_only_unchanged() -> None:
    rejected = {digest("update_address", ARGS)}
    assert rejected_before("update_address", dict(ARGS), rejected=rejected)
    assert not rejected_before("update_address", ARGS | {"number": "36"}, rejected=rejected)


def test_a_digest_survives_lone_surrogates() -> None:
    assert digest("x", {"a": "\ud800"}) != digest("x", {"a": "\ud801"})
