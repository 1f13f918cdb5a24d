"""The road of a WRITE: plan, confirmation, then its execution (graph/execution.py). Never on a model's word alone."""

from dataclasses import dataclass
from typing import Any

from graph.execution import Execution, Written
from graph.services import TurnContext
from routing.authority import Posture
from routing.confirmation import decide_confirmation, digest, propose, rejected_before
from routing.model import Language
from routing.own_request import inferred_arguments, is_own_request
from routing.pending import Proposal
from routing.ports import ShopUnavailable
from routing.sentences import say
from tools.contract import Args, Confirm, Outcome, Plan, Refusal, Tool, ToolContext
from tools.refusing import refused

__all__ = ["WriteRoad", "Written"]

Json = dict[str, Any]


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
        execution = self._execution(tool, args, context)
        if (earlier := await execution.earlier_run()) is not None:
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
                return await execution.run(plan)
            case "ask_customer":
                return self._propose(tool, plain, plan)
            case "operator":
                return await self.to_operator(tool, plain, plan.summary, plan.basis)
            case "refuse":
                return self.refused(tool, "posture", say("writes.not_granted", self.language))

    async def confirmed(self, tool: Tool, args: Args, context: ToolContext, proposal: Proposal) -> Written:
        """Execute what the customer just confirmed, if the rules still allow exactly that. `basis` decides "exactly"."""
        execution = self._execution(tool, args, context)
        if (earlier := await execution.earlier_run()) is not None:
            return earlier
        plan = await self._plan(tool, args, context)
        if isinstance(plan, Written):
            return plan
        if plan.basis != proposal.basis:
            return self.refused(tool, "changed", say("writes.changed", self.language, summary=proposal.summary))
        return await execution.run(plan)

    def _execution(self, tool: Tool, args: Args, context: ToolContext) -> Execution:
        return Execution(turn=self.turn, tool=tool, args=args, context=context, language=self.language)

    async def _plan(self, tool: Tool, args: Args, context: ToolContext) -> Plan | Written:
        assert tool.plan is not None
        try:
            plan = await tool.plan(args, context)
        except ShopUnavailable:
            silent = Outcome(status="failed", says=say("writes.shop_down", self.language))
            return Written(status="failed", outcome=silent, tool=tool.name)
        if isinstance(plan, Refusal):
            return Written(status="refused", outcome=refused(plan), tool=tool.name)
        return plan

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

    def refused(self, tool: Tool, code: str, because: str) -> Written:
        refusal = Refusal(code=code, because=because, next="")
        return Written(status="refused", outcome=Outcome(status="refused", refusal=refusal), tool=tool.name)
