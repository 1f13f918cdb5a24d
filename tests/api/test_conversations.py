"""A customer's conversation over a socket: the stream, the one answer, resending, stopping, and other people's."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from graph.limits import Limits
from storage.database import Database
from storage.records import conversations, messages
from tests.api.conftest import Served
from tests.api.serving import Client, events_of, problem, token
from tests.scripted import ScriptedDecider, call

LOOKUP = [call("lookup_order", order="10405"), "Seu pedido 10405 está com a transportadora."]


def to(agent: str) -> ScriptedDecider:
    return ScriptedDecider(lambda message, exchange: agent)


def until(true: Callable[[], bool], seconds: float = 10) -> None:
    """Look again and again; the condition is met by another thread."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it never came true"
        threading.Event().wait(0.02)


def leave_in_the_middle(client: Client, path: str, accept: str, gate: Any) -> None:
    """Send a message and close the connection once its turn runs."""
    address = httpx.URL(client.base)
    body = b'{"text": "cad\xc3\xaa o pedido 10405?"}'
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nX-Demo-Customer: c1\r\nAccept: {accept}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((address.host, address.port or 80)) as connection:
        connection.sendall(head.encode() + body)
        assert gate.reached.wait(10)


class Gate:
    """Holds the decider until it is opened: a turn that runs for as long as the test wants."""

    def __init__(self, decider: ScriptedDecider) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        decider.meanwhile = self._wait

    async def _wait(self) -> None:
        self.reached.set()
        await asyncio.to_thread(self.opened.wait, 20)


def test_a_turn_is_streamed_as_typed_events_in_order(serve: Served) -> None:
    client = serve({"support": LOOKUP}, to("support"))
    events = client.stream(client.create(), "cadê o pedido 10405?")
    kinds = [event["type"] for event in events]
    assert kinds[0] == "status"
    assert kinds[-2:] == ["reply", "done"]
    wanted = ["status", "decision", "handoff", "tool", "token", "reply", "done"]
    first = [kinds.index(kind) for kind in wanted]
    assert first == sorted(first)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    by = {event["type"]: event for event in events}
    assert by["decision"]["decision"]["target"] == "support"
    assert by["tool"]["name"] == "lookup_order"
    assert by["handoff"]["to_agent"] == "support"
    assert "".join(e["text"] for e in events if e["type"] == "token") == by["reply"]["text"]
    assert by["done"]["status"] == "replied"


def test_the_same_as_one_answer(serve: Served) -> None:
    client = serve({"support": LOOKUP}, to("support"))
    conversation = client.create()
    answer = client.say(conversation, "cadê o pedido 10405?", message_id="m-1")
    assert (answer["conversation_id"], answer["message_id"], answer["status"]) == (conversation, "m-1", "replied")
    assert answer["reply"]["agent"] == "support"
    assert answer["decision"]["reason"] == "confident"
    assert [tool["outcome"] for tool in answer["tools"]] == ["ok"]
    assert [(h["from_agent"], h["to_agent"]) for h in answer["handoffs"]] == [(None, "support")]
    assert answer["error"] is None


def test_the_same_message_id_yields_the_stored_answer_and_runs_nothing(serve: Served) -> None:
    client = serve({"support": LOOKUP}, to("support"))
    conversation = client.create()
    first = client.say(conversation, "cadê o pedido 10405?", message_id="m-1")
    again = client.say(conversation, "cadê o pedido 10405?", message_id="m-1")  # the script has no third answer
    assert (again["reply"]["text"], again["turn_id"]) == (first["reply"]["text"], first["turn_id"])
    streamed = client.stream(conversation, "cadê o pedido 10405?", message_id="m-1")
    assert streamed[-1]["turn_id"] == first["turn_id"]
    lines = client.get(f"/conversations/{conversation}/messages").json()["messages"]
    assert [line["role"] for line in lines] == ["customer", "agent"]


