"""A small stand-in for the graph: drives specialists' chat models with real tools over the in-memory shop.

It keeps what matters here (briefing, facts, confirmation, transfer by reason) and nothing of turns, leases or checks.
"""

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from agents.models.offline import OfflineChatModels
from agents.roster import Roster, load_roster
from routing.answers import read_answer
from routing.briefing import BriefingMaterial, render_briefing
from routing.claims import check_claims
from routing.extraction import extract
from routing.facts import ExecutedAction, Fact
from routing.grounding import Candidate, Grounded, check_grounding
from routing.learning import conflicts, learn, subject
from routing.model import Language
from routing.own_request import is_own_request
from routing.pending import Proposal
from routing.reasons import Resolved, resolve
from routing.sentences import say
from routing.shop import Customer
from tests.tools.fake_shop import NOW, ZONE, FakeDesk, FakeMemory, FakeShop, customer
from tools.contract import NotMine, Outcome, Plan, Proof, Refusal, ToolContext
from tools.registry import TOOLS
from tools.signals import describe_reasons

ROOT = Path(__file__).parents[2]
ROSTER_PATHS = ("agents/returns.py", "agents/support.py", "agents/billing.py")
MODEL_CALLS = 10
Json = dict[str, Any]


def the_roster(*more: str, base: Path = ROOT) -> Roster:
    return load_roster([*ROSTER_PATHS, *more], base=base, fallback=ROOT)


