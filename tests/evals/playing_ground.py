"""What the tests of the played suites share: a Bastão without an encoder, and parts of the project's own cases."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from agents.models.offline import OfflineChatModels
from evals.specialist import CASES
from evals.specialist_cases import files_of
from graph.conversation import Bastao
from stubs.stand_in import StandIn
from tests.graph.conftest import Make
from tests.scripted import ScriptedDecider

Open = Callable[..., Awaitable[Bastao]]
BLAND = "Claro, estou aqui para ajudar! Conte comigo para o que precisar."


class DoNothing(StandIn):
    """A model that is polite and calls no tool."""

    @property
    def _llm_type(self) -> str:
        return "do-nothing"

    async def answer(self, messages: Any, *, stop: Any, given: Any) -> AIMessage:
        return AIMessage(BLAND)


def opener(make_desk: Make) -> Open:
    """Return what opens a Bastão over a test's database: offline models, real rules, a decider by the test's rule."""

    async def open_(rule: Any = None, **changed: Any) -> Bastao:
        desk = await make_desk({}, rule or (lambda message, exchange: "support"))
        services = replace(desk.services, models=OfflineChatModels(), **changed)
        assert isinstance(services.decider, ScriptedDecider)
        return Bastao(conversation=desk.conversation, services=services, database=services.database, mode="demo")

    return open_


def only(ids: Sequence[str], folder: Path) -> Path:
    """Write the project's cases of these ids to a file of their own."""
    lines = [line for path in files_of(CASES) for line in path.read_text("utf-8").splitlines()]
    kept = [line for line in lines if any(f'"id": "{id}"' in line for id in ids)]
    assert len(kept) == len(ids), ids
    path = folder / "cases.jsonl"
    path.write_text("\n".join(kept), "utf-8")
    return path
