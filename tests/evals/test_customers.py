"""The simulated customers: the small machines that they are, and a few whole conversations."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evals.customers import CASES, run_customers
from evals.customers_cases import Mind, SimulatedCustomer, read_customers
from evals.customers_report import CustomerRow, CustomersReport
from evals.datasets import BadCases
from tests.evals.playing_ground import Open

BASE: dict[str, Any] = {
    "id": "a-customer", "purpose": "x", "manner": "plain", "opens": "oi", "goal": {"said": ["protocolo"]},
}  # fmt: skip


def mind(*reactions: dict[str, Any]) -> Mind:
    return Mind(SimulatedCustomer.model_validate(BASE | {"reactions": list(reactions)}))


def test_a_customer_takes_the_first_reaction_that_fits() -> None:
    customer = mind(
        {"when": "qual pedido", "say": "o 10405"}, {"when": "confirma", "say": "sim"}, {"say": "não entendi"}
    )
    assert customer.answer("Confirma cancelar?") == "sim"
    assert customer.answer("De QUAL pedido?") == "o 10405"
    assert customer.answer("Pronto.") == "não entendi"


def test_a_reaction_is_used_so_often_and_then_the_customer_gives_up() -> None:
    customer = mind({"when": "qual pedido", "say": "o 10405", "times": 2})
    assert [customer.answer("Qual pedido?") for _ in range(3)] == ["o 10405", "o 10405", None]


def test_a_reaction_counts_in_its_state() -> None:
    customer = mind(
        {"in": "start", "when": "confirma", "say": "errei, é 254", "to": "fixed"},
        {"in": "fixed", "when": "confirma", "say": "sim", "to": "over"},
    )
    assert [customer.answer("Confirma 253?"), customer.answer("Confirma 254?"), customer.answer("Confirma?")] == [
        "errei, é 254", "sim", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reactions": [{"in": "nowhere", "say": "oi"}]}, "nowhere"),
        ({"goal": {"never": ["oi"]}}, "does nothing"),
        ({"manner": "rude"}, "manner"),
        ({"patience": 0}, "patience"),
    ],
)
def test_a_customer_that_is_none_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        SimulatedCustomer.model_validate(BASE | changed)


def test_an_id_comes_once(tmp_path: Path) -> None:
    path = tmp_path / "customers.jsonl"
    path.write_text(2 * (json.dumps(BASE) + "\n"), "utf-8")
    with pytest.raises(BadCases, match="comes twice"):
        read_customers(path)


def test_the_project_has_twenty_customers_of_every_manner() -> None:
    customers = read_customers(CASES)
    assert len(customers) >= 20
    manners = {customer.manner for customer in customers}
    assert manners >= {"corrects", "digresses", "impatient", "terse", "vague", "changes_mind", "two_things", "insists"}
    assert {customer.lang for customer in customers} == {"pt", "en"}


def by_words(message: str, exchange: Any) -> str:
    words = message.casefold()
    if any(word in words for word in ("cobra", "pix", "parcela", "extrato", "chamado")):
        return "billing"
    return "out_of_scope" if "chover" in words else "support"


async def test_conversations_are_played_to_their_goal_and_beyond_it_not_at_all(
    open_bastao_on: Open, tmp_path: Path
) -> None:
    wanted = ("corrects-number", "digresses-weather", "insists-single-charge", "visitor-proves")
    lines = [line for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    stubborn = BASE | {"goal": {"said": ["impossivel"]}, "reactions": [{"say": "de novo", "times": 9}], "patience": 3}
    path = tmp_path / "customers.jsonl"
    path.write_text("\n".join([*(x for x in lines if json.loads(x)["id"] in wanted), json.dumps(stubborn)]), "utf-8")
    report = await run_customers(await open_bastao_on(by_words), dataset=path)
    rows = {row.id: row for row in report.customers}
    assert {id: rows[id].reached for id in wanted} == dict.fromkeys(wanted, True)
    assert all(rows[id].talk[-1][0] for id in wanted)
    assert (rows["corrects-number"].messages, rows["corrects-number"].transfers) == (3, 0)
    assert rows["insists-single-charge"].people == 1
    assert (rows["a-customer"].reached, rows["a-customer"].messages) == (False, 3)
    assert rows["a-customer"].why
    assert report.figures()["reached"] == 0.8
    assert report.figures()["lint_findings"] == 0.0


def conversation(id: str, *, reached: bool, messages: int, **more: int) -> CustomerRow:
    counts = {
        "transfers": 0,
        "immediate": 0,
        "dispatched": messages,
        "clarifications": 0,
        "people": 0,
        "blocked": 0,
    } | more
    return CustomerRow(id=id, manner="plain", lang="pt", reached=reached, messages=messages, replies=messages, **counts)


def test_a_report_counts_messages_of_those_who_reached_their_goal() -> None:
    report = CustomersReport(
        customers=(
            conversation("a", reached=True, messages=1),
            conversation("b", reached=True, messages=4, transfers=2, immediate=1),
            conversation("c", reached=False, messages=8, people=1),
        )
    )
    figures = report.figures()
    assert (figures["reached"], figures["messages_mean"], figures["messages_median"]) == (2 / 3, 2.5, 1.0)
    assert (figures["transfers"], figures["immediate_transfers"], figures["people_called"]) == (2.0, 1.0, 1.0)
    assert figures["immediate_transfer_rate"] == pytest.approx(1 / 13)
    assert [row["passed"] for row in report.rows()] == [True, True, False]
    assert report.metrics()["reached"] == {"value": 0.6667, "hits": 2, "n": 3, "low": 0.2077, "high": 0.9385}


def test_a_report_of_nobody_has_no_means() -> None:
    figures = CustomersReport(customers=()).figures()
    assert "messages_mean" not in figures
    assert "reached" not in figures
