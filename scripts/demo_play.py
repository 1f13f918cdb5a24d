"""Play one scenario through the two doors, and hold what is then on record against what it expects."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, assert_never

from graph.events import Event, HandedOff, PersonCalled, Token
from graph.people import NotPossible, PersonAction
from ops.baton import baton_of
from ops.queue_words import not_possible_words
from ops.reading import history
from ops.turn_view import TurnView, after
from routing.shop import Customer
from scripts.demo_checks import problems
from scripts.demo_evidence import record, write
from scripts.demo_records import READER, discarded_of, records_of
from scripts.demo_screen import Screen
from scripts.demo_stage import Stage
from scripts.scenario import Fill, Fresh, Line, Move, Operate, Scenario, Step
from scripts.scenario_expect import Expectation

CHANNEL = "demo"
ENDED_WELL = ("replied", "nothing_due")
UNDECIDED = ("fallback_unavailable", "waiting_person")
Json = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What came of it. `excused` are expectations that did not hold, and prove nothing where they were played."""

    turns: int = 0
    ended_badly: int = 0
    held: int = 0
    failed: int = 0
    excused: int = 0

    def add(self, other: "Tally") -> None:
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))

    @property
    def good(self) -> bool:
        return self.turns > 0 and not self.ended_badly and not self.failed


