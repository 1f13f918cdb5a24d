"""The System One client against the public reference server, with each of its fault switches thrown."""

from collections.abc import Iterator

import pytest
from jevcompat.mock import FAULTS, MockConfig, Running

from routing.decision import Answer
from routing.providers.base import ProviderError, ask
from tests.routing.providers.clients import client, remote_settings
from tests.stubs.fixtures import KEY
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION

# What must not be believed. Every other fault is about something that the client does not read, or reads in its own way.
REFUSED: dict[str, tuple[str, str]] = {
    "wrong-route": ("ours", "HTTP 404"),
    "reject-jev-latest": ("ours", "HTTP 404"),
    "auth-rejects-header": ("ours", "HTTP 401 authentication_error"),
    "xssi-200": ("garbage", "not JSON"),
    "nan": ("garbage", "not JSON"),
    "choice-sum": ("garbage", "bad_sum"),
    "choice-second": ("garbage", "choice_not_top"),
}
UNANSWERED = {
    "first-question-only": ("asks_person", "upset"),
    "boolean-type": ("asks_person",),
    "noul-range": ("asks_person",),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """One server for all: stopping one takes it half a second."""
    with Running(MockConfig()) as running:
        yield running


async def decide(server: Running, config: MockConfig) -> Answer:
    server.server.RequestHandlerClass.cfg = config  # pyright: ignore[reportAttributeAccessIssue]
    provider = client("systemone", remote_settings(server.url))
    return await ask(provider, MESSAGE_TEXT, exchange=NOTHING_BEFORE, question=QUESTION)


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - set(REFUSED)))
async def test_faults_that_leave_an_answer(server: Running, fault: str) -> None:
    answer = await decide(server, MockConfig(faults=frozenset({fault})))
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)
    assert answer.model == "jevcompat-mock-0.1"
    for name in ("asks_person", "upset"):
        assert (getattr(answer, name) is None) == (name in UNANSWERED.get(fault, ()))


@pytest.mark.parametrize("fault", REFUSED)
async def test_faults_that_leave_none(server: Running, fault: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await decide(server, MockConfig(faults=frozenset({fault})))
    assert (raised.value.kind, raised.value.why) == REFUSED[fault]


async def test_the_reference_server_answers_everything(server: Running) -> None:
    answer = await decide(server, MockConfig(key=KEY))
    assert None not in (answer.asks_person, answer.continues, answer.is_request, answer.upset)
    assert answer.cost_usd > 0


@pytest.mark.parametrize("fault", [None, "auth-plain", "auth-x-api-key", "auth-invalid-403-text"])
async def test_a_key_that_it_does_not_know(server: Running, fault: str | None) -> None:
    with pytest.raises(ProviderError) as raised:
        await decide(server, MockConfig(key="another", faults=frozenset({fault} if fault else ())))
    assert (raised.value.kind, raised.value.retry_after_s) == ("ours", 30.0)


async def test_busy_is_for_the_next_provider_at_once(server: Running) -> None:
    with pytest.raises(ProviderError) as raised:
        await decide(server, MockConfig(busy_every=1))
    assert (raised.value.kind, raised.value.retry_after_s) == ("retryable", 0.0)


async def test_noise_is_no_error(server: Running) -> None:
    answer = await decide(server, MockConfig(noise=0.5))
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)
