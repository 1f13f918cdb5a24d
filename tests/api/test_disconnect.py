"""A lost connection: what config.json says happens to the turn, and no model call after it where that is "cancel"."""

import threading
from typing import Any

import pytest

from tests.api.conftest import Served
from tests.api.serving import Client
from tests.api.test_conversations import Gate, leave_in_the_middle, to, until
from tests.scripted import call


class Model:
    """A chat model that waits in its first call until it is let go, and counts how often it was asked."""

    def __init__(self) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        self.asked = 0

    def __call__(self, messages: Any, kwargs: Any) -> Any:
        self.asked += 1
        self.reached.set()
        self.opened.wait(20)
        return [call("lookup_order", order="10405"), "Está com a transportadora."][self.asked - 1]


def status(client: Client, conversation: str) -> str:
    return client.get(f"/conversations/{conversation}/trail").json()["turns"][0]["status"]


def roles(client: Client, conversation: str) -> list[str]:
    return [line["role"] for line in client.get(f"/conversations/{conversation}/messages").json()["messages"]]


@pytest.mark.parametrize("query", ["", "?on_disconnect=cancel"])
def test_where_the_configuration_cancels_no_model_is_asked_any_more(serve: Served, query: str) -> None:
    model = Model()
    client = serve({"support": model}, to("support"), on_disconnect="finish" if query else "cancel")
    conversation = client.create()
    leave_in_the_middle(client, f"/conversations/{conversation}/messages{query}", "text/event-stream", model)
    until(lambda: status(client, conversation) == "interrupted")
    model.opened.set()
    assert client.say(client.create(), "obrigada!")["status"] == "replied"  # the process has gone on
    assert model.asked == 1
    assert roles(client, conversation) == ["customer"]


def test_the_request_may_say_otherwise_and_the_reply_is_then_in_the_history(serve: Served) -> None:
    model = Model()
    client = serve({"support": model}, to("support"), on_disconnect="cancel")
    conversation = client.create()
    path = f"/conversations/{conversation}/messages?on_disconnect=finish"
    leave_in_the_middle(client, path, "text/event-stream", model)
    model.opened.set()
    until(lambda: status(client, conversation) == "replied")
    assert model.asked == 2
    assert roles(client, conversation) == ["customer", "agent"]


def test_who_leaves_before_any_model_was_asked_costs_nothing(serve: Served) -> None:
    model, decider = Model(), to("support")
    gate = Gate(decider)
    client = serve({"support": model}, decider, on_disconnect="cancel")
    conversation = client.create()
    leave_in_the_middle(client, f"/conversations/{conversation}/messages", "application/json", gate)
    until(lambda: status(client, conversation) == "interrupted")
    gate.opened.set()
    assert model.asked == 0