@dataclass
class Talk:
    """One conversation. `say` answers one message as `agent` (a decision that somebody else took).

    `strict`: only what the customer named is the subject, and only whole product names count as naming an order.
    """

    who: Customer = field(default_factory=customer)
    roster: Roster = field(default_factory=the_roster)
    language: Language = "pt"
    shop: FakeShop = field(default_factory=FakeShop)
    desk: FakeDesk = field(default_factory=FakeDesk)
    facts: tuple[Fact, ...] = ()
    entities: list[str] = field(default_factory=list)
    actions: list[ExecutedAction] = field(default_factory=list)
    proposal: Proposal | None = None
    dialogue: list[BaseMessage] = field(default_factory=list)
    calls: list[tuple[str, Json, str]] = field(default_factory=list)
    handoffs: list[tuple[str, str, str]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    strict: bool = False
    listings: list[tuple[Candidate, ...]] = field(default_factory=list)
    agent: str = ""
    model_calls: int = 0
    _ids: Any = field(default_factory=itertools.count)

    async def say(self, text: str, agent: str | None = None) -> str:
        self.agent = agent or self.agent
        self.calls, self.handoffs, self.outcomes, self.refused, self.listings = [], [], [], [], []
        entity = self.entities[0] if self.entities else None
        self._learn(extract(text, turn=1, entity=entity), "customer")
        if self.proposal and read_answer(text, about=self.proposal.summary) == "yes":
            proposal, self.proposal = self.proposal, None
            outcome = await self._execute(proposal.tool, proposal.args, text)
            self.outcomes.append(outcome)
            self._learn(outcome.facts, f"tool:{proposal.tool}")
        reply = await self._speak(text)
        self._hold_against_the_record(reply)
        self.dialogue += [HumanMessage(text), AIMessage(reply)]
        return reply

    def _hold_against_the_record(self, reply: str) -> None:
        """No reply may claim what nothing backs: the graph's own check, over what this turn read and did."""
        found = check_claims(
            reply, language=self.language, receipts=[o.receipt for o in self.outcomes if o.receipt], actions=self.actions,
            facts=self.facts, policies=[str(o.data.get("text", "")) for o in self.outcomes],
            tool_data=[*(o.data for o in self.outcomes), *(o.says for o in self.outcomes if o.says), *self.refused],
            tool_names=tuple(TOOLS),
        )  # fmt: skip
        assert found == (), reply

    async def _speak(self, text: str) -> str:
        note: tuple[str, str] | None = None
        for _ in range(3):
            reply, declined = await self._specialist(text, note)
            if declined is None:
                return reply
            found = resolve(declined.reason, self.roster.reasons(), current=self.agent)
            assert isinstance(found, Resolved), declined
            assert found.agent != self.agent, declined
            self.handoffs.append((self.agent, found.agent, found.reason))
            note, self.agent = (self.agent, f"{found.reason}: {declined.detail}"), found.agent
        raise AssertionError(f"a circle: {self.handoffs}")

    async def _specialist(self, text: str, note: tuple[str, str] | None) -> tuple[str, NotMine | None]:
        spec = self.roster.by_id(self.agent)
        model = OfflineChatModels().for_agent(spec).bind_tools([self._schema(name) for name in spec.tools])
        messages: list[BaseMessage] = [SystemMessage(self._system(note)), *self.dialogue[-12:], HumanMessage(text)]
        for _ in range(MODEL_CALLS):
            self.model_calls += 1
            answer = await model.ainvoke(messages)
            assert isinstance(answer, AIMessage)
            if not answer.tool_calls:
                assert answer.text.strip()
                return answer.text, None
            messages.append(answer)
            for call in answer.tool_calls:
                assert call["name"] in spec.tools
                outcome, status, summary = await self._call(call["name"], call["args"], text)
                self.outcomes.append(outcome)
                if outcome.refusal:
                    self.refused += [outcome.refusal.because, outcome.refusal.next]
                self.calls.append((call["name"], call["args"], status))
                if isinstance(outcome.signal, Proof):
                    self.who = self.who.model_copy(update={"level": "matched"})
                if isinstance(outcome.signal, NotMine):
                    return "", outcome.signal
                messages.append(ToolMessage(_readable(outcome, status, summary), tool_call_id=call["id"]))
        raise AssertionError(f"the specialist does not come to an end: {self.calls}")

    def _system(self, note: tuple[str, str] | None) -> str:
        material = BriefingMaterial(
            customer=self.who, now=NOW, zone=ZONE, language=self.language, facts=self.facts, entities=self.entities,
            actions=self.actions, conflicts=conflicts(self.facts), pending=self.proposal,
            from_agent=note[0] if note else None, from_note=note[1] if note else None,
        )  # fmt: skip
        return f"{self.roster.prompt(self.agent)}\n\n{render_briefing(material)}"

    def _schema(self, name: str) -> Json:
        tool = TOOLS[name]
        description = tool.description
        if name == "not_mine":
            description += "\n\n" + describe_reasons(self.roster.reasons().for_agent(self.agent))
        return {"title": name, "description": description, **tool.args.model_json_schema()} | {
            "title": name,
            "description": description,
        }

    async def _call(self, name: str, args: Json, text: str) -> tuple[Outcome, str, str | None]:
        tool, ctx = TOOLS[name], self._context(text)
        parsed = tool.args.model_validate(args)
        if not self._grounded(name, args, text):
            because = say("limits.not_grounded", self.language, what="?")
            return (
                Outcome(status="refused", refusal=Refusal(code="not_grounded", because=because, next="")),
                "refused",
                None,
            )
        if tool.plan is None:
            outcome = await tool.run(parsed, ctx)
            if name == "list_orders":
                self.listings.append(_candidates(outcome, words=not self.strict))
            self._learn(outcome.facts, f"tool:{name}")
            return outcome, outcome.status, None
        planned = await tool.plan(parsed, ctx)
        if not isinstance(planned, Plan):
            return Outcome(status="refused", refusal=planned), "refused", None
        if tool.confirm == "customer" or (tool.confirm == "explicit" and not is_own_request([text])):
            self.proposal = Proposal(
                id="pr1", tool=name, args=args, digest="d", summary=planned.summary, proposed_by=self.agent, asked_at=NOW, expires_at=NOW,
            )  # fmt: skip
            return Outcome(status="ok", data={"summary": planned.summary}), "proposed", planned.summary
        outcome = await self._execute(name, args, text)
        self._learn(outcome.facts, f"tool:{name}")
        return outcome, outcome.status, None

    def _grounded(self, name: str, args: Json, text: str) -> bool:
        tool = TOOLS[name]
        said = [m.text for m in self.dialogue if isinstance(m, HumanMessage)]
        verdict = check_grounding(
            args, identifiers=tool.identifiers, from_customer=tool.from_customer, facts=subject(self.facts, self.entities),
            words=(*said, text), listings=self.listings, reading=tool.kind == "READ",
        )  # fmt: skip
        return isinstance(verdict, Grounded)

    async def _execute(self, name: str, args: Json, text: str) -> Outcome:
        tool = TOOLS[name]
        assert tool.plan is not None
        parsed = tool.args.model_validate(args)
        planned = await tool.plan(parsed, self._context(text))
        assert isinstance(planned, Plan), planned
        outcome = await tool.run(parsed, self._context(text, effect_key=":".join(planned.act)))
        if outcome.receipt:
            self.actions.append(
                ExecutedAction(name=name, effect_id="e", status="done", at=NOW, receipt=outcome.receipt.protocol)
            )
        return outcome

    def _context(self, text: str, **more: Any) -> ToolContext:
        said = [m.text for m in self.dialogue if isinstance(m, HumanMessage)]
        return ToolContext(
            customer=self.who, shop=self.shop, desk=self.desk, memory=FakeMemory(list(self.facts)), now=NOW, zone=ZONE,
            language=self.language, facts=self.facts, words=(*said, text), **more,
        )  # fmt: skip

    def _learn(self, drafts: Any, source: str) -> None:
        self.facts = learn(
            self.facts, drafts, source=source, at=NOW, turn=1, new_id=lambda: f"f{next(self._ids)}"
        ).facts
        if source == "customer" or not (self.strict or source == "tool:list_orders"):
            named = [d.entity for d in drafts if d.key == "order" and d.entity]
            self.entities = [*dict.fromkeys([*reversed(named), *self.entities])][:3]


def _candidates(outcome: Outcome, *, words: bool) -> tuple[Candidate, ...]:
    """A listing's entries: a customer means one by its product's name, or by a word of it."""
    orders: Any = outcome.data.get("orders", [])
    return tuple(
        Candidate(
            id=order["order"],
            labels=(
                *order["products"],
                *(word for name in order["products"] for word in name.split() if words and len(word) > 3),
            ),
        )
        for order in orders
    )


def _readable(outcome: Outcome, status: str, summary: str | None) -> str:
    """What the model reads of an outcome, as the graph writes it."""
    answer: Json = {"status": status, "data": outcome.data}
    if outcome.refusal:
        answer |= {"code": outcome.refusal.code, "because": outcome.refusal.because, "next": outcome.refusal.next}
    if outcome.receipt:
        answer["receipt"] = outcome.receipt.model_dump(mode="json", exclude_none=True)
    if outcome.says:
        answer["says"] = outcome.says
    if summary:
        answer["summary"] = summary
    return json.dumps(answer, ensure_ascii=False)