def test_history_trail_and_transfers_say_what_happened(serve: Served) -> None:
    client = serve({"support": LOOKUP}, to("support"))
    conversation = client.create()
    answer = client.say(conversation, "cadê o pedido 10405?", message_id="m-1")
    path = f"/conversations/{conversation}"
    history = client.get(f"{path}/messages").json()
    asked, replied = history["messages"]
    assert (asked["message_id"], asked["text"]) == ("m-1", "cadê o pedido 10405?")
    assert (replied["text"], replied["agent"]) == (answer["reply"]["text"], "support")
    assert history["last_seq"] == replied["seq"]
    after = client.get(f"{path}/messages?after={asked['seq']}").json()["messages"]
    assert [line["seq"] for line in after] == [replied["seq"]]
    assert client.get(f"{path}/messages?after={replied['seq']}").json()["messages"] == []
    (turn,) = client.get(f"{path}/trail").json()["turns"]
    assert (turn["id"], turn["decision"]["target"]) == (answer["turn_id"], "support")
    assert turn["checks"] == []  # an operator's to read
    (package,) = client.get(f"{path}/transfers").json()["transfers"]
    assert (package["to_agent"], package["body"]["conversation_id"]) == ("support", conversation)
    assert [row["thread_id"] for row in client.get("/conversations").json()["conversations"]] == [conversation]


def test_another_customers_conversation_is_not_there(serve: Served, database: Any) -> None:
    client = serve({"support": LOOKUP}, to("support"))
    conversation = client.create()
    client.say(conversation, "cadê o pedido 10405?")
    other = Client(client.base, token("c2"))

    def answers(name: str) -> list[dict[str, Any]]:
        path = f"/conversations/{name}"
        asked = [other.get(f"{path}/{what}") for what in ("messages", "trail", "transfers")]
        asked += [other.post(f"{path}/messages", {"text": "oi"}), other.post(f"{path}/stop")]
        return [problem(got, 404, "no_such_conversation") for got in asked]

    assert answers(conversation) == answers("th-nobodys")  # existing and not: alike to the last byte
    audit = database.execute("select rule, customer_id from audit where thread_id = %s", [conversation]).fetchall()
    assert audit == [("foreign_conversation", "c2")] * 5
    assert database.execute("select count(*) from messages where author = 'c2'").fetchone() == (0,)


def test_a_running_turn_is_409_for_who_does_not_wait(serve: Served) -> None:
    decider = to("support")
    gate = Gate(decider)
    client = serve({"support": [*LOOKUP, "Mais alguma coisa?"]}, decider)
    conversation = client.create()
    path = f"/conversations/{conversation}/messages"
    with ThreadPoolExecutor() as pool:
        first = pool.submit(client.say, conversation, "cadê o pedido 10405?", message_id="m-1")
        assert gate.reached.wait(10)
        refused = client.post(f"{path}?wait=false", {"text": "e aí?", "message_id": "m-2"})
        problem(refused, 409, "busy")
        assert int(refused.headers["retry-after"]) > 0
        lines = client.get(path).json()["messages"]
        assert [line["message_id"] for line in lines] == ["m-1"]  # nothing was stored
        waits = pool.submit(client.stream, conversation, "e aí, e o prazo?", message_id="m-3")
        until(lambda: len(client.get(path).json()["messages"]) == 2)
        gate.opened.set()
        assert first.result()["status"] == "replied"
        assert waits.result()[0]["type"] == "queued"
        assert waits.result()[-1]["status"] == "replied"
    assert client.post(f"{path}?wait=false", {"text": "cadê", "message_id": "m-1"}).status_code == 200


