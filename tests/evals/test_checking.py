"""Every check of a played case can hold and can fail, and none holds for an agent that does nothing."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from evals.checking import declined, declining, overdone, problems
from evals.customers import CASES as CUSTOMERS
from evals.customers_cases import read_customers
from evals.expecting import Expect
from evals.seen import Seen
from evals.specialist import CASES
from evals.specialist_cases import read_specialist_cases
from routing.facts import Commitment, Fact
from routing.shop import Address, Delivery, Order, Request
from storage.records.effects import Effect
from storage.records.packages import Package
from storage.records.proposals import Stored
from storage.records.queue import QueueItem
from storage.records.turns import Turn
from tests.evals.playing_ground import BLAND
from tests.graph.conftest import ROSTER

NOW = datetime(2026, 12, 1, 13, tzinfo=UTC)
FRIDAY = datetime(2026, 12, 4, 21, tzinfo=UTC)  # 18:00 in São Paulo


def turn(number: int, reply: str | None, *trail: dict[str, Any], status: Any = "replied") -> Turn:
    return Turn(
        id=f"t-{number}", thread_id="th", number=number, contact_id=None, status=status, action=None, owner="x", fence=1, epoch=0,
        lease_until=NOW, attempts=1, stop_requested=False, started_at=NOW, ended_at=NOW, first_effect_at=None, reply=reply,
        reply_message_id=None, discarded_reply=None, trail=list(trail), decision={"target": "support"}, cost_usd=Decimal(0),
        tokens={}, versions={}, release=None, error_protocol=None,
    )  # fmt: skip


def tool(name: str, outcome: str, because: str | None = None, **args: Any) -> dict[str, Any]:
    return {"type": "tool", "name": name, "args": args, "outcome": outcome, "because": because, "agent": "support"}


def package(from_agent: str | None, reason: str, turn_id: str = "t-1") -> Package:
    return Package(
        id=f"{from_agent}-{reason}", thread_id="th", turn_id=turn_id, from_agent=from_agent, to_agent="billing", reason=reason,
        schema_version=1, body={}, tokens=1, at=NOW,
    )  # fmt: skip


def seen(**changed: Any) -> Seen:
    """Return a conversation in which everything happened that the expectations below look for."""
    address = Address(street="Rua das Acácias", number="254", city="Campinas", state="SP", cep="13010000")
    values: dict[str, Any] = {
        "turns": (
            turn(1, "Confirma abrir o chamado?", tool("lookup_order", "ok", order="10405"), {"type": "check", "kind": "refund"}),
            turn(2, "Está aberto, protocolo EN-4H7K2M.", tool("cancel_order", "refused", "cancel_too_late", order="10405")),
        ),
        "facts": (Fact(id="f", key="order", value="10405", source="customer", status="reported", at=NOW, turn=1),),
        "promises": (Commitment(id="c", text="Ligar até sexta", by="callback", at=NOW, due=FRIDAY, origin="promise_callback"),),
        "effects": (
            Effect(
                id="e", key="k", thread_id="th", turn_id="t-2", tool="open_delivery_ticket", args={}, state="done", receipt=None,
                personal=None, fence=1, attempts=1, claimed_at=NOW, settled_at=NOW,
            ),
        ),
        "items": (
            QueueItem(
                id="q", key="k", protocol="BA-1", thread_id="th", contact_id=None, turn_id="t-2", kind="review", reason="review",
                about=None, status="waiting", priority=1, package=None, notes=(), operator=None, created_at=NOW, claimed_at=None,
                resolved_at=None, due=None,
            ),
        ),
        "packages": (package(None, "override"), package("support", "charge"), package("support", "open_topic")),
        "proposals": (
            Stored(
                id="p", thread_id="th", turn_id="t-1", tool="cancel_order", args={}, digest="d", summary="cancelar o pedido 10440",
                proposed_by="returns", basis={}, asked_at=NOW, expires_at=FRIDAY, settled_at=None, status="pending",
            ),
        ),
        "rules": ("foreign_order",),
        "orders": (
            Order(
                id="10405", customer_id="c1", status="in_transit", placed_at=NOW, items=(), charges=(), delivery=Delivery(),
                address=address, total=1,
            ),
        ),
        "requests": (Request(protocol="EN-4H7K2M", kind="delayed", order_id="10405", status="open", at=NOW),),
        "zone": ZoneInfo("America/Sao_Paulo"),
    }  # fmt: skip
    return Seen(**(values | changed))


DONE: dict[str, Any] = {"effects": {"open_delivery_ticket": 1}, "requests": ["delayed:10405"]}
CHECKS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"tools": [{"name": "lookup_order", "outcome": "ok"}]}, {"tools": [{"name": "list_orders"}]}),
    ({"tools": [{"name": "lookup_order", "args": {"order": "#10405"}}]}, {"tools": [{"name": "lookup_order", "args": {"order": "10418"}}]}),
    ({"tools": [{"name": "cancel_order", "because": "cancel_too_late"}]}, {"tools": [{"name": "cancel_order", "because": "cancel_delivered"}]}),
    ({"tools": [{"name": "cancel_order", "outcome": "refused"}]}, {"tools": [{"name": "cancel_order", "outcome": "ok"}]}),
    ({"unused": ["cancel_order"]}, {"unused": ["lookup_order"]}),
    ({}, {"effects": {"open_delivery_ticket": 2}}),
    ({}, {"effects": {"open_delivery_ticket": 1, "cancel_order": 1}}),
    ({}, {"requests": []}),
    ({}, {"requests": ["delayed:10405", "delayed:10405"]}),
    ({"offers": "cancelar o pedido 10440"}, {"offers": "cancelar o pedido 10431"}),
    ({"promise": {"due_on": "2026-12-04", "text_has": "ligar"}}, {"promise": {"due_on": "2026-12-03"}}),
    ({"promise": {"origin": "promise_callback"}}, {"promise": {"origin": "person"}}),
    ({"queue": {"kind": "review"}}, {"queue": {"kind": "callback"}}),
    ({"queue": {"reason": "review"}}, {"queue": {"reason": "callback"}}),
    ({}, {"no_queue": True}),
    ({"order": {"id": "10405", "status": "in_transit"}}, {"order": {"id": "10405", "status": "cancelled"}}),
    ({"order": {"id": "10405", "address_has": "acacias, 254"}}, {"order": {"id": "10405", "address_has": "acacias, 245"}}),
    ({}, {"order": {"id": "10418", "status": "delivered"}}),
    ({"facts": {"order": "10405"}}, {"facts": {"order": "10418"}}),
    ({"audit": "foreign_order"}, {"audit": "identity_mismatch"}),
    ({"says": ["en-[a-z0-9]{6}"]}, {"says": ["confirma"]}),
    ({"said": ["confirma", "protocolo"]}, {"said": ["cancelad"]}),
    ({"never": ["cancelad"]}, {"never": ["confirma"]}),
]  # fmt: skip


@pytest.mark.parametrize(("holds", "fails"), CHECKS)
def test_a_check_holds_and_fails(holds: dict[str, Any], fails: dict[str, Any]) -> None:
    assert problems(Expect.model_validate(DONE | holds), seen()) == []
    assert problems(Expect.model_validate(DONE | fails), seen())


def test_a_turn_that_ends_badly_is_a_problem_by_itself() -> None:
    assert problems(Expect.model_validate(DONE), seen(turns=(turn(1, None, status="failed"),)))
    assert problems(Expect.model_validate(DONE), seen(turns=()))


def test_what_is_passed_on_is_judged_by_its_reason_and_by_what_the_decliner_did() -> None:
    passed_on = seen(turns=(turn(1, "Pronto.", tool("not_mine", "ok", reason="charge", detail="x")),))
    right, wrong = Expect(declines=("charge", "invoice")), Expect(declines=("return",))
    assert declined(passed_on) == ("charge",)
    assert declining(right, passed_on, agent="support") == []
    assert declining(wrong, passed_on, agent="support")
    assert declining(right, seen(), agent="support")
    assert declining(Expect.model_validate(DONE), passed_on, agent="support")
    assert declining(Expect.model_validate(DONE), seen(), agent="support") == []
    acted = seen(turns=(*passed_on.turns, turn(2, "Feito.", tool("update_address", "ok"))))
    assert declining(right, acted, agent="support")
    assert overdone(right, acted, agent="support")
    assert declining(right, acted, agent="returns") == []  # a colleague did it, and that is the colleague's case


def test_overdone_is_what_nobody_asked_for() -> None:
    assert not overdone(Expect.model_validate(DONE), seen(), agent="support")
    assert overdone(Expect(says=("aberto",)), seen(), agent="support")
    assert not overdone(Expect.model_validate(DONE), seen(effects=()), agent="support")


def test_transfers_are_counted_and_a_second_subject_is_no_immediate_one() -> None:
    assert (seen().transfers, seen().immediate_transfers, seen().blocked) == (2, 1, 1)


@pytest.mark.parametrize(
    "empty", [{}, {"never": ["sim"]}, {"unused": ["cancel_order"]}, {"order": {"id": "10405", "status": "paid"}}]
)
def test_an_expectation_that_holds_without_any_work_is_refused(empty: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="does nothing"):
        Expect.model_validate(empty)


@pytest.mark.parametrize("pattern", ["Protocolo", "não", "(", ""])
def test_a_pattern_that_could_never_be_found_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError):
        Expect.model_validate({"says": [pattern]})


def bland_seen() -> Seen:
    """Return what is on record after an agent that said something kind and did nothing: nobody ever did anything."""
    return seen(
        turns=(turn(1, BLAND), turn(2, BLAND)), facts=(), promises=(), effects=(), items=(), packages=(), proposals=(), rules=(), requests=()
    )  # fmt: skip


def test_an_agent_that_does_nothing_passes_no_case() -> None:
    nothing = bland_seen()
    cases = read_specialist_cases(CASES, agents=ROSTER.ids)
    passed = [
        c.id for c in cases if not problems(c.expect, nothing) and not declining(c.expect, nothing, agent=c.agent)
    ]
    assert len(cases) >= 40
    assert passed == []


def test_nor_reaches_a_customers_goal() -> None:
    customers = read_customers(CUSTOMERS)
    assert len(customers) >= 20
    assert [c.id for c in customers if not problems(c.goal, bland_seen())] == []
