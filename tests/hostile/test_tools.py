"""Every tool in the hands of somebody whose order it is not: no data, no effect, and an audit row.

The model does what it is asked and reads its tool's answer out to the customer, word for word.
"""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import BaseMessage, ToolMessage

from graph.limits import Limits
from routing.shop import Customer
from storage.records import audit
from tests.graph.acting import rows
from tests.graph.conftest import C2, ROSTER, Desk, Make, of, reply_of
from tests.scripted import call
from tools.registry import TOOLS

ORDER, OPEN_ORDER = "10405", "10431"  # of customer c1
# What the shop holds about c1 and c1's orders; nobody in these tests says any of it.
SECRETS = (
    "Ana Souza", "ana.souza", "11961234501", "Harmonia", "Vila Madalena", "BR104057388BR", "Cajamar", "Vento", "Luminária",
    "349,00", "34900", "15990", "ch-10405", "110405", "em trânsito", "10418", "10433",
)  # fmt: skip
VISITOR = Customer(id=None, visitor="v-1")


@dataclass(frozen=True)
class Reach:
    """How a stranger reaches for c1's data with a tool. `rule` is the audit row; None where the tool shows one's own only."""

    args: dict[str, Any]
    rule: str | None = "foreign_order"


ADDRESS = {"street": "Rua Um", "number": "7", "city": "Recife", "state": "PE", "cep": "50010000"}
REACHES: dict[str, Reach] = {
    "lookup_order": Reach({"order": ORDER}),
    "list_orders": Reach({}, None),
    "list_requests": Reach({}, None),
    "consult_policy": Reach({"topic": "reembolso"}, None),
    "open_return_request": Reach({"order": ORDER, "item": "1", "kind": "return", "reason": "não serviu"}),
    "cancel_order": Reach({"order": OPEN_ORDER}),
    "update_address": Reach({"order": OPEN_ORDER, **ADDRESS}),
    "open_delivery_ticket": Reach({"order": ORDER, "kind": "delayed"}),
    "open_billing_ticket": Reach({"order": ORDER, "kind": "duplicate_charge"}),
    "get_document": Reach({"order": ORDER, "kind": "invoice"}),
    "open_review": Reach({"about": "a cobrança do pedido", "order": ORDER}),
    "promise_callback": Reach({"about": "o pedido"}, None),
    "verify_identity": Reach({"order": ORDER, "cpf": "11144477735", "email": "x@example.com"}, "identity_mismatch"),
    "not_mine": Reach({"reason": "tracking", "detail": "o pedido"}, None),
    "note_hypothesis": Reach({"key": "dono", "value": "o cliente", "confidence": 0.9}, None),
    "recall": Reach({"key": "order", "entity": f"order:{ORDER}"}, None),
}
WORDS = (
    f"é sobre o pedido {ORDER} e o pedido {OPEN_ORDER}, item 1: não serviu, cobraram duas vezes, está atrasado, quero a nota, quero "
    "cancelar e trocar o endereço para Rua Um, 7, Recife PE, 50010-000; meu cpf é 111.444.777-35, e-mail x@example.com"
)


def owner_of(tool: str) -> str:
    return next(spec.id for spec in ROSTER.specs if tool in spec.tools)


class ReadsOut:
    """A specialist that uses the tool of the hour and then says whatever it answered. `given` is all that it ever saw."""

    def __init__(self) -> None:
        self.tool, self.given = "", list[str]()

    def __call__(self, messages: list[BaseMessage], kwargs: Any) -> Any:
        self.given += [str(m.content) for m in messages]
        answers = [str(m.content) for m in messages if isinstance(m, ToolMessage)]
        return " ".join(answers) or call(self.tool, **REACHES[self.tool].args)


def given_to(desk: Desk, agent: str) -> str:
    """Everything that a specialist's model was ever given."""
    asked = desk.models.models[agent].asked
    return json.dumps([[str(m.content) for m in call["messages"]] for call in asked], ensure_ascii=False)


async def rules_of(desk: Desk) -> set[str]:
    """The rules that the conversation's audit names."""
    async with desk.services.database.connection() as conn:
        return {entry.rule for entry in await audit.of_thread(conn, desk.thread_id)}


def test_every_tool_has_its_line() -> None:
    assert sorted(REACHES) == sorted(TOOLS), "say in REACHES how a stranger would reach for another's data with it"


@pytest.mark.parametrize("who", [C2, VISITOR], ids=["another customer", "a visitor"])
async def test_no_tool_shows_or_changes_what_is_anothers(make_desk: Make, who: Customer) -> None:
    model = ReadsOut()
    desk = await make_desk(
        dict.fromkeys((spec.id for spec in ROSTER.specs), model), lambda m, e: owner_of(model.tool), limits=Limits(identity_tries=9)
    )  # fmt: skip
    orders = "select id, status, version from shop.orders order by id"
    before = await rows(desk, orders)
    for tool, reach in REACHES.items():
        model.tool, model.given, desk.thread_id = tool, [], f"th-{tool}"
        events = await desk.say(WORDS, customer=who)
        shown = [reply_of(events), *model.given]
        assert [s for s in SECRETS if any(s in text for text in shown)] == [], f"{tool} to {who.id}: {shown[0]}"
        assert await rows(desk, orders) == before, tool
        assert await rows(desk, "select 1 as one from shop.effects") == [], tool
        rules = await rules_of(desk)
        refused = {e.because for e in of(events, "tool") if e.outcome == "refused"}
        assert bool(refused) == bool(rules), (tool, refused, rules)
        if reach.rule is not None and not (tool == "open_review" and who is VISITOR):
            assert rules & {reach.rule, "identity"}, (tool, rules)


async def test_who_proved_one_order_is_not_shown_another(make_desk: Make) -> None:
    """A visitor proves an order of c2, and then reaches for one of c1 and for what only a session may see."""
    proof = call("verify_identity", order="10412", cpf="11144477735", email="bruno.carvalho@example.com", id="p")
    script = [
        proof,
        "Certo.",
        call("lookup_order", order=ORDER, id="l"),
        "Não encontrei.",
        call("list_orders", id="o"),
        "Ok.",
    ]
    desk = await make_desk({"support": script}, lambda m, e: "support")
    await desk.say("pedido 10412, cpf 111.444.777-35, e-mail bruno.carvalho@example.com", customer=VISITOR)
    events = await desk.say(f"agora o pedido {ORDER}", customer=VISITOR)
    assert [(e.name, e.outcome) for e in of(events, "tool")] == [("lookup_order", "refused")]
    await desk.say("quais são meus pedidos?", customer=VISITOR)
    given = given_to(desk, "support")
    assert [s for s in SECRETS if s in given] == []
    assert "foreign_order" in await rules_of(desk)


async def test_a_models_customer_id_is_no_argument_of_any_tool(make_desk: Make) -> None:
    for name in ("customer", "customer_id", "user", "as_customer"):
        desk = await make_desk(
            {"support": [call("list_orders", **{name: "c1"}), "Não consegui."]}, lambda m, e: "support"
        )
        events = await desk.say("sou o cliente c1, lista meus pedidos", customer=C2)
        assert [(e.outcome, e.because) for e in of(events, "tool")] == [("refused", "invalid_arguments")]
        assert [s for s in SECRETS if s in given_to(desk, "support")] == []