def test_stop_ends_the_running_turn(serve: Served) -> None:
    decider = to("support")
    gate = Gate(decider)
    client = serve({"support": LOOKUP}, decider)
    conversation = client.create()
    assert client.post(f"/conversations/{conversation}/stop").json() == {"stopping": False}
    with ThreadPoolExecutor() as pool:
        turn = pool.submit(client.say, conversation, "cadê o pedido 10405?")
        assert gate.reached.wait(10)
        assert client.post(f"/conversations/{conversation}/stop").json() == {"stopping": True}
        assert turn.result()["status"] == "interrupted"
        gate.opened.set()
    assert turn.result()["reply"] is None


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
@pytest.mark.parametrize(
    ("on_disconnect", "status", "model_calls"), [("finish", "replied", 2), ("cancel", "interrupted", 0)]
)
def test_a_lost_connection_ends_the_turn_only_where_that_was_asked(
    serve: Served, accept: str, on_disconnect: str, status: str, model_calls: int
) -> None:
    decider, asked = to("support"), list[str]()

    def speak(messages: Any, kwargs: Any) -> Any:
        asked.append("support")
        return LOOKUP[len(asked) - 1]

    gate = Gate(decider)
    client = serve({"support": speak}, decider)
    conversation = client.create()
    path = f"/conversations/{conversation}"
    leave_in_the_middle(client, f"{path}/messages?on_disconnect={on_disconnect}", accept, gate)
    if on_disconnect == "cancel":
        until(lambda: client.get(f"{path}/trail").json()["turns"][0]["status"] == "interrupted")
    gate.opened.set()
    until(lambda: client.get(f"{path}/trail").json()["turns"][0]["status"] == status)
    assert len(asked) == model_calls
    roles = [line["role"] for line in client.get(f"{path}/messages").json()["messages"]]
    assert roles == ["customer", "agent"][: 1 + (status == "replied")]


def test_what_a_dead_worker_left_is_answered_by_the_next(serve: Served, database_url: str) -> None:
    async def leave_behind() -> None:
        left = await Database.open(environ={"DATABASE_URL": database_url})
        an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
        async with left.transaction() as conn:
            await conversations.ensure(conn, "th-left", customer_id="c1", channel="api", brand="x", now=an_hour_ago)
            await messages.add(
                conn,
                "th-left",
                message_id="m-1",
                role="customer",
                author="c1",
                text="cadê o pedido 10405?",
                now=an_hour_ago,
            )
        await left.close()

    asyncio.run(leave_behind())
    client = serve({"support": LOOKUP}, to("support"))

    def lines() -> list[Any]:
        return client.get("/conversations/th-left/messages").json()["messages"]

    until(lambda: len(lines()) == 2)
    assert lines()[1]["text"] == client.say("th-left", "cadê o pedido 10405?", message_id="m-1")["reply"]["text"]


def test_a_front_end_may_choose_an_agent_of_the_roster(serve: Served) -> None:
    client = serve({"billing": ["Qual é o número do pedido?"]}, to("support"))
    conversation = client.create()
    refused = client.post(f"/conversations/{conversation}/messages", {"text": "oi", "agent_override": "sales"})
    assert problem(refused, 422, "unknown_agent")["known"] == ["returns", "support", "billing"]
    answer = client.say(conversation, "e aquele valor lá?", agent_override="billing")
    assert (answer["decision"]["target"], answer["decision"]["reason"]) == ("billing", "override")


def test_an_override_never_bypasses_a_person(serve: Served) -> None:
    client = serve({}, to("support"))
    answer = client.say(client.create(), "quero falar com gente", agent_override="billing")
    assert answer["decision"]["target"] == "person"
    assert answer["person"]["status"] == "waiting"


def test_media_travel_by_reference(serve: Served) -> None:
    client = serve({"returns": ["Obrigado pela foto. Qual é o número do pedido?"]}, to("returns"))
    conversation = client.create()
    parts = [{"type": "image", "ref": "upload/77\u0000.jpg", "name": "77.jpg"}, {"text": "veio rasgado"}]
    got = client.post(
        f"/conversations/{conversation}/messages", {"parts": parts}, headers={"Accept": "application/json"}
    )
    assert got.json()["status"] == "replied"
    assert got.headers["x-message-id"] == got.json()["message_id"]
    line = client.get(f"/conversations/{conversation}/messages").json()["messages"][0]
    assert line["parts"][0] == {"type": "image", "ref": "upload/77.jpg", "name": "77.jpg"}
    assert "veio rasgado" in line["text"]


