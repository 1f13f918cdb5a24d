"""The simulated decision APIs as their servers were seen to behave: errors in their own shapes, headers, bills."""

from typing import Any

import httpx
import pytest

from stubs.faults import Fault
from tests.stubs.fixtures import KEY

OPENROUTER = ("/api/alpha/decisions", "/api/v1/systemone")
PATHS = (*OPENROUTER, "/v1/systemone", "/v1/decisions")
CHOICE = {"type": "choice", "instructions": "Which?", "criteria": {"returns": "Gives back.", "billing": "Money."}}


def body(path: str, **changes: Any) -> dict[str, Any]:
    if path == "/v1/decisions":
        choices = [{"value": "returns", "description": "Gives back."}, {"value": "billing"}]
        question = {"type": "choice", "name": "q", "instructions": "Which?", "choices": choices}
        return {"model": "gpt-6-luna", "input": "money", "questions": [question]} | changes
    model = "jev-latest" if path == "/v1/systemone" else "microsoft/microsoft-decision-1"
    return {"model": model, "state": "money back", "questions": {"q": CHOICE}} | changes


def post(control: httpx.Client, path: str, content: Any = None, *, key: str | None = KEY) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if isinstance(content, bytes):
        return control.post(path, content=content, headers=headers)
    return control.post(path, json=body(path) if content is None else content, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_a_good_request(control: httpx.Client, path: str) -> None:
    answer = post(control, path)
    assert answer.status_code == 200
    assert "simulado" in answer.json()["model"]
    assert answer.json()["usage"]["input_tokens"] > 0


@pytest.mark.parametrize("path", OPENROUTER)
def test_openrouter_adds_id_provider_cost_and_headers(control: httpx.Client, path: str) -> None:
    before = control.get("/api/v1/key").json()["data"]["usage"]
    answer = post(control, path)
    data = answer.json()
    assert answer.headers["X-Generation-Id"] == data["id"]
    assert answer.headers["X-Provider-Name"] == data["provider"]
    billed = control.get("/api/v1/key").json()["data"]["usage"] - before
    assert billed == pytest.approx(data["usage"]["cost"])
    assert billed > 0


def test_system_one_has_none_of_these(control: httpx.Client) -> None:
    assert set(post(control, "/v1/systemone").json()) == {"model", "answers", "usage"}


REFUSALS: list[tuple[str, str | None, int, dict[str, Any]]] = [
    ("/api/alpha/decisions", None, 401, {"error": {"message": "Missing Authentication header", "code": 401}}),
    ("/api/alpha/decisions", "wrong", 401, {"error": {"message": "User not found.", "code": 401}}),
    (
        "/v1/systemone",
        None,
        403,
        {"detail": {"error_type": "authentication_error", "message": "Must supply an API key!"}},
    ),
    (
        "/v1/systemone",
        "wrong",
        401,
        {"detail": {"error_type": "authentication_error", "message": "Cannot authenticate with the server."}},
    ),
]


@pytest.mark.parametrize(("path", "key", "status", "said"), REFUSALS)
def test_keys_are_refused_in_each_servers_own_words(
    control: httpx.Client, path: str, key: str | None, status: int, said: dict[str, Any]
) -> None:
    answer = post(control, path, key=key)
    assert answer.status_code == status
    assert said.items() <= answer.json().items()


def test_foundry_takes_its_key_in_a_header_of_its_own(control: httpx.Client) -> None:
    answer = control.post("/v1/systemone", json=body("/v1/systemone"), headers={"api-key": KEY})
    assert answer.status_code == 200


BAD: list[tuple[str, Any]] = [
    ("not JSON", b"{"),
    ("a list", []),
    ("no state", {"model": "jev-latest", "questions": {"q": CHOICE}}),
    ("no questions", {"state": "x", "questions": {}}),
    ("unknown type", {"questions": {"q": {"type": "box", "instructions": "Where?"}}}),
    ("too many options", {"questions": {"q": {"type": "choice", "criteria": {str(i): None for i in range(256)}}}}),
    ("too many levels", {"questions": {"q": {"type": "score", "criteria": ["x"] * 11}}}),
    ("half a noul", {"questions": {"q": {"type": "noul", "criteria": {"yes": "x"}}}}),
    ("a number for a text", {"questions": {"q": {"type": "choice", "criteria": {"a": 1}}}}),
]


@pytest.mark.parametrize("bad", [content for _, content in BAD], ids=[name for name, _ in BAD])
@pytest.mark.parametrize("path", ["/api/alpha/decisions", "/v1/systemone"])
def test_bad_requests(control: httpx.Client, path: str, bad: Any) -> None:
    content = bad if not isinstance(bad, dict) or "state" in bad or "model" in bad else body(path) | bad
    answer = post(control, path, content)
    if path == "/v1/systemone":
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"][0] == "body"
    else:
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == 400


@pytest.mark.parametrize(
    "changes",
    [
        {"questions": []},
        {"questions": [{"type": "choice", "choices": []}]},
        {"questions": [{"type": "choice", "name": "q", "choices": [{"value": "a"}]}]},
        {"questions": [{"type": "predicate", "name": "q", "criteria": {}}]},
        {"questions": [{"type": "predicate", "name": "q"}, {"type": "predicate", "name": "q"}]},
        {"questions": [{"type": "score", "name": "q", "levels": ["low"]}]},
        {"input": None},
    ],
)
def test_bad_requests_to_openai(control: httpx.Client, changes: dict[str, Any]) -> None:
    answer = post(control, "/v1/decisions", body("/v1/decisions", **changes))
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(("path", "status"), [(OPENROUTER[0], 400), ("/v1/systemone", 400), ("/v1/decisions", 404)])
def test_unknown_models(control: httpx.Client, path: str, status: int) -> None:
    assert post(control, path, body(path, model="gpt-4o")).status_code == status


@pytest.mark.parametrize("path", ["/api/alpha/decisions", "/v1/systemone"])
def test_a_state_beyond_the_context(control: httpx.Client, path: str) -> None:
    answer = post(control, path, body(path, state="a" * 200_000))
    assert answer.status_code == 400
    assert "max_tokens_exceeded" in answer.text


def test_openrouter_has_no_v1_in_its_alpha_path(control: httpx.Client) -> None:
    assert post(control, "/api/v1/alpha/decisions", body(OPENROUTER[0])).status_code == 404


def test_drift_stays_within_what_was_seen_and_rounding_has_two_decimals(control: httpx.Client) -> None:
    def probabilities() -> dict[str, float]:
        return post(control, OPENROUTER[0]).json()["answers"]["q"]["probabilities"]

    def order(fault: Fault) -> None:
        control.post("/stub/faults", json={"model": "*", "fault": fault.model_dump()}).raise_for_status()

    true = probabilities()
    assert probabilities() == true
    order(Fault(kind="drift"))
    drifted = [probabilities() for _ in range(20)]
    assert any(seen != true for seen in drifted)
    assert all(abs(seen[option] - true[option]) <= 0.13 for seen in drifted for option in true)
    order(Fault(kind="rounded"))
    assert all(value == round(value, 2) for value in probabilities().values())
