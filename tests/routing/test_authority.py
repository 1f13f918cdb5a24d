"""Grants come from configuration and proof; the road to a specialist is no input, so every road decides the same."""

import inspect
from dataclasses import dataclass
from itertools import permutations, product

import pytest

from routing.authority import Allowed, AuthorityPolicy, Denied, Grants, Posture, Rule, grants_for, may_use
from routing.model import IdentityLevel
from routing.shop import Customer
from tests.routing.builders import fact


@dataclass(frozen=True)
class Spec:
    id: str
    tools: tuple[str, ...]
    posture: Posture = "executes"


SUPPORT = Spec("support", ("lookup_order", "update_address"))
BILLING = Spec("billing", ("lookup_order", "open_ticket"), "proposes")
RETURNS = Spec("returns", ("lookup_order", "open_return"), "guides")
SPECS = (SUPPORT, BILLING, RETURNS)
ANA = Customer(id="c1", tier="gold", level="session")
POLICY = AuthorityPolicy(
    rules=(
        Rule(agent="support", tier="gold", add=("cancel_order",)),
        Rule(agent="support", remove=("update_address",), tier="blocked"),
        Rule(agent="billing", confirmed="fraud_check=clear", add=("refund",)),
        Rule(agent="returns", identity="session", posture="executes"),
    )
)


@pytest.mark.parametrize(
    ("spec", "customer", "facts", "tools", "posture"),
    [
        (SUPPORT, ANA, [], {"lookup_order", "update_address", "cancel_order"}, "executes"),
        (SUPPORT, Customer(id="c2", level="session"), [], {"lookup_order", "update_address"}, "executes"),
        (SUPPORT, Customer(id="c3", tier="blocked"), [], {"lookup_order"}, "executes"),
        (RETURNS, ANA, [], {"lookup_order", "open_return"}, "executes"),
        (RETURNS, Customer(id=None), [], {"lookup_order", "open_return"}, "guides"),
        (BILLING, ANA, [fact("fraud_check", "clear", source="tool:fraud")], {"lookup_order", "open_ticket", "refund"}, "proposes"),
        (BILLING, ANA, [fact("fraud_check", "clear", source="session")], {"lookup_order", "open_ticket", "refund"}, "proposes"),
        (BILLING, ANA, [fact("fraud_check", "clear", source="customer", status="confirmed")], {"lookup_order", "open_ticket"}, "proposes"),
        (BILLING, ANA, [fact("fraud_check", "clear", source="tool:f", status="replaced")], {"lookup_order", "open_ticket"}, "proposes"),
        (BILLING, ANA, [fact("fraud_check", "failed", source="tool:f")], {"lookup_order", "open_ticket"}, "proposes"),
    ],
)  # fmt: skip
def test_grants(spec: Spec, customer: Customer, facts: list[object], tools: set[str], posture: Posture) -> None:
    grants = grants_for(spec, customer=customer, policy=POLICY, facts=facts)  # type: ignore[arg-type]
    assert (grants.tools, grants.posture) == (tools, posture)


def test_a_removal_wins_over_an_addition_wherever_it_stands() -> None:
    policy = AuthorityPolicy(rules=(Rule(agent="support", remove=("x",)), Rule(agent="support", add=("x",))))
    grants = grants_for(SUPPORT, customer=ANA, policy=policy)
    assert "x" not in grants.tools
    assert "x" in grants.owned


def test_the_trail_says_why() -> None:
    assert grants_for(SUPPORT, customer=ANA, policy=POLICY).because == ("spec:support", "rule:1")


def test_a_wrong_rule_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="agnet"):
        Rule.model_validate({"agnet": "support"})


GRANTS = Grants(
    agent="support", tools=frozenset({"lookup_order", "update_address"}), owned=frozenset({"lookup_order", "update_address", "cancel"}),
    posture="executes",
)  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "kind", "identity", "level", "posture", "waiting", "while_waiting", "code"),
    [
        ("lookup_order", "READ", "none", "none", "guides", True, False, None),
        ("update_address", "WRITE", "session", "session", "executes", False, False, None),
        ("update_address", "WRITE", "session", "session", "proposes", False, False, None),
        ("open_return", "WRITE", "none", "session", "executes", False, False, "not_owned"),
        ("cancel", "WRITE", "none", "session", "executes", False, False, "not_granted"),
        ("update_address", "WRITE", "session", "matched", "executes", False, False, "identity"),
        ("lookup_order", "READ", "matched", "none", "executes", False, False, "identity"),
        ("update_address", "WRITE", "none", "session", "guides", False, False, "posture"),
        ("update_address", "WRITE", "none", "session", "executes", True, False, "waiting"),
        ("update_address", "WRITE", "none", "session", "executes", True, True, None),
        ("update_address", "SIGNAL", "none", "none", "guides", True, False, None),
    ],
)
def test_one_call(
    tool: str, kind: str, identity: IdentityLevel, level: IdentityLevel, posture: Posture, waiting: bool,
    while_waiting: bool, code: str | None,
) -> None:  # fmt: skip
    grants = GRANTS.model_copy(update={"posture": posture})
    verdict = may_use(
        grants, tool, kind=kind, required_identity=identity, customer=Customer(id="c1", level=level), waiting=waiting,
        while_waiting=while_waiting,
    )  # type: ignore[arg-type]  # fmt: skip
    assert (verdict.code if isinstance(verdict, Denied) else None) == code
    if isinstance(verdict, Denied):
        assert tool in verdict.because or code in ("posture", "waiting")


TOOLS = ("lookup_order", "update_address", "open_ticket", "open_return", "cancel_order", "refund", "approve_everything")


def decided(spec: Spec, customer: Customer) -> list[Allowed | Denied]:
    grants = grants_for(spec, customer=customer, policy=POLICY)
    return [may_use(grants, tool, kind="WRITE", required_identity="session", customer=customer) for tool in TOOLS]


@pytest.mark.parametrize(("first", "second"), permutations(SPECS, 2))
@pytest.mark.parametrize("level", ["none", "matched", "session"])
def test_direct_or_by_transfer_the_decision_is_the_same(first: Spec, second: Spec, level: IdentityLevel) -> None:
    customer = Customer(id="c1", tier="gold", level=level)
    direct = decided(second, customer)
    decided(first, customer)
    assert decided(second, customer) == direct


def test_the_road_is_no_input() -> None:
    inputs = set(inspect.signature(grants_for).parameters) | set(inspect.signature(may_use).parameters)
    assert inputs == {
        "spec", "customer", "policy", "facts", "grants", "tool_name", "kind", "required_identity", "waiting", "while_waiting",
    }  # fmt: skip


def test_what_one_specialist_has_another_does_not_inherit() -> None:
    for one, other in product(SPECS, SPECS):
        extra = set(one.tools) - set(other.tools)
        assert not extra & grants_for(other, customer=ANA, policy=AuthorityPolicy()).tools
