"""The stub over the project's own roster: its offline models behind the chat API, a local link behind the decisions."""

from pathlib import Path

import httpx
import pytest

from agents.roster import Roster, load_roster
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from stubs.faults import Fault
from stubs.serve import serving
from stubs.specialists import offline_app
from tests.routing.providers.clients import client, remote_settings
from tests.stubs.simulated import WordDecider

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def roster() -> Roster:
    return load_roster(("agents/returns.py", "agents/support.py", "agents/billing.py"), base=ROOT, fallback=ROOT)


def chain(*providers: object) -> ChainDecider:
    return ChainDecider(providers, deadline_s=1, clock=lambda: 0.0, breakers=Breakers(clock=lambda: 0.0))  # pyright: ignore[reportArgumentType]


def test_each_specialist_is_known_by_its_prompt(roster: Roster) -> None:
    spoken: dict[str, str] = {}
    with serving(offline_app(roster, chain(WordDecider()))) as url, httpx.Client(base_url=url, trust_env=False) as http:
        for spec in roster.specs:
            system = f"{roster.prompt(spec.id)}\n\nmore"
            messages = [{"role": "system", "content": system}, {"role": "user", "content": "oi"}]
            answer = http.post("/api/v1/chat/completions", json={"model": "gpt-x", "messages": messages}).json()
            spoken[spec.id] = answer["choices"][0]["message"]["content"]
    assert all(spoken.values())
    assert len(set(spoken.values())) == len(roster.specs)


def test_faults_and_keys_are_parameters(roster: Roster) -> None:
    app = offline_app(roster, chain(WordDecider()), faults={"gpt-x": Fault(kind="status", status=429)}, keys=["k"])
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as http:
        asked = {"model": "gpt-x", "messages": [{"role": "user", "content": "oi"}]}
        assert http.post("/v1/chat/completions", json=asked).status_code == 429
        assert http.post("/v1/chat/completions", json=asked | {"model": "gpt-y"}).status_code == 401


def test_a_stub_over_something_remote_is_refused(roster: Roster) -> None:
    remote = client("msd1", remote_settings("http://127.0.0.1:9"))
    with pytest.raises(ValueError, match="in process"):
        offline_app(roster, chain(remote))


def test_a_taken_port_is_said(stub: str) -> None:
    with pytest.raises(OSError, match="in use"), serving(lambda *_: None, port=int(stub.rsplit(":", 1)[1])):  # pyright: ignore[reportArgumentType]
        pass
