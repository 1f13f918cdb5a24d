"""Runs one specialist's tool calls: identity, authority, grounding, confirmation and effects, in that order.

A tool cannot be reached around this: the agent is given names and schemas, and every call lands in `ToolSession.run`.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from graph.proving import TOOL, may_try, tried
from graph.services import TurnContext
from graph.writes import WriteRoad, Written
from routing.authority import Denied, Grants, may_use
from routing.facts import Fact
from routing.grounding import Candidate, NotGrounded, check_grounding
from routing.learning import learn
from routing.model import Language
from routing.reasons import Unknown, resolve
from routing.sentences import say
from routing.shop import Customer
from tools.contract import Args, NotMine, Outcome, Proof, Refusal, Suspicion, Tool, ToolContext

Json = dict[str, Any]
# Refusals that say how to call, not what the shop decides: the customer cannot dispute them.
_TECHNICAL = ("posture", "rejected_before", "changed", "order_not_found")


@dataclass(slots=True)
class ToolSession:
    """One specialist's work in one turn: what it called, what came of it, what it learned and declared.

    Mutable on purpose and private to the specialist's node, which packs it into the state's update.
    """

    turn: TurnContext
    agent: str
    customer: Customer
    grants: Grants
    language: Language
    facts: tuple[Fact, ...]
    words: tuple[str, ...]
    this_turn: tuple[str, ...]
    waiting: bool
    refused_before: tuple[Json, ...] = ()
    emit: Callable[[Any], None] = lambda event: None
    records: list[Json] = field(default_factory=list[Json])
    added: list[Fact] = field(default_factory=list[Fact])
    updated: list[Fact] = field(default_factory=list[Fact])
    replaced: list[Fact] = field(default_factory=list[Fact])
    declared: list[NotMine] = field(default_factory=list[NotMine])
    suspicions: list[Suspicion] = field(default_factory=list[Suspicion])
    proofs: list[Proof] = field(default_factory=list[Proof])
    written: list[Written] = field(default_factory=list[Written])
    listings: list[tuple[Candidate, ...]] = field(default_factory=list[tuple[Candidate, ...]])
    exhausted: bool = False
    reason_retried: bool = False
    ungrounded: bool = False
    question: str | None = None
    _seen: dict[str, tuple[int, Json]] = field(default_factory=dict[str, tuple[int, Json]])
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, name: str, args: Mapping[str, Any], siblings: Sequence[str]) -> Json:
        """Answer one call as the JSON that the model reads. `siblings` are all tool names of the same model message."""
        async with self._one_at_a_time:
            signature = _signature(name, args)
            count, earlier = self._seen.get(signature, (0, {}))
            if count:
                return self._repeat(signature, count, earlier)
            services = self.turn.services
            with services.tracing.tool(name if name in services.tools else "unknown", agent=self.agent) as told:
                answer = await self._answer(name, args, siblings)
                told(answer)
            self._seen[signature] = (1, answer)
            return answer

    def _repeat(self, signature: str, count: int, earlier: Json) -> Json:
        """The same call again is answered from memory; after the limit the specialist's loop ends."""
        self._seen[signature] = (count + 1, earlier)
        if count >= self.turn.services.limits.identical_tool_calls:
            self.exhausted = True
        return {**earlier, "note": "Same call as before, same answer. Use it, or ask the customer."}

    async def _answer(self, name: str, args: Mapping[str, Any], siblings: Sequence[str]) -> Json:
        tool = self.turn.services.tools.get(name)
        denied = self._deny(name, tool)
        if tool is None or denied is not None:
            if denied is not None and denied.code == "waiting" and self.turn.queue_item is not None:
                await self.turn.desk.add(self.turn.queue_item, "\n".join(self.this_turn))
            because = say(f"writes.denied_{denied.code if denied else 'not_owned'}", self.language)
            return self._record(
                name, args, _refused("not_owned" if tool is None else denied.code if denied else "", because)
            )
        try:
            parsed = tool.args.model_validate(dict(args))
        except ValidationError as error:
            return self._record(name, args, _refused("invalid_arguments", _explain(error)))
        if not_grounded := self._ground(tool, parsed):
            return self._record(name, args, not_grounded)
        context = self.context()
        if tool.kind == "WRITE":
            return await self._write(tool, parsed, context, siblings)
        outcome = await (self._prove(tool, parsed, context) if name == TOOL else tool.run(parsed, context))
        if isinstance(outcome.signal, NotMine) and (listed := self._unknown_reason(outcome.signal)):
            return self._record(name, args, _refused("unknown_reason", listed))
        return self._record(name, args, outcome)

    def _unknown_reason(self, declared: NotMine) -> str | None:
        """A reason that the table does not know is answered once with the list; the second time it is taken as it is."""
        found = resolve(declared.reason, self.turn.services.reasons, current=self.agent)
        if not isinstance(found, Unknown) or self.reason_retried:
            return None
        self.reason_retried = True
        return "; ".join(found.valid)

    async def _prove(self, tool: Tool, parsed: Args, context: ToolContext) -> Outcome:
        """After so many wrong tries a person looks: data cannot be guessed here, nor in another conversation."""
        order = str(parsed.model_dump()["order"])
        if await may_try(self.turn, order):
            outcome = await tool.run(parsed, context)
            await tried(self.turn, order, audit=outcome.audit)
            return outcome
        item = await self.turn.desk.call_person(
            f"{self.turn.contact_id}:identity", reason="identity", note="identity not proved"
        )
        return _refused("too_many_tries", say("limits.refused_twice", self.language, protocol=item.protocol))

    def _deny(self, name: str, tool: Tool | None) -> Denied | None:
        if tool is None:
            return None
        verdict = may_use(
            self.grants, name, kind=tool.kind, required_identity=tool.identity, customer=self.customer,
            waiting=self.waiting, while_waiting=tool.while_waiting,
        )  # fmt: skip
        return verdict if isinstance(verdict, Denied) else None

    def _ground(self, tool: Tool, parsed: Args) -> Outcome | None:
        verdict = check_grounding(
            parsed.model_dump(exclude_none=True), identifiers=tool.identifiers, from_customer=tool.from_customer,
            facts=self.facts, words=self.words, listings=self.listings, reading=tool.kind == "READ",
        )  # fmt: skip
        if not isinstance(verdict, NotGrounded):
            return None
        if self.ungrounded:
            self.question = say("limits.ask_value", self.language, what=_named(verdict.argument, self.language))
        self.ungrounded = True
        what = str(verdict.value if verdict.because != "not_in_words" else verdict.argument)
        return _refused("not_grounded", say("limits.not_grounded", self.language, what=what))

    async def _write(self, tool: Tool, parsed: Args, context: ToolContext, siblings: Sequence[str]) -> Json:
        args = parsed.model_dump(mode="json", exclude_none=True)
        tools = self.turn.services.tools
        if "not_mine" in siblings:
            return self._record(
                tool.name, args, _refused("write_beside_not_mine", say("limits.write_beside_not_mine", self.language))
            )
        acted = any(w.status in ("ok", "proposed") for w in self.written)
        if acted and sum(1 for s in siblings if s in tools and tools[s].kind == "WRITE") > 1:
            return self._record(
                tool.name, args, _refused("one_write", say("limits.one_write_at_a_time", self.language))
            )
        road = WriteRoad(turn=self.turn, agent=self.agent, posture=self.grants.posture, language=self.language)
        written = await road.ask(tool, parsed, context, this_turn=self.this_turn)
        if self._disputed(tool.name, args, written):
            written = replace(written, outcome=await self._reviewed(tool.name, args))
        self.written.append(written)
        return self._record(tool.name, args, written.outcome, written=written)

    def _disputed(self, name: str, args: Json, written: Written) -> bool:
        """Tell whether the shop's rules refuse for the second time what they refused in this contact before."""
        refusal = written.outcome.refusal
        if written.status != "refused" or refusal is None or refusal.code in _TECHNICAL:
            return False
        return {"tool": name, "code": refusal.code, "order": args.get("order")} in self.refused_before

    async def _reviewed(self, name: str, args: Json) -> Outcome:
        """Never the same refusal twice: a person looks at it."""
        key = f"review:{self.turn.contact_id}:{name}:{args.get('order')}"
        item = await self.turn.desk.call_person(key, reason="review", kind="review", note=f"{name} {args.get('order')}")
        return _refused("refused_twice", say("limits.refused_twice", self.language, protocol=item.protocol))

    def context(self, effect_key: str | None = None) -> ToolContext:
        services = self.turn.services
        return ToolContext(
            customer=self.customer, shop=services.shop, desk=self.turn.desk, memory=self.turn.memory,
            now=self.turn.now, zone=services.zone, language=self.language, facts=self.facts, words=self.words,
            reasons=tuple((r, s) for r, s in services.reasons.for_agent(self.agent)), effect_key=effect_key,
        )  # fmt: skip

    def _record(self, name: str, args: Mapping[str, Any], outcome: Outcome, written: Written | None = None) -> Json:
        """Keep the outcome for the trail, learn its facts, and return what the model may read of it."""
        status = written.status if written else outcome.status
        self.learn(name, outcome)
        record = {
            "name": name, "args": dict(args), "outcome": status, "by": "model", "agent": self.agent,
            "because": outcome.refusal.code if outcome.refusal else None,
            "receipt": outcome.receipt.model_dump(mode="json") if outcome.receipt else None,
            "says": outcome.says, "data": outcome.data, "effect_id": written.effect_id if written else None,
            "audit": outcome.audit,
            "told": f"{outcome.refusal.because} {outcome.refusal.next}".strip() if outcome.refusal else None,
        }  # fmt: skip
        self.records.append(record)
        self.emit(record)
        return _readable(status, outcome, written)

    def learn(self, name: str, outcome: Outcome) -> None:
        """Take in an outcome: its signal, its listing and its facts."""
        match outcome.signal:
            case NotMine():
                self.declared.append(outcome.signal)
            case Suspicion():
                self.suspicions.append(outcome.signal)
            case Proof():
                self.proofs.append(outcome.signal)
                if self.customer.level == "none":
                    self.customer = self.customer.model_copy(update={"level": "matched"})
            case None:
                pass
        if listing := _listing(outcome.data):
            self.listings.append(listing)
        if outcome.facts:
            learned = learn(
                self.facts, outcome.facts, source=f"tool:{name}", at=self.turn.now, turn=self.turn.number,
                new_id=lambda: self.turn.services.new_id("f"),
            )  # fmt: skip
            self.facts = learned.facts
            self.added.extend(learned.added)
            self.updated.extend(learned.updated)
            self.replaced.extend(learned.replaced)