@dataclass(slots=True, kw_only=True)
class Player:
    """Plays one scenario.

    `used`: others have written in this database. `outage`: providers are down on purpose. There what does not hold proves
    nothing, and is told instead of counted: in a used database, and from the first turn on that nobody could decide.
    """

    scenario: Scenario
    stage: Stage
    screen: Screen
    customer: Customer
    run: str
    out: Path | None = None
    outage: bool = False
    used: bool = False
    tally: Tally = field(default_factory=Tally)
    _conversation: int = 1
    _number: int = 0
    _undecided: bool = False
    _checked: list[Json] = field(default_factory=list[Json])

    @property
    def thread_id(self) -> str:
        again = f"-{self._conversation}" if self._conversation > 1 else ""
        return f"demo-{self.scenario.id}{again}-{self.run}"

    async def play(self) -> Tally:
        """Play every step. Raises ClosedDay, and what the doors raise."""
        for step in self.scenario.turns:
            await self._step(step)
            self.screen.look(step.look)
            for expected in step.expect:
                await self._check(expected)
        if self.out is not None and self._checked:
            write(self.out / f"scenario-{self.scenario.id}-checks.json", self._checked)
        return self.tally

    async def _step(self, step: Step) -> None:
        match step:
            case Line():
                await self._say(step)
            case Operate():
                await self._operate(step)
            case Fill():
                await self._fill(step)
            case Move():
                done = await self.stage.move(step.clock)
                self.screen.moved(self.stage.now(), done)
            case Fresh():
                self._conversation += 1
                self.screen.terminal.line(f"\n── {step.conversation}", "bold cyan")
            case _:
                assert_never(step)

    async def _say(self, line: Line) -> None:
        terminal = self.screen.terminal
        terminal.customer(line.say, who=self.customer.name or str(self.customer.id))
        if line.meanwhile:
            self.stage.meanwhile.plan(lambda: self._people(line.meanwhile))
        view = await self._turn(line.say, look=line.look, to=line.to, ends=line.ends, shown=True)
        if self.stage.meanwhile.planned:
            self._failed("o que devia acontecer enquanto o bot escreve", "nenhum modelo escreveu uma resposta")
        if view.discarded is not None and line.meanwhile:
            baton = await baton_of(self.stage.bastao.database, self.thread_id, reader=READER, now=self.stage.now())
            who = line.meanwhile[-1].operator
            self.screen.overtaken(who, await discarded_of(self.stage.bastao, baton, operator=who, now=self.stage.now()))

    async def _fill(self, fill: Fill) -> None:
        views: list[TurnView] = []
        for number in range(fill.turns):
            text = fill.fill[number % len(fill.fill)]
            views.append(await self._turn(text, look=fill.look, to=None, ends=None, shown=False, minutes=fill.minutes))
        self.screen.filled(views)

    async def _turn(
        self, text: str, *, look: str, to: str | None, ends: str | None, shown: bool, minutes: int = 1
    ) -> TurnView:
        self._number += 1
        if self.stage.clock is not None:  # no two turns at the same moment: what is on record would have no order
            self.stage.clock.move(f"+{max(1, minutes)} minutes", self.stage.bastao.services.hours)
        terminal, view, events = self.screen.terminal, TurnView(thread_id=self.thread_id, message=text), list[Event]()
        sent = self.stage.bastao.conversation.send(
            self.thread_id, [text], message_id=f"{self.thread_id}-{self._number}", customer=self.customer,
            channel=CHANNEL, override=to,
        )  # fmt: skip
        async for event in sent:
            events.append(event)
            view = after(view, event)
            if shown and not isinstance(event, Token):  # the whole reply says who speaks, its first word does not
                terminal.event(event, view)
            if shown and isinstance(event, HandedOff):
                self.screen.carried(event, decided=view.decision.reason if view.decision else None)
        if shown:
            terminal.ended(view)
        self._count(view, ends)
        if self.out is not None:
            write(self.out / f"scenario-{self.scenario.id}-turn-{self._number}.json", record(view, events, look))
        return view

    def _count(self, view: TurnView, ends: str | None) -> None:
        self.tally.turns += 1
        decision = view.decision
        self._undecided |= decision is not None and decision.probabilities is None and decision.reason in UNDECIDED
        well = view.status == ends if ends is not None else view.status in ENDED_WELL
        if not well:
            self.tally.ended_badly += 1
            self.screen.terminal.line(f"  este turno terminou mal: {view.status or 'sem fim'}", "bold red")

    async def _people(self, steps: Sequence[Operate]) -> None:
        for step in steps:
            await self._operate(step, meanwhile=True)

    async def _operate(self, step: Operate, *, meanwhile: bool = False) -> None:
        """Carry out an operator's action; one that is not possible fails the scenario."""
        self.screen.operator(step, meanwhile=meanwhile)
        bastao, view = self.stage.bastao, TurnView(thread_id=self.thread_id)
        action = PersonAction(kind=step.does, text=step.text, item_id=await self._item(step.item))
        before = await history(bastao.database, self.thread_id, customer=None, limit=1)
        try:
            async for event in bastao.conversation.person(self.thread_id, action, operator=step.operator):
                view = after(view, event)
                if not isinstance(event, Token | PersonCalled):
                    self.screen.terminal.event(event, view)
        except NotPossible as problem:
            self._failed(f"{step.operator}: {step.does}", not_possible_words(problem))
        if view.reply is None:
            since = before[-1].seq if before else 0
            self.screen.told(await history(bastao.database, self.thread_id, customer=None, after=since))

    async def _item(self, kind: str | None) -> str | None:
        """Return the open item of a kind, the newest one."""
        if kind is None:
            return None
        baton = await baton_of(self.stage.bastao.database, self.thread_id, reader=READER, now=self.stage.now())
        found = [i for i in baton.items if i.kind == kind and i.status in ("waiting", "claimed")]
        return found[-1].id if found else kind

    async def _check(self, expected: Expectation) -> None:
        seen = await records_of(self.stage.bastao, self.thread_id, str(self.customer.id), now=self.stage.now())
        found = problems(expected, seen)
        self._checked.append(
            {"thread_id": self.thread_id, "turn": self._number, "that": expected.that, "problems": found}
        )
        if found:
            self._failed(expected.that, *found)
        else:
            self.tally.held += 1
            self.screen.held(expected.that)

    def _failed(self, that: str, *found: str) -> None:
        if self.used or (self.outage and self._undecided):
            self.tally.excused += 1
            self.screen.excused(that, found)
        else:
            self.tally.failed += 1
            self.screen.failed(that, found)
