"""Every operation of the API against another customer's conversation: nothing leaks, and each refusal leaves an audit row.

The operations come from the OpenAPI document: a new one fails here until somebody says what a stranger may see of it.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from api import create_app
from tests.api.conftest import Served
from tests.api.serving import Client, operator, token
from tests.api.test_conversations import to
from tests.scripted import call

Operation = tuple[str, str]
READS, OWN, NOBODYS, OPERATORS = "foreign_conversation", "own", "nobody's", "sign_in_refused"
CANCEL = "cancelar o pedido 10431"


@dataclass(frozen=True)
class Reach:
    """What a stranger sends, and what it must end in.

    `rule` is the audit row's; OWN where the answer holds what is the stranger's own, NOBODYS where it holds nothing of
    anybody. `recorded` is the rule of the row that an operator's read leaves, None where it reads nothing of customers.
    """

    rule: str
    body: Any = None
    query: str = ""
    recorded: str | None = None


PERSON = "/conversations/{conversation_id}/person"
MATRIX: dict[Operation, Reach] = {
    ("post", "/conversations"): Reach(OWN, {}),
    ("get", "/conversations"): Reach(OWN),
    ("post", "/conversations/{conversation_id}/messages"): Reach(READS, {"text": "sim"}),
    ("get", "/conversations/{conversation_id}/messages"): Reach(READS, recorded="read_history"),
    ("post", "/conversations/{conversation_id}/stop"): Reach(READS),
    ("get", "/conversations/{conversation_id}/trail"): Reach(READS, recorded="read_trail"),
    ("get", "/conversations/{conversation_id}/transfers"): Reach(READS, recorded="read_transfers"),
    ("get", "/queue"): Reach(OPERATORS, recorded="read_queue"),
    ("get", "/degraded"): Reach(OPERATORS),
    ("post", PERSON): Reach(OPERATORS, {"kind": "reply", "text": "oi"}),
    ("post", "/turn-taking/decide"): Reach(NOBODYS, {"agents": ["support", "billing"], "message": "cadê?"}),
    ("get", "/health/live"): Reach(NOBODYS),
    ("get", "/health/ready"): Reach(NOBODYS),
    ("get", "/health/version"): Reach(NOBODYS),
    ("get", "/version"): Reach(NOBODYS),
}
STRANGERS = {
    "customer": token("c2"),
    "visitor": token("v-1", role="visitor"),
    "other_visitor": token("v-2", role="visitor"),
}


def operations() -> list[Operation]:
    paths = create_app({}).openapi()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods]


class Ana:
    """A customer with everything that can be reached for: words, facts, a package, a proposal, an item of the queue."""

    def __init__(self, client: Client) -> None:
        client.headers = token("c1")
        self.client = client
        self.thread = client.create()
        client.say(self.thread, "quero cancelar o pedido 10431")
        answer = client.say(self.thread, "e quero falar com gente sobre a luminária quebrada")
        self.protocol = answer["person"]["protocol"]
        (item,) = Client(client.base, operator()).get("/queue").json()["items"]
        self.item = item["id"]
        path = f"/conversations/{self.thread}"
        lines = client.get(f"{path}/messages").json()
        assert CANCEL in lines["waiting"]["confirmation"]["summary"], "a proposal waits"
        turns = client.get(f"{path}/trail").json()["turns"]
        self.secrets = [
            "Ana", "10431", "Luminária", "luminária", CANCEL, self.protocol, self.item, "ana.souza", "Harmonia",
            lines["waiting"]["confirmation"]["proposal_id"],
            *(line["text"] for line in lines["messages"]), *(turn["id"] for turn in turns),
            *(line["message_id"] for line in lines["messages"]),
        ]  # fmt: skip


@pytest.fixture
def ana(serve: Served) -> Ana:
    cancel = call("cancel_order", order="10431")
    scripts = {"returns": [cancel, "Posso cancelar a luminária.", "Cancelado."]}
    return Ana(serve(scripts, to("returns"), mode="production"))


def state(database: Any) -> list[Any]:
    """Everything that must stay as it is, whatever a stranger sends."""
    tables = ("messages", "turns", "proposals", "effects", "human_queue", "packages", "facts")
    rows = [database.execute(f"select * from {table} order by 1, 2").fetchall() for table in tables]
    held = database.execute("select thread_id, epoch, held_by from conversations where customer_id = 'c1'").fetchall()
    orders = database.execute("select id, status, version from shop.orders order by id").fetchall()
    return [*rows, held, orders]


def audit(database: Any, after: int = 0) -> list[tuple[str, str | None]]:
    return database.execute("select rule, customer_id from audit where id > %s order by id", [after]).fetchall()


def last_row(database: Any) -> int:
    return database.execute("select coalesce(max(id), 0) from audit").fetchone()[0]


def test_every_operation_has_its_line() -> None:
    assert sorted(MATRIX) == sorted(operations()), "say in MATRIX what a stranger may see of a new operation"


def test_nothing_of_a_customers_reaches_anybody_else(ana: Ana, database: Any) -> None:
    before = state(database)
    for (method, path), reach in MATRIX.items():
        for name, headers in STRANGERS.items():
            since, stranger = last_row(database), Client(ana.client.base, dict(headers))
            got = stranger.call(method.upper(), path.format(conversation_id=ana.thread), json=reach.body)
            where = f"{method} {path} by {name}: {got.status_code} {got.text[:300]}"
            leaked = [secret for secret in ana.secrets if secret in got.text + str(got.headers)]
            assert leaked == [], where
            new = audit(database, since)
            who = (headers is STRANGERS["customer"] and "c2") or None
            match reach.rule:
                case "foreign_conversation":
                    assert got.status_code == 404, where
                    assert got.json()["code"] == "no_such_conversation"
                    assert new == [("foreign_conversation", who)], where
                case "sign_in_refused":
                    assert got.status_code in (401, 429), where  # a customer's token among operators is a wrong one
                    assert {rule for rule, _ in new} <= {"sign_in_refused"}
                    assert new or got.status_code == 429, where
                case _:
                    assert got.status_code < 300, where
                    assert new == []
    assert state(database) == before


def test_without_a_token_nothing_is_there(ana: Ana, database: Any) -> None:
    before = state(database)
    for (method, path), reach in MATRIX.items():
        if reach.rule == NOBODYS and path != "/turn-taking/decide":
            continue
        got = Client(ana.client.base, {}).call(method.upper(), path.format(conversation_id=ana.thread), json=reach.body)
        assert got.status_code == 401, f"{method} {path}: {got.text}"
        assert [secret for secret in ana.secrets if secret in got.text] == []
    assert state(database) == before


def test_a_yes_from_elsewhere_settles_nobody_elses_proposal(ana: Ana, database: Any) -> None:
    """The page's buttons name the proposal in the message's id: that gives nobody the proposal."""
    proposal = database.execute("select id from proposals").fetchone()[0]
    bruno = Client(ana.client.base, dict(STRANGERS["customer"]))
    own = bruno.create()
    bruno.say(own, "sim", message_id=f"{proposal}-sim")
    assert database.execute("select status from proposals where id = %s", [proposal]).fetchone() == ("pending",)
    assert database.execute("select count(*) from effects").fetchone() == (0,)
    assert database.execute("select status from shop.orders where id = '10431'").fetchone() == ("preparing",)


def test_a_stop_names_a_turn_and_reaches_only_ones_own_conversation(ana: Ana, database: Any) -> None:
    turn = database.execute("select id from turns order by number desc limit 1").fetchone()[0]
    bruno = Client(ana.client.base, dict(STRANGERS["customer"]))
    assert bruno.post(f"/conversations/{bruno.create()}/stop?turn_id={turn}").json() == {"stopping": False}
    assert database.execute("select count(*) from turns where stop_requested").fetchone() == (0,)


def test_what_operators_read_is_recorded_with_their_name(ana: Ana, database: Any) -> None:
    for (method, path), reach in MATRIX.items():
        if method != "get" or reach.rule == NOBODYS:
            continue
        since = last_row(database)
        got = Client(ana.client.base, operator("bia")).get(path.format(conversation_id=ana.thread))
        new = database.execute("select actor, rule from audit where id > %s", [since]).fetchall()
        if path == "/conversations":
            assert got.status_code == 401  # an operator is no customer
        else:
            assert got.status_code == 200, got.text
        assert new == ([("operator:bia", reach.recorded)] if reach.recorded else []), path
        if any(secret in got.text for secret in ana.secrets):
            assert reach.recorded, f"{path} shows a customer's data and leaves no trace"


def test_a_visitors_conversation_is_that_visitors_alone(ana: Ana) -> None:
    mine, other = (
        Client(ana.client.base, token("v-7", role="visitor")),
        Client(ana.client.base, token("v-8", role="visitor")),
    )
    made = mine.create()
    assert mine.get(f"/conversations/{made}/messages").status_code == 200
    assert other.get(f"/conversations/{made}/messages").status_code == 404
    assert other.post(f"/conversations/{made}/messages", {"text": "oi"}).status_code == 404
    assert Client(ana.client.base, token("v-7")).get(f"/conversations/{made}/messages").status_code == 404