def _refused(code: str, because: str) -> Outcome:
    return Outcome(status="refused", refusal=Refusal(code=code, because=because, next=""))


def _readable(status: str, outcome: Outcome, written: Written | None) -> Json:
    answer: Json = {"status": status, "data": outcome.data}
    if outcome.refusal:
        answer |= {"code": outcome.refusal.code, "because": outcome.refusal.because, "next": outcome.refusal.next}
    if outcome.receipt:
        answer["receipt"] = outcome.receipt.model_dump(mode="json", exclude_none=True)
    if outcome.says:
        answer["says"] = outcome.says
    if written and written.summary:
        answer["summary"] = written.summary
    return answer


def _listing(data: Mapping[str, Any]) -> tuple[Candidate, ...]:
    orders = data.get("orders")
    if not isinstance(orders, list):
        return ()
    found = [o for o in orders if isinstance(o, dict) and "order" in o]
    return tuple(Candidate(id=str(o["order"]), labels=_labels(o.get("products", []))) for o in found)


def _labels(products: Any) -> tuple[str, ...]:
    """Return what a customer may call a product: its whole name, and each of its words that says something."""
    names = [str(p) for p in products] if isinstance(products, list) else []
    words = [w for name in names for w in re.findall(r"[^\W\d_]{4,}", name)]
    return (*names, *words)


def _signature(name: str, args: Mapping[str, Any]) -> str:
    """Equal for calls that mean the same: `" 123 "` is `"123"`, key order does not count."""
    flat = {k: v.strip().casefold() if isinstance(v, str) else v for k, v in args.items()}
    return name + json.dumps(flat, sort_keys=True, ensure_ascii=False, default=str)


def _named(argument: str, language: Language) -> str:
    """Return what a customer calls an argument."""
    known = ("order", "item", "street", "number", "city", "cep", "reason", "claimed_amount")
    return say(f"writes.arg_{argument if argument in known else 'other'}", language)


def _explain(error: ValidationError) -> str:
    parts = (f"{'.'.join(str(p) for p in e['loc']) or 'arguments'}: {e['msg']}" for e in error.errors()[:3])
    return "; ".join(parts)
