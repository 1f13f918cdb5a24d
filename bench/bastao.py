"""A Bastão with the script's model and decider, on a database of the bench."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from bench.customer import wanted
from bench.model import InstantModel, Request
from bench.place import environment
from graph.build import build_graph
from graph.checkpoint import TurnSaver
from graph.conversation import Conversation
from graph.events import Event
from graph.services import Services
from routing.decision import Answer, Exchange, Question
from routing.shop import Customer
from settings import load_settings, open_bastao

ANA = Customer(id="c1", name="Ana", tier="silver", level="session")


@dataclass(slots=True)
class ScriptedModels:
    """The instant model per specialist."""

    prompts: dict[str, str]
    keep: bool = False
    name: str = "instant"
    label: str = "modelo do banco de provas"
    simulated: bool = True
    made: dict[str, InstantModel] = field(default_factory=dict[str, InstantModel])

    def for_agent(self, spec: Any) -> InstantModel:
        if spec.id not in self.made:
            self.made[spec.id] = InstantModel(agent=spec.id, prompt=self.prompts[spec.id], keep=self.keep)
        return self.made[spec.id]

    def taken(self) -> list[Request]:
        """Return and forget the requests; they are in order within an agent."""
        found = [request for model in self.made.values() for request in model.kept]
        for model in self.made.values():
            model.kept.clear()
        return found


@dataclass(slots=True)
class ScriptedDecider:
    """Decides at once. `sees` False keeps a message with the current specialist, who must then say that it is not theirs.

    `only` sends everything to one specialist.
    """

    sees: bool = True
    only: str | None = None

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        top = self.only or (wanted(message) if self.sees else exchange.current_agent or wanted(message))
        others = [option for option in question.ids if option != top]
        odds = {option: 0.96 if option == top else 0.04 / len(others) for option in question.ids}
        return Answer(probabilities=odds, provider="scripted", model="scripted", calibrated=True, latency_ms=0.0)


@dataclass(frozen=True, slots=True)
class Bastao:
    """One Bastão under measurement."""

    conversation: Conversation
    services: Services
    models: ScriptedModels
    decider: ScriptedDecider

    async def say(self, thread_id: str, text: str, *, message_id: str | None = None) -> list[Event]:
        """Send one message as the customer and return what happened. Raises AssertionError for a turn that was not answered."""
        events = [
            event
            async for event in self.conversation.send(
                thread_id, [text], message_id=message_id or uuid4().hex, customer=ANA, channel="bench"
            )
        ]
        assert events[-1].type == "done", events[-1]
        assert events[-1].status == "replied", events[-1]
        return events

    async def turn(self, thread_id: str, text: str) -> list[Request]:
        """Send one message and return the requests to the model."""
        self.models.taken()
        await self.say(thread_id, text)
        return self.models.taken()


@asynccontextmanager
async def bastao(url: str, *, keep: bool = False, local_decision: bool = False) -> AsyncIterator[Bastao]:
    """Open a Bastão; with `local_decision` the embedded model decides instead of the script."""
    environ = environment(url)
    async with open_bastao(load_settings(environ), environ) as opened:
        roster = opened.services.roster
        models, decider = (
            ScriptedModels({spec.id: roster.prompt(spec.id) for spec in roster.specs}, keep),
            ScriptedDecider(),
        )
        chosen: Any = opened.services.decider if local_decision else decider
        services = replace(opened.services, models=models, decider=chosen, purse=None, spares=())
        graph = build_graph(services).compile(checkpointer=TurnSaver(services.database.pool))
        conversation = Conversation(services=services, graph=graph, owner=f"bench-{uuid4().hex[:8]}")
        try:
            yield Bastao(conversation, services, models, decider)
        finally:
            await conversation.close()
