"""Play one simulated contact under the product's own rules: the policy, the legs and their limits, the endings."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from graph.contacts import IDLE, close_idle, note_reopening
from ops.simulated_month import ContactPlan, Step
from ops.simulated_words import ANSWERS, CALLED, OPERATOR_SAYS, PICKS, QUESTIONS, REFUSALS, SOLVED, THANKS, WANTS_PERSON
from ops.simulated_writing import MODEL, ContactWriter
from routing.clarification import Subject, ask
from routing.decision import CLARIFICATION, COURTESY, OUT_OF_SCOPE, PERSON, Decision, Hop
from routing.policy import decide
from routing.sentences import say
from routing.termination import Leg, Stop, may_transfer, router_switch
from storage.records import contacts, conversations, messages, queue
from storage.records.turns import Turn

Json = dict[str, Any]
_DECISION_USD = {"msd1": 0.0000063, "jev": 0.0000105}
_RULE_MS = 2.0


@dataclass(slots=True, kw_only=True)
class SimulatedContact:
    """Where a contact stands while it is played. `known` counts what would make a return to a specialist worth while."""

    out: ContactWriter
    plan: ContactPlan
    current: str | None = None
    leg: Leg | None = None
    asked: int = 0
    options: tuple[str, ...] = ()
    handed: list[Json] = field(default_factory=list[Json])
    known: int = 0

    async def play(self, *, until: datetime) -> None:
        """Write the contact up to `until`: later messages were not sent yet, and later endings did not happen yet."""
        out = self.out
        for step in self.plan.steps:
            if out.at + step.after >= until:
                break
            out.at += step.after if out.contact else timedelta()
            await self._turn(step)
            if out.item is not None:
                await self._person(out.item, until=until)
                break
        ends = out.at + IDLE + timedelta(minutes=1)
        if out.contact is not None and ends < until:
            await close_idle(out.conn, now=ends, thread_id=out.thread_id)

    async def _turn(self, step: Step) -> None:
        out = self.out
        turn = await out.begin(self._words(step))
        self.known += 1
        decision = self._decide(step)
        reply, tools = self._respond(step, decision)
        ms = decision.latency_ms or _RULE_MS
        tokens: dict[str, int] = {}
        self.handed = []
        if decision.provider and decision.cost_usd:
            await out.pay(turn, decision.provider, decision.cost_usd, agent=None)
        if decision.target == PERSON:
            self.handed.append(await out.call(turn, self.leg, self.current, decision.reason, topic=step.topic))
        elif decision.target in out.world.specialists:
            spoke = await self._specialists(turn, step, decision)
            for agent in spoke:
                await out.pay_chat(turn, step.chat, agent)
            counted = {"input": step.chat.input, "cached": step.chat.cached, "output": step.chat.output}
            tokens = {kind: count * len(spoke) for kind, count in counted.items()}
            ms += step.chat.ms * len(spoke)
        out.at += timedelta(milliseconds=ms)
        failed = step.work == "fails" and bool(tokens) and out.item is None
        await out.end(turn, decision, reply, trail=[*self.handed, *tools], tokens=tokens, failed=failed)
        hops = self.leg.hops if self.leg else 0
        await contacts.update(out.conn, out.contact_id, current_agent=self.current, hops=hops, subject=self.current)
        if self.current is not None and self.handed:
            await note_reopening(out.conn, out.thread_id, out.contact_id, subject=self.current, now=out.at)

    def _words(self, step: Step) -> str:
        if step.kind == "picks" and step.about in self.options:
            return self.out.choose(PICKS).format_map({"topic": self.out.world.topics[step.about]})
        own = {"wants_person": WANTS_PERSON, "thanks": THANKS}.get(step.kind)
        return self.out.choose(own) if own else step.text

    def _decide(self, step: Step) -> Decision:
        """Let the rule speak that would, else the policy over what the decision model says."""
        match step.kind:
            case "thanks":
                return Decision(target=COURTESY, reason="courtesy")
            case "wants_person":
                return Decision(target=PERSON, reason="asked_for_human")
            case "sensitive":
                return Decision(target=PERSON, reason="sensitive")
            case "picks" if step.about in self.options:
                return Decision(target=step.about, reason="chose_option")
            case "request" | "vague" | "picks":
                return self._by_model(step)

    def _by_model(self, step: Step) -> Decision:
        world = self.out.world
        route = decide(
            step.thinks, current=self.current, pending_question=False, thresholds=world.gate(step.provider),
            specialists=world.specialists,
        )  # fmt: skip
        cost = _DECISION_USD.get(step.provider, 0.0)
        hops = (Hop(provider=step.provider, outcome="ok", latency_ms=step.decision_ms, cost_usd=cost),)
        if step.failed_before:
            hops = (Hop(provider=step.failed_before, outcome="error", why="503"), *hops)
        return Decision(
            target=route.target, reason=route.reason, probabilities=step.thinks, confidence=route.confidence, margin=route.margin,
            threshold=route.threshold, provider=step.provider, model=MODEL, calibrated=step.provider == "local",
            latency_ms=step.decision_ms, cost_usd=cost, hops=hops, options=route.options,
        )  # fmt: skip

    def _respond(self, step: Step, decision: Decision) -> tuple[str, list[Json]]:
        """Return the reply, and what the trail keeps of tools."""
        self.options = ()
        match decision.target:
            case target if target == CLARIFICATION:
                return self._clarify(decision), []
            case target if target == COURTESY:
                return say("turns.thanks", "pt"), []
            case target if target == OUT_OF_SCOPE:
                return say("turns.out_of_scope", "pt", shop=self.out.world.brand), []
            case target if target == PERSON:
                return self.out.choose(CALLED), []
            case _:
                texts = {"answers": ANSWERS, "asks": QUESTIONS, "refuses": REFUSALS, "fails": ANSWERS}[step.work]
                outcome = "refused" if step.work == "refuses" else "ok"
                tool = {"type": "tool", "name": "lookup_order", "args": {}, "outcome": outcome, "by": "model"}
                return self.out.choose(texts), [{**tool, "agent": step.about, "because": None}]

    def _clarify(self, decision: Decision) -> str:
        topics = self.out.world.topics
        self.options, self.asked = decision.options, self.asked + 1
        subjects = [Subject(id, topics[id]) for id in decision.options if id in topics]
        return ask(subjects, asked=self.asked - 1, language="pt").text

    async def _specialists(self, turn: Turn, step: Step, decision: Decision) -> list[str]:
        """Give the turn to a specialist, who may decline; return who spoke. The termination rules say how far that goes."""
        out, target = self.out, decision.target
        opened = router_switch(
            self.leg, current=self.current, destination=target, known_facts=self.known, new_id=out.new_id("leg")
        )
        if isinstance(opened, Stop):
            self.handed.append(await out.call(turn, opened.leg, self.current, opened.code, topic=None))
            return []
        self.leg = opened.leg
        if target != self.current:
            await self._hand(turn, target, decision.reason)
        spoke = [target]
        for destination in self._declined_to(step, target):
            verdict = may_transfer(self.leg, current=spoke[-1], destination=destination, known_facts=self.known)
            self.leg = verdict.leg
            if isinstance(verdict, Stop):
                self.handed.append(await out.call(turn, self.leg, self.current, verdict.code, topic=None))
                return spoke
            declared = out.world.reasons.get(destination) or ("unknown_reason",)
            await self._hand(turn, destination, out.choose(declared))
            spoke.append(destination)
        return spoke

    def _declined_to(self, step: Step, target: str) -> list[str]:
        """Return who it is passed on to: the right one, and round and round where nobody takes it."""
        specialists = self.out.world.specialists
        right = step.about if step.about in specialists else target
        path = [right] if right != target else []
        if step.circles and len(specialists) > 1:
            path.append(next(s for s in specialists if s != right))
            path.append(right)
        return path

    async def _hand(self, turn: Turn, target: str, reason: str) -> None:
        previous, self.current = self.current, target
        self.handed.append(await self.out.package(turn, self.leg, previous, target, reason))

    async def _person(self, item: queue.QueueItem, *, until: datetime) -> None:
        """Let the operator come, answer and close; what is too young for that still waits."""
        out, person = self.out, self.plan.person
        taken, done = out.at + person.waits, out.at + person.waits + person.works
        if done >= until:
            return
        if person.solved:
            await self._withdrawn(item, at=taken)
            return
        await queue.claim(out.conn, item.id, operator=person.operator, now=taken)
        await conversations.bump_epoch(out.conn, out.thread_id, held_by=person.operator, now=taken)
        await messages.add(
            out.conn, out.thread_id, message_id=out.new_id("m"), role="operator", author=person.operator, text=out.choose(OPERATOR_SAYS),
            now=taken + person.works / 2,
        )  # fmt: skip
        await queue.resolve(out.conn, item.id, operator=person.operator, now=done)
        await conversations.bump_epoch(out.conn, out.thread_id, held_by=None, now=done)
        ended = {"by": person.operator, "because": "operator"}
        await contacts.close(out.conn, out.contact_id, status="handed_over", outcome=ended, now=done)
        out.at = done

    async def _withdrawn(self, item: queue.QueueItem, *, at: datetime) -> None:
        """The customer writes that it is solved before anybody came."""
        out = self.out
        out.at = at
        turn = await out.begin(out.choose(SOLVED))
        await queue.withdraw(out.conn, item.id, now=at)
        decision = Decision(target=PERSON, reason="waiting_person", detail="solved")
        out.at += timedelta(milliseconds=_RULE_MS)
        reply = say("people.withdrawn", "pt", protocol=item.protocol)
        await out.end(turn, decision, reply, trail=[], tokens={}, failed=False)
