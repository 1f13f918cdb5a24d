"""The road of a WRITE: plan, confirmation, claim, execution, settlement. Once per act, and never on a model's word alone."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from graph.ledger import Claimed, Doubtful, Repeated, Unfinished, receipt_of
from graph.services import TurnContext
from routing.authority import Posture
from routing.confirmation import decide_confirmation, digest, propose, rejected_before
from routing.model import Language
from routing.own_request import inferred_arguments, is_own_request
from routing.pending import Proposal
from routing.ports import ShopUnavailable
from routing.sentences import say
from tools.contract import Args, Confirm, Outcome, Plan, Refusal, Tool, ToolContext

Json = dict[str, Any]
WriteStatus = Literal["ok", "refused", "failed", "proposed", "repeated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of a WRITE. `proposal` waits for the customer; `operator_item` for a person."""

    status: WriteStatus
    outcome: Outcome
    tool: str
    effect_id: str | None = None
    summary: str | None = None
    proposal: Proposal | None = None
    operator_item: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRoad:
    """Takes one WRITE of one specialist from request to receipt."""

    turn: TurnContext
    agent: str
    posture: Posture
    language: Language

    async def ask(self, tool: Tool, args: Args, context: ToolContext, *, this_turn: tuple[str, ...]) -> Written:
        """Follow the rules of the tool and of the posture: execute, propose, pass to an operator, or refuse."""
        assert tool.plan is not None
        plain = args.model_dump(mode="json", exclude_none=True)
        if not is_own_request(this_turn) and rejected_before(tool.name, plain, rejected=self.turn.rejected):
            return self.refused(tool, "rejected_before", say("limits.rejected_again", self.language))
        if (earlier := await self._earlier_run(tool, plain)) is not None:
            return earlier
        plan = await self._plan(tool, args, context)
        if isinstance(plan, Written):
            return plan
        inferred = inferred_arguments(plain, identifiers=tool.identifiers, facts=context.facts, words=context.words)
        how = decide_confirmation(
            self._confirm(tool), self.posture, own_request=is_own_request(this_turn), arguments_inferred=bool(inferred)
        )
        match how:
            case "execute":
                return await self.execute(tool, args, plan, context)
            case "ask_customer":
                return self._propose(tool, plain, plan)
            case "operator":
                return await self.to_operator(tool, plain, plan.summary, plan.basis)
            case "refuse":
                return self.refused(tool, "posture", say("writes.not_granted", self.language))

    async def confirmed(self, tool: Tool, args: Args, context: ToolContext, proposal: Proposal) -> Written:
        """Execute what the customer just confirmed, if the rules still allow exactly that. `basis` decides "exactly"."""
        if (earlier := await self._earlier_run(tool, args.model_dump(mode="json", exclude_none=True))) is not None:
            return earlier
        plan = await self._plan(tool, args, context)
        if isinstance(plan, Written):
            return plan
        if plan.basis != proposal.basis:
            return self.refused(tool, "changed", say("writes.changed", self.language, summary=proposal.summary))
        return await self.execute(tool, args, plan, context)

    async def execute(self, tool: Tool, args: Args, plan: Plan, context: ToolContext) -> Written:
        """Claim the effect, do it once, settle it. Raises what `claim` raises when the turn is no longer ours."""
        plain = args.model_dump(mode="json", exclude_none=True)
        claim = await self.turn.ledger.claim(tool=tool.name, args=plain, act=plan.act)
        match claim:
            case Repeated(effect_id=effect_id, receipt=receipt, same_turn=same_turn):
                outcome = Outcome(status="ok", receipt=receipt, says=None if same_turn else self._already(receipt))
                return Written(
                    status="ok" if same_turn else "repeated", outcome=outcome, tool=tool.name, effect_id=effect_id
                )
            case Doubtful(effect_id=effect_id):
                return await self._unknown(tool, effect_id)
            case Unfinished(effect_id=effect_id, key=key):
                if (found := await self._look_up(key)) == "unavailable":
                    return await self._unknown(tool, effect_id)
                if found is not None and not isinstance(found, str):
                    await self.turn.ledger.settle(effect_id, state="done", receipt=found)
                    return Written(
                        status="ok", outcome=Outcome(status="ok", receipt=found), tool=tool.name, effect_id=effect_id
                    )
            case Claimed(effect_id=effect_id, key=key):
                pass
        return await self._do(tool, args, replace(context, effect_key=key), effect_id, key)

    async def _earlier_run(self, tool: Tool, args: Json) -> Written | None:
        """A turn that died and runs again finds what it did: told as done, neither repeated nor refused as a repeat."""
        effect = await self.turn.ledger.of_this_turn(tool=tool.name, args=args)
        if effect is None:
            return None
        receipt = receipt_of(effect)
        if effect.state != "done":
            found = await self._look_up(effect.key)
            if found is None or isinstance(found, str):
                return None
            receipt = found
            await self.turn.ledger.settle(effect.id, state="done", receipt=receipt)
        return Written(status="ok", outcome=Outcome(status="ok", receipt=receipt), tool=tool.name, effect_id=effect.id)

    async def _plan(self, tool: Tool, args: Args, context: ToolContext) -> Plan | Written:
        assert tool.plan is not None
        try:
            plan = await tool.plan(args, context)
        except ShopUnavailable:
            return Written(status="failed", outcome=self._shop_down(), tool=tool.name)
        if isinstance(plan, Refusal):
            return Written(status="refused", outcome=Outcome(status="refused", refusal=plan), tool=tool.name)
        return plan

    async def _do(self, tool: Tool, args: Args, context: ToolContext, effect_id: str, key: str) -> Written:
        await self.turn.ledger.sent(effect_id)
        self.turn.outbox.writing = True
        try:
            return await self._done(tool, args, context, effect_id, key)
        finally:
            self.turn.outbox.writing = False

    async def _done(self, tool: Tool, args: Args, context: ToolContext, effect_id: str, key: str) -> Written:
        try:
            outcome = await tool.run(args, context)
        except ShopUnavailable:
            outcome = self._shop_down()
        if outcome.status == "failed":
            found = await self._look_up(key)
            if found is None or isinstance(found, str):
                return await self._unknown(tool, effect_id)
            outcome = Outcome(status="ok", receipt=found)
        if outcome.status == "refused":
            await self.turn.ledger.settle(effect_id, state="refused")
            return Written(status="refused", outcome=outcome, tool=tool.name, effect_id=effect_id)
        await self.turn.ledger.settle(effect_id, state="done", receipt=outcome.receipt)
        return Written(status="ok", outcome=outcome, tool=tool.name, effect_id=effect_id)

    async def _look_up(self, key: str) -> Any:
        """The receipt under the key, None where there is none, "unavailable" where nobody can say."""
        try:
            return await self.turn.services.shop.find_effect(key)
        except ShopUnavailable:
            return "unavailable"

    async def _unknown(self, tool: Tool, effect_id: str) -> Written:
        """It may or may not have happened: never repeated blindly, a person looks."""
        await self.turn.ledger.settle(effect_id, state="unknown")
        item = await self.turn.desk.call_person(f"unknown:{effect_id}", reason="effect_unknown", note=tool.name)
        outcome = Outcome(
            status="failed", data={"protocol": item.protocol},
            says=say("limits.effect_unknown", self.language, protocol=item.protocol),
        )  # fmt: skip
        return Written(
            status="failed", outcome=outcome, tool=tool.name, effect_id=effect_id, operator_item=item.protocol
        )

    def _propose(self, tool: Tool, args: Json, plan: Plan) -> Written:
        services = self.turn.services
        proposal = propose(
            tool.name, args, id=services.new_id("pr"), summary=plan.summary, by=self.agent, now=self.turn.now,
            ttl_s=services.limits.proposal_minutes * 60, basis=plan.basis,
        )  # fmt: skip
        outcome = Outcome(status="ok", data={"summary": plan.summary})
        return Written(status="proposed", outcome=outcome, tool=tool.name, summary=plan.summary, proposal=proposal)

    async def to_operator(self, tool: Tool, args: Json, summary: str, basis: dict[str, str]) -> Written:
        """Pass an action to a person for approval instead of executing it."""
        item = await self.turn.desk.call_person(
            f"approve:{self.turn.thread_id}:{digest(tool.name, args)}", reason="approval", note=summary, kind="approval",
            proposal={"tool": tool.name, "args": args, "summary": summary, "basis": basis, "by": self.agent},
        )  # fmt: skip
        says = say("people.operator_review", self.language, summary=summary, protocol=item.protocol)
        outcome = Outcome(status="ok", data={"protocol": item.protocol, "summary": summary}, says=says)
        return Written(status="proposed", outcome=outcome, tool=tool.name, operator_item=item.protocol)

    def _confirm(self, tool: Tool) -> Confirm:
        return self.turn.services.confirm.get(tool.name, tool.confirm)

    def _already(self, receipt: Any) -> str:
        return say("writes.already_done", self.language, protocol=receipt.protocol if receipt else "")

    def _shop_down(self) -> Outcome:
        return Outcome(status="failed", says=say("writes.shop_down", self.language))

    def refused(self, tool: Tool, code: str, because: str) -> Written:
        refusal = Refusal(code=code, because=because, next="")
        return Written(status="refused", outcome=Outcome(status="refused", refusal=refusal), tool=tool.name)
