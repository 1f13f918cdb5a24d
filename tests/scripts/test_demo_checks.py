"""Every check can hold and can fail: an example of each, and none without one."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from ops.baton import Baton, EffectRow
from ops.follow_ups import DUE
from ops.people import Discarded, Effect
from ops.queue import QueueRow
from ops.reading import HistoryLine, PackageRow, TurnRow
from routing.facts import Commitment, Fact
from routing.shop import Address, Delivery, Order, Request
from scripts.demo_checks import CHECKS, problems
from scripts.demo_records import Records
from scripts.scenario_expect import Expectation

NOW = datetime(2026, 11, 30, 13, tzinfo=UTC)
FRIDAY = datetime(2026, 12, 4, 21, tzinfo=UTC)  # 18:00 in São Paulo
PROMISE = Commitment(
    id="c-1", text="Ligar até sexta", by="callback", at=NOW, due=FRIDAY, origin="promise_callback", status="open"
)


def fact(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": value, "source": "customer"}


def package(to: str, *, turn: str = "t-2", **body: Any) -> PackageRow:
    held = {
        "facts": [fact("order", "10405")],
        "hypotheses": [],
        "commitments": [PROMISE.model_dump(mode="json")],
    } | body
    return PackageRow(
        id=f"p-{to}", turn_id=turn, from_agent="support", to_agent=to, reason="exchange", body=held, tokens=9, at=NOW
    )


def line(seq: int, role: str, text: str = "x") -> HistoryLine:
    return HistoryLine(
        seq=seq, message_id=f"m-{seq}", role=role, author=None, agent=None, text=text, parts=(), at=NOW, turn_id=None,
        turn_status=None,
    )  # fmt: skip


ADDRESS = Address(street="Rua das Acácias", number="254", city="São Paulo", state="SP", cep="01310100")
SEEN = Records(
    turn=TurnRow(
        id="t-2", number=6, status="replied", decision={"target": "support", "reason": "confident"},
        tools=({"name": "lookup_order", "outcome": "ok"}, {"name": "cancel_order", "outcome": "refused"}), handoffs=(),
        checks=(), reply="O pedido 10405 está aí. Protocolo BA-1. Quer mais?", discarded_reply=None, latency_ms=1.0,
        cost_usd=0.0, error_protocol=None, started_at=NOW,
    ),
    packages=(
        package("returns", turn="t-1", hypotheses=[fact("subscription", "cancelada")]), package("billing"),
    ),
    lines=(line(1, "customer"), line(2, "agent"), line(3, "customer"), line(4, "operator")),
    baton=Baton(
        facts=(
            Fact(id="f-1", key="order", value="10405", source="customer", status="reported", at=NOW, turn=1),
        ),
        promises=(PROMISE,),
        effects=(
            EffectRow(turn_id="t-2", tool="cancel_order", args={}, state="refused", protocol=None),
            EffectRow(turn_id="t-2", tool="open_delivery_ticket", args={}, state="done", protocol="EN-1"),
        ),
        items=(
            QueueRow(
                id="q-1", protocol="BA-1", thread_id="th", turn_id="t-2", kind="callback", reason="callback",
                about="Ligar até sexta", status="claimed", priority=DUE, package=None, notes=(), operator="marta",
                created_at=NOW, claimed_at=NOW, due=None,
            ),
        ),
    ),
    discarded=(
        Discarded(
            turn=2, text="O chamado está aberto.", at=NOW,
            effects=(Effect(tool="open_delivery_ticket", state="done", protocol="EN-1", args={}, at=NOW),),
        ),
    ),
    orders=(
        Order(
            id="10440", customer_id="c1", status="paid", placed_at=NOW, items=(), charges=(), delivery=Delivery(), address=ADDRESS,
            total=1, note=None,
        ),
    ),
    requests=(Request(protocol="TR-1", kind="exchange", order_id="10418", status="open", at=NOW),),
    zone=ZoneInfo("America/Sao_Paulo"),
)  # fmt: skip

# By condition: what holds of SEEN, and what does not, part by part.
EXAMPLES: dict[str, tuple[list[Any], list[Any]]] = {
    "ending": (["replied"], ["held"]),
    "reply": (
        [{"has": ["PEDIDO 10405"]}, {"lacks": ["reembolso"]}, {"asks": True}, {"tells_protocol": True}],
        [{"has": ["reembolso"]}, {"lacks": ["pedido"]}, {"asks": False}, {"tells_protocol": False}],
    ),
    "decision": ([{"to": "support", "because": "confident"}], [{"to": "billing"}, {"because": "continuity"}]),
    "route": ([["billing"]], [["returns"], ["returns", "billing"], []]),
    "package": (
        [
            {"to": "billing", "from": "support", "because": "exchange", "facts": {"order": "10405"}},
            {"to": "returns", "suspicions": {"subscription": "cancelada"}, "not_facts": ["subscription"]},
            {"carries_promises": True},
        ],
        [
            {"to": "person"}, {"from": "billing"}, {"because": "return"}, {"facts": {"order": "1"}}, {"facts": {"item": "1"}},
            {"suspicions": {"subscription": "cancelada"}}, {"not_facts": ["order"]}, {"carries_promises": False},
        ],
    ),
    "tools": (
        [{"lookup_order": "ok"}, {"cancel_order": "refused"}, {"not_mine": "never"}],
        [{"lookup_order": "refused"}, {"lookup_order": "never"}, {"not_mine": "ok"}],
    ),
    "effects": ([{"open_delivery_ticket": 1}, {"cancel_order": 0}], [{"open_delivery_ticket": 2}, {"cancel_order": 1}]),
    "facts": ([{"order": "10405"}], [{"order": "10406"}, {"item": "1"}]),
    "not_facts": ([["subscription"]], [["order"]]),
    "promise": (
        [{"text_has": "ligar até sexta", "origin": "promise_callback", "status": "open", "due_on": "friday"}],
        [{"text_has": "segunda"}, {"origin": "person"}, {"status": "kept"}, {"due_on": "thursday"}],
    ),
    "queue": (
        [
            {"kind": "callback", "reason": "callback", "status": "claimed", "operator": "marta", "about_has": "sexta"},
            {"urgent": True, "count": 1}, {"kind": "review", "count": 0},
        ],
        [
            {"kind": "review"}, {"reason": "hop_limit"}, {"status": "waiting"}, {"operator": "rui"}, {"about_has": "segunda"},
            {"urgent": False}, {"count": 0}, {"kind": "callback", "count": 2},
        ],
    ),
    "operator_sees": (
        [{"discarded_has": "chamado", "effect": "open_delivery_ticket"}],
        [{"discarded_has": "reembolso"}, {"effect": "update_address"}],
    ),
    "answers": ([{"operator": 1, "agent": 0}], [{"agent": 1}, {"operator": 0}]),
    "order": (
        [{"id": "10440", "address_has": "Rua das Acácias, 254"}],
        [{"id": "10440", "address_has": "245"}, {"id": "10441", "address_has": "254"}],
    ),
    "requests": ([{"exchange:10418": 1, "return:10418": 0}], [{"exchange:10418": 2}, {"return:10418": 1}]),
    "passed_on": ([1, 2], [3]),
    "turns": ([6], [7]),
}  # fmt: skip


def expecting(name: str, value: Any) -> Expectation:
    return Expectation.model_validate({"that": "x", name: value})


def test_every_condition_has_a_check_and_both_examples() -> None:
    conditions = set(Expectation.model_fields) - {"that"}
    assert set(CHECKS) == conditions
    assert set(EXAMPLES) == conditions
    assert all(holds and fails for holds, fails in EXAMPLES.values())


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, (holds, _) in EXAMPLES.items() for v in holds])
def test_what_is_on_record_holds(name: str, value: Any) -> None:
    assert problems(expecting(name, value), SEEN) == []


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, (_, fails) in EXAMPLES.items() for v in fails])
def test_what_is_not_on_record_fails_and_says_so(name: str, value: Any) -> None:
    found = problems(expecting(name, value), SEEN)
    assert found
    assert all(said.startswith(f"{name}: ") and len(said) > len(name) + 2 for said in found)


def test_all_conditions_of_an_expectation_must_hold() -> None:
    both = Expectation.model_validate({"that": "x", "ending": "replied", "turns": 99})
    assert [said.partition(":")[0] for said in problems(both, SEEN)] == ["turns"]


def test_a_package_that_changed_a_promise_by_a_word_does_not_carry_it() -> None:
    altered = PROMISE.model_copy(update={"text": "Ligar até sexta-feira"}).model_dump(mode="json")
    seen = replace(SEEN, packages=(package("billing", commitments=[altered]),))
    assert problems(expecting("package", {"carries_promises": True}), seen)
    kept = SEEN.baton.model_copy(update={"promises": (PROMISE.model_copy(update={"status": "kept"}),)})
    assert problems(expecting("package", {"carries_promises": True}), replace(SEEN, baton=kept)), (
        "nothing stands to be carried"
    )


def test_before_the_first_turn_nothing_that_speaks_of_one_holds() -> None:
    seen = replace(SEEN, turn=None, packages=(), lines=())
    for name, value in (("ending", "replied"), ("decision", {"to": "support"}), ("tools", {"lookup_order": "ok"}),
                        ("reply", {"has": ["pedido"]}), ("turns", 1), ("package", {"carries_promises": True})):  # fmt: skip
        assert problems(expecting(name, value), seen), name


@pytest.mark.parametrize(
    "empty",
    [
        {},
        {"queue": {}},
        {"reply": {}},
        {"package": {}},
        {"promise": {}},
        {"decision": {}},
        {"operator_sees": {}},
        {"facts": {}},
    ],
)
def test_an_expectation_that_could_not_fail_is_refused(empty: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=r"checks nothing|expects nothing"):
        Expectation.model_validate({"that": "x", **empty})
