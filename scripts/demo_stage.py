"""The Bastão that a scenario needs: the opened one, or one over the same stores with a clock and stand-ins of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graph.build import build_graph
from graph.checkpoint import TurnSaver
from graph.conversation import Bastao, Conversation
from ops.maintenance import Maintenance, Round
from routing.question import build_question
from scripts.demo_clock import Moment, MovedClock, whole_week
from scripts.scenario import Line, Scenario
from stubs.attended import AttendedModels, Meanwhile
from stubs.scripted import ScriptedModels, ScriptedRouter


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where one scenario is played. `clock` is None where it has the real one."""

    bastao: Bastao
    meanwhile: Meanwhile
    clock: MovedClock | None
    claim_timeout: timedelta

    def now(self) -> datetime:
        return self.bastao.services.clock.now()

    async def move(self, to: Moment) -> Round | None:
        """Move the clock and do what happens by it. Nothing is announced to anybody outside. Raises ClosedDay."""
        assert self.clock is not None  # the scenario's format sees to it
        services = self.bastao.services
        self.clock.move(to, services.hours)
        return await Maintenance(
            services=services, conversation=self.bastao.conversation, claim_timeout=self.claim_timeout
        ).once()


@asynccontextmanager
async def staged(bastao: Bastao, scenario: Scenario, *, claim_timeout: timedelta) -> AsyncIterator[Stage]:
    """Give a scenario its Bastão. Raises ScriptError for a stand-in that the roster does not know, ClosedDay."""
    services = bastao.services
    ids = services.roster.ids
    question = build_question([(spec.id, spec.role) for spec in services.roster.specs])
    scenario.stand_ins.check(ids, question.ids)
    clock = MovedClock(whole_week(scenario.starts, services.clock.now(), services.hours)) if scenario.starts else None
    meanwhile = Meanwhile()
    attended = any(isinstance(step, Line) and step.meanwhile for step in scenario.turns)
    if not (scenario.scripted or attended or clock):
        yield Stage(bastao=bastao, meanwhile=meanwhile, clock=None, claim_timeout=claim_timeout)
        return
    models = ScriptedModels(scenario.stand_ins, services.models)
    changed = replace(
        services,
        models=AttendedModels(models, meanwhile) if attended else models,
        decider=ScriptedRouter(scenario.stand_ins.router, services.decider),
        clock=clock or services.clock,
        spares=() if scenario.stand_ins.specialists else services.spares,
    )
    graph = build_graph(changed).compile(checkpointer=TurnSaver(bastao.database.pool))
    conversation = Conversation(services=changed, graph=graph, owner=bastao.conversation.owner)
    try:
        own = replace(bastao, conversation=conversation, services=changed)
        yield Stage(bastao=own, meanwhile=meanwhile, clock=clock, claim_timeout=claim_timeout)
    finally:
        await conversation.close()
