"""Too often: 429 with Retry-After, for one caller and for nobody else."""

from typing import Any

import pytest

from graph.limits import Limits
from tests.api.conftest import Served
from tests.api.serving import Client, operator, problem, token
from tests.api.test_conversations import to

FEW = Limits(messages_per_minute=2, visitor_messages_per_minute=1, requests_per_minute=12, sign_in_tries=3)


@pytest.fixture
def client(serve: Served) -> Client:
    return serve({"support": lambda messages, kwargs: "Qual é o pedido?"}, to("support"), limits=FEW, mode="production")


def as_(client: Client, headers: dict[str, str]) -> Client:
    return Client(client.base, headers)


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_a_customer_who_sends_too_fast_is_told_when_to_go_on(client: Client, database: Any, accept: str) -> None:
    ana, bruno = as_(client, token("c1")), as_(client, token("c2"))
    conversation = ana.create()
    for _ in range(2):
        ana.say(conversation, "cadê?")
    refused = ana.post(f"/conversations/{conversation}/messages", {"text": "cadê?"}, headers={"Accept": accept})
    found = problem(refused, 429, "too_many_requests")
    assert "Espere" in found["detail"]
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert bruno.say(bruno.create(), "cadê?")["status"] == "replied"
    assert database.execute("select count(*) from messages where author = 'c1' and role = 'customer'").fetchone() == (
        2,
    )


def test_a_visitor_has_a_count_of_its_own(client: Client) -> None:
    first, second = (as_(client, token(f"v-{n}", role="visitor")) for n in (1, 2))
    made = first.create()
    assert first.say(made, "cadê?")["status"] == "replied"
    problem(first.post(f"/conversations/{made}/messages", {"text": "oi"}), 429, "too_many_requests")
    assert second.say(second.create(), "cadê?")["status"] == "replied"


def test_reads_are_requests_too(client: Client) -> None:
    ana = as_(client, token("c1"))
    answers = [ana.get("/conversations").status_code for _ in range(14)]
    assert answers == [200] * 12 + [429] * 2
    assert as_(client, token("c2")).get("/conversations").status_code == 200
    assert as_(client, operator()).get("/queue").status_code == 200


def test_nobody_in_the_demo_is_counted_by_address(serve: Served) -> None:
    client = serve({}, to("support"), limits=FEW)
    client.headers = {}
    body = {"agents": ["support"], "message": "cadê?"}
    answers = [client.post("/turn-taking/decide", body).status_code for _ in range(13)]
    assert answers == [200] * 12 + [429]


def test_wrong_operators_tokens_are_counted_and_a_right_one_is_let_in(client: Client, database: Any) -> None:
    wrong = as_(client, token("bia", kid="o1", role="operator", key="a key that is not ours, but long enough"))
    assert [wrong.get("/queue").status_code for _ in range(5)] == [401] * 3 + [429] * 2
    assert int(wrong.get("/queue").headers["retry-after"]) > 0
    assert as_(client, operator()).get("/queue").status_code == 200
    noted = database.execute("select actor, rule from audit where rule like 'sign_in%'").fetchall()
    assert noted == [("operator:unknown", "sign_in_refused")] * 3


def test_no_address_and_no_name_is_written_down(client: Client, database: Any) -> None:
    as_(client, token("c1")).get("/conversations")
    as_(client, token("x", kid="o1", key="a key that is not ours, but long enough")).get("/queue")
    rows = database.execute("select scope, subject from attempts").fetchall()
    assert {scope for scope, _ in rows} == {"request", "token"}
    assert all(len(subject) == 64 and not {"c1", "127.0.0.1"} & {subject} for _, subject in rows)
