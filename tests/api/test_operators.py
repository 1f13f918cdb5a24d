"""The operators' side over a socket: the queue, taking the word, giving it back."""

from typing import Any

import pytest

from tests.api.conftest import Served
from tests.api.serving import Client, operator, problem
from tests.scripted import ScriptedDecider


@pytest.fixture
def customer(serve: Served) -> Client:
    scripts = {"support": ["Qual é o número do pedido?"]}
    return serve(scripts, ScriptedDecider(lambda message, exchange: "support"))


@pytest.fixture
def bia(customer: Client) -> Client:
    return Client(customer.base, operator("bia"))


def test_from_the_queue_to_a_reply_and_back_to_the_bot(customer: Client, bia: Client, database: Any) -> None:
    conversation = customer.create()
    called = customer.say(conversation, "quero falar com gente")
    (item,) = bia.get("/queue").json()["items"]
    assert (item["protocol"], item["thread_id"], item["status"]) == (
        called["person"]["protocol"],
        conversation,
        "waiting",
    )
    act = f"/conversations/{conversation}/person"

    claimed = bia.post(act, {"kind": "claim", "item_id": item["id"]}).json()
    assert claimed["person"]["status"] == "held"
    assert [i["operator"] for i in bia.get("/queue?which=claimed").json()["items"]] == ["bia"]
    assert bia.get("/queue?which=waiting").json()["items"] == []
    other = Client(bia.base, operator("caio"))
    problem(other.post(act, {"kind": "claim", "item_id": item["id"]}), 409, "claimed_by_another")

    assert bia.post(act, {"kind": "reply", "text": "Oi, Ana, sou a Bia."}).status_code == 200
    assert bia.post(act, {"kind": "note", "item_id": item["id"], "text": "ligar às 15h"}).status_code == 200
    assert bia.get("/queue").json()["items"][0]["notes"][0]["text"] == "ligar às 15h"
    held = customer.say(conversation, "oi, Bia")
    assert (held["status"], held["reply"]) == ("held", None)

    assert bia.post(act, {"kind": "hand_back", "item_id": item["id"]}).status_code == 200
    assert bia.get("/queue").json()["items"] == []
    assert customer.say(conversation, "cadê meu pacote, então?")["reply"]["agent"] == "support"
    lines = customer.get(f"/conversations/{conversation}/messages").json()["messages"]
    assert [(line["role"], line["author"]) for line in lines if line["role"] == "operator"] == [("operator", "bia")]
    rules = {rule for (rule,) in database.execute("select rule from audit where actor = 'operator:bia'").fetchall()}
    assert rules >= {"read_queue", "claim", "reply", "note", "hand_back"}


def test_operators_read_any_conversation_and_leave_a_trace(customer: Client, bia: Client, database: Any) -> None:
    conversation = customer.create()
    customer.say(conversation, "cadê meu pacote?")
    for what in ("messages", "trail", "transfers"):
        assert bia.get(f"/conversations/{conversation}/{what}").status_code == 200
    found = database.execute(
        "select actor, rule, customer_id from audit where rule like 'read_%' order by id"
    ).fetchall()
    assert found == [("operator:bia", rule, "c1") for rule in ("read_history", "read_trail", "read_transfers")]
    problem(bia.get("/conversations/th-nobodys/messages"), 404, "no_such_conversation")


def test_an_item_of_another_conversation_is_not_there(customer: Client, bia: Client) -> None:
    first, second = customer.create(), customer.create()
    customer.say(first, "quero falar com gente")
    (item,) = bia.get("/queue").json()["items"]
    problem(bia.post(f"/conversations/{second}/person", {"kind": "claim", "item_id": item["id"]}), 404, "no_such_item")
    problem(bia.post("/conversations/th-nobodys/person", {"kind": "claim"}), 404, "no_such_conversation")
    assert bia.get("/queue").json()["items"][0]["status"] == "waiting"


def test_an_item_that_waits_for_no_approval_cannot_be_approved(customer: Client, bia: Client) -> None:
    conversation = customer.create()
    customer.say(conversation, "quero falar com gente")
    (item,) = bia.get("/queue").json()["items"]
    for kind in ("approve", "reject"):
        got = bia.post(f"/conversations/{conversation}/person", {"kind": kind, "item_id": item["id"]})
        problem(got, 409, "nothing_to_decide")


@pytest.mark.parametrize(
    "body",
    [{"kind": "reply"}, {"kind": "reply", "text": "  "}, {"kind": "reply", "text": "\u200b"}, {"kind": "note", "text": "x"}, {"kind": "approve"}, {"kind": "sing"}],
)  # fmt: skip
def test_an_incomplete_action_is_422(customer: Client, bia: Client, body: dict[str, str]) -> None:
    problem(bia.post(f"/conversations/{customer.create()}/person", body), 422, "invalid_request")


def test_customers_are_no_operators(customer: Client) -> None:
    conversation = customer.create()
    problem(customer.get("/queue"), 401, "unauthenticated")
    problem(
        customer.post(f"/conversations/{conversation}/person", {"kind": "reply", "text": "oi"}), 401, "unauthenticated"
    )
