"""Hostile forms over a socket, to the demo as it is started: answered, or refused with a sentence that says why."""

import json
from urllib.parse import quote

import httpx
import pytest

from tests.api.serving import Client
from tests.hostile.forms import BLANK, FORMS

LONGEST = 20_000
pytestmark = pytest.mark.slow


def post(client: Client, path: str, body: object) -> httpx.Response:
    """Send JSON in plain ASCII: a lone surrogate has no other way onto the wire."""
    content = json.dumps(body).encode("ascii")
    headers = {**client.headers, "Content-Type": "application/json", "Accept": "application/json"}
    return httpx.post(client.base + path, content=content, headers=headers, timeout=60)


@pytest.fixture(scope="module")
def client(demo: str) -> Client:
    return Client(demo)


def test_every_form_is_answered_or_refused_in_words(client: Client) -> None:
    conversation = client.create()
    for name, text in FORMS.items():
        got = post(client, f"/conversations/{conversation}/messages", {"text": text})
        if got.status_code == 200:
            answer = got.json()
            assert answer["status"] in ("replied", "nothing_due"), (name, answer["error"])
            assert answer["reply"] is None or answer["reply"]["text"].strip(), name
        else:
            problem = got.json()
            too_large = len(json.dumps(text)) > 256 * 1024
            assert problem["code"] == ("too_large" if too_large else "invalid_request"), (name, problem)
            assert len(text) > LONGEST or name in BLANK, name
            assert problem["detail"], name
            assert text[:2_000] not in got.text, "a refusal repeats nothing"
    assert "10405" in client.say(conversation, "cadê o pedido 10405?")["reply"]["text"]


def test_what_was_too_long_is_answered_at_the_longest_that_is_allowed(client: Client) -> None:
    for name, text in ((name, text) for name, text in FORMS.items() if len(text) > LONGEST):
        got = post(client, f"/conversations/{client.create()}/messages", {"text": text[:LONGEST]})
        nothing_said = name in (*BLANK, "line ends")  # cut so short, the latter is line ends alone
        assert got.status_code == (422 if nothing_said else 200), (name, got.text[:300])
        assert nothing_said or got.json()["status"] in ("replied", "nothing_due"), name


@pytest.mark.parametrize("field", ["message_id", "agent_override", "channel", "conversation"])
def test_forms_in_every_other_field_are_refused_in_words(client: Client, field: str) -> None:
    conversation = client.create()
    for name, text in FORMS.items():
        match field:
            case "channel":
                got = post(client, "/conversations", {"channel": text})
            case "conversation":
                got = client.get(f"/conversations/{quote(text[:300], errors='ignore')}/messages")
            case _:
                got = post(client, f"/conversations/{conversation}/messages", {"text": "oi", field: text})
        assert 400 <= got.status_code < 500, (field, name, got.status_code)
        assert got.headers["content-type"] == "application/problem+json", (field, name)
        assert got.json()["detail"]


def test_forms_are_decided_or_refused_where_nothing_is_stored(client: Client) -> None:
    for name, text in FORMS.items():
        got = post(client, "/turn-taking/decide", {"agents": ["support", "billing"], "message": text[:LONGEST]})
        assert got.status_code in (200, 422), (name, got.text[:300])