@pytest.mark.parametrize(
    "body",
    [
        {}, {"text": ""}, {"parts": []}, {"parts": [{"type": "image"}]}, {"parts": [{"type": "video", "ref": "x"}]},
        {"text": "oi", "message_id": "com espaço"}, {"text": "oi", "unknown": 1}, {"text": "oi", "\ud800": 1}, [], None, "oi",
        {"text": "a" * 20_001}, {"text": " \n"}, {"text": "\u200b\u2060"}, {"parts": [{"text": "\t"}, {"type": "image", "ref": "\u200b"}]},
    ],
)  # fmt: skip
def test_what_is_no_message_is_422_and_repeats_nothing(serve: Served, body: Any) -> None:
    import json

    client = serve({}, to("support"))
    conversation = client.create()
    got = httpx.post(
        f"{client.base}/conversations/{conversation}/messages", content=json.dumps(body), headers={**client.headers, "Content-Type": "application/json"},
    )  # fmt: skip
    refused = problem(got, 422, "invalid_request")
    assert refused["errors"]
    assert "espaço" not in got.text


def test_a_message_of_which_nobody_sees_anything_is_told_what_it_needs(serve: Served) -> None:
    client = serve({"returns": ["Obrigado pela foto. Qual é o número do pedido?"]}, to("returns"))
    path = f"/conversations/{client.create()}/messages"
    for text in ("", " \u3000", "\u200b"):
        refused = problem(client.post(path, {"text": text}), 422, "invalid_request")
        assert "needs text that can be seen" in refused["errors"][0]["what"]
    assert client.get(path).json()["messages"] == []
    photo = {"text": "\u200b", "parts": [{"type": "image", "ref": "upload/1"}]}
    assert client.post(path, photo, headers={"Accept": "application/json"}).json()["status"] == "replied"


def test_a_body_that_is_too_large_is_413_declared_or_not(serve: Served) -> None:
    client = serve({}, to("support"))
    path = f"/conversations/{client.create()}/messages"
    problem(client.post(path, {"text": "a" * 300_000}), 413, "too_large")
    pieces = (b" " * 10_000 for _ in range(30))
    chunked = httpx.post(
        client.base + path, content=pieces, headers={**client.headers, "Content-Type": "application/json"}
    )
    problem(chunked, 413, "too_large")


def test_a_conversation_of_a_channel(serve: Served) -> None:
    client = serve({}, to("support"))
    made = client.post("/conversations", {"channel": "whatsapp"})
    assert made.json()["channel"] == "whatsapp"
    assert made.headers["location"] == f"/conversations/{made.json()['conversation_id']}"
    assert client.get("/conversations").json()["conversations"][0]["channel"] == "whatsapp"
    problem(client.post("/conversations", {"channel": "Whats App"}), 422, "invalid_request")


def test_a_turn_that_breaks_is_told_with_a_protocol_number_and_no_secret(serve: Served, database: Any) -> None:
    secret = "sk-live-0123456789abcdef"
    client = serve({"support": [RuntimeError(f"api_key={secret}")] * 4}, to("support"), limits=Limits(model_calls=2))
    conversation = client.create()
    answer = client.say(conversation, "cadê o pedido 10405?")
    assert answer["status"] == "failed"
    assert answer["error"]["protocol"] in answer["error"]["text"]
    assert secret not in str(answer)
    stored = database.execute(
        "select detail from failures where protocol = %s", [answer["error"]["protocol"]]
    ).fetchone()
    assert secret not in stored[0]


def test_what_breaks_outside_a_turn_is_a_numbered_problem(serve: Served, database: Any) -> None:
    client = serve({}, to("support"), shop=BrokenShop())
    failed = problem(client.post("/conversations"), 500, "failure")
    kind, detail = database.execute(
        "select kind, detail from failures where protocol = %s", [failed["protocol"]]
    ).fetchone()
    assert kind == "RuntimeError"
    assert "sk-live" not in detail + str(failed)


def test_the_events_are_read_back_as_they_were_written() -> None:
    assert events_of('event: token\ndata: {"type": "token", "text": "a"}\n\n: ping\n\n') == [
        {"type": "token", "text": "a"}
    ]


class BrokenShop:
    async def customer(self, customer_id: str) -> None:
        raise RuntimeError("token: sk-live-0123456789abcdef")
