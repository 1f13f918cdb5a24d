"""The OpenAPI document against the running API: whatever is sent, no 5xx, and nothing that the document does not name."""

from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from api import create_app
from routing.decision import RESPONDERS
from tests.api.serving import Client

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance, unsupported_method,
]  # fmt: skip
BOUNDED = settings(
    deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
EVERYBODY = {"X-Demo-Customer": "c1", "X-Demo-Operator": "bia"}


@pytest.fixture(scope="module")
def document(demo: str) -> Any:
    return schemathesis.openapi.from_url(f"{demo}/openapi.json")


@pytest.fixture(scope="module")
def conversation(demo: str) -> str:
    """A conversation in which something has happened, and that waits for a person."""
    client = Client(demo)
    made = client.create()
    client.say(made, "cadê o pedido 10405?")
    client.say(made, "quero falar com gente")
    return made


def send_anything(document: Any, path_regex: str, *, checks: list[Any], examples: int = 12, **fixed: str) -> list[Any]:
    """Send what the document allows and what it does not to every operation; return the answers."""
    answers: list[Any] = []
    for found in document.include(path_regex=path_regex).get_all_operations():
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @given(case=found.ok().as_strategy(generation_mode=mode))
            @settings(BOUNDED, max_examples=examples)
            def send(case: Any) -> None:
                case.path_parameters = {**(case.path_parameters or {}), **fixed}
                answers.append(case.call_and_validate(headers=EVERYBODY, checks=checks, timeout=30))

            with suppress(Unsatisfiable):  # an operation without parameters: nothing can be wrong
                send()
    return answers


def test_anything_sent_to_anywhere_ends_as_documented(document: Any) -> None:
    answers = send_anything(document, ".", checks=CHECKS)
    assert {200, 201, 404, 422} <= {answer.status_code for answer in answers}


def test_anything_sent_to_a_conversation_that_exists_ends_as_documented(document: Any, conversation: str) -> None:
    answers = send_anything(document, "conversation_id", checks=CHECKS, conversation_id=conversation)
    assert {200, 422} <= {answer.status_code for answer in answers}


def test_what_is_no_room_is_never_decided(document: Any) -> None:
    answers = send_anything(document, "decide", checks=[*CHECKS, negative_data_rejection], examples=60)
    for answer in answers:
        if answer.status_code == 200:
            assert answer.json()["agent"] in {"returns", "support", "billing", *RESPONDERS}
    assert 422 in {answer.status_code for answer in answers}


def test_the_examples_of_the_document_work(demo: str) -> None:
    document = httpx.get(f"{demo}/openapi.json").json()
    examples = document["paths"]["/turn-taking/decide"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]
    answers = [httpx.post(f"{demo}/turn-taking/decide", json=e["value"], timeout=30).json() for e in examples.values()]
    assert [answer["reason"] for answer in answers] == ["addressed_by_name", "confident", "pending_question"]
    client = Client(demo)
    made = client.create()
    sent = document["paths"]["/conversations/{conversation_id}/messages"]["post"]["requestBody"]["content"]
    for example in sent["application/json"]["examples"].values():
        got = client.post(f"/conversations/{made}/messages", example["value"], headers={"Accept": "application/json"})
        assert got.json()["status"] == "replied", got.text


def test_every_operation_says_how_it_fails_and_every_event_is_described() -> None:
    document = create_app({}).openapi()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if path.startswith(("/health", "/version")):
                continue
            failures = {status: r for status, r in operation["responses"].items() if status >= "400"}
            assert {"401", "422", "500", "503"} <= set(failures)
            assert all(list(r["content"]) == ["application/problem+json"] for r in failures.values())
    assert set(document["components"]["schemas"]["Event"]["discriminator"]["mapping"]) == {
        "queued", "status", "decision", "handoff", "tool", "confirmation", "person", "token", "reply", "discarded", "done", "error",
    }  # fmt: skip
