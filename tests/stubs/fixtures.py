"""The simulated providers on a free port, shared by a module's tests; each test begins without faults."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from stubs.app import create_app
from stubs.faults import Fault
from stubs.serve import serving
from tests.stubs.simulated import QUESTION, EchoChat, WordDecider

KEY = "sk-or-v1-geheim-0123456789"


@pytest.fixture(scope="session")
def stub() -> Iterator[str]:
    """The base address of a stub that lets KEY in."""
    app = create_app(decider=WordDecider(), chat=EchoChat(), question=QUESTION, keys=[KEY])
    with serving(app) as url:
        yield url


@pytest.fixture
def control(stub: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stub, trust_env=False, verify=False) as client:
        client.delete("/stub/faults")
        client.delete("/stub/requests")
        yield client
        client.delete("/stub/faults")


@pytest.fixture
def put(control: httpx.Client) -> Callable[[str, Fault], None]:
    """Put a fault on a model."""

    def order(model: str, fault: Fault) -> None:
        control.post("/stub/faults", json={"model": model, "fault": fault.model_dump()}).raise_for_status()

    return order
