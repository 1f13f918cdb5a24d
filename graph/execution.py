"""Doing a WRITE that its rules allow: claim it, do it once, settle it. What cannot be known goes to a person."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from graph.ledger import Claimed, Doubtful, Repeated, Unfinished, receipt_of
from graph.services import TurnContext
from graph.settling import call_for, look_up
from routing.model import Language
from routing.pending import Proposal
from routing.ports import ShopUnavailable
from routing.sentences import say
from routing.shop import Receipt
from tools.contract import Args, Outcome, Plan, Tool, ToolContext

Json = dict[str, Any]
WriteStatus = Literal["ok", "refused", "failed", "proposed", "repeated"]
_ABSENT = "write_absent"


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
class Execution:
    """One act of one turn. `context` is the planning's: the effect's key is added here."""

    turn: TurnContext
    tool: Tool
    args: Args
    context: ToolContext
    language: Language

    async def earlier_run(self) -> Written | None:
        """A turn that died and runs again finds what it did: told as done, neither repeated nor refused as a repeat."""
        effect = await self.turn.ledger.of_this_turn(tool=self.tool.name, args=self._plain())
        if effect is None:
            return None
        found = await look_up(self.turn.services, effect.key)
        if isinstance(found, Receipt):
            return await self._settled(effect.id, effect.key, found)
        if effect.state == "done":
            return self._written("ok", Outcome(status="ok", receipt=receipt_of(effect)), effect.id)
        return await self._unknown(effect.id) if (effect.state, found) == ("sent", "silent") else None

    async def run(self, plan: Plan) -> Written:
        """Claim the act, do it once, settle it. Raises what `claim` raises when the turn is no longer ours."""
        outbox = self.turn.outbox
        outbox.writing = True
        try:
            return await self._run(plan)
        finally:
            outbox.writing = False

    async def _run(self, plan: Plan) -> Written:
        fresh = False
        match await self.turn.ledger.claim(tool=self.tool.name, args=self._plain(), act=plan.act):
            case Repeated(effect_id=effect_id, receipt=receipt, same_turn=same_turn):
                says = None if same_turn else self._already(receipt)
                outcome = Outcome(status="ok", receipt=receipt, says=says)
                return self._written("ok" if same_turn else "repeated", outcome, effect_id)
            case Doubtful(effect_id=effect_id):
                return await self._unknown(effect_id)
            case Unfinished(effect_id=effect_id, key=key):
                found = await look_up(self.turn.services, key)
                if isinstance(found, Receipt):
                    return await self._settled(effect_id, key, found)
                if found == "silent":
                    return await self._unknown(effect_id)
            case Claimed(effect_id=effect_id, key=key):
                fresh = True
        await self.turn.ledger.sent(effect_id)
        return await self._act(effect_id, key, fresh=fresh)

    async def _act(self, effect_id: str, key: str, *, fresh: bool) -> Written:
        """Do it. Where the shop says that nothing was written it is done once more, under the same key; never blindly."""
        outcome = await self._attempt(key)
        never_sent = fresh and outcome.status == "failed" and outcome.audit is None
        if outcome.audit == _ABSENT:
            outcome = await self._attempt(key)
        if outcome.status == "failed":
            return await self._fell_silent(effect_id, key, outcome, never_sent=never_sent)
        if outcome.status == "refused":
            await self.turn.ledger.settle(effect_id, state="refused")
            return self._written("refused", outcome, effect_id)
        return await self._done(effect_id, outcome)

    async def _fell_silent(self, effect_id: str, key: str, outcome: Outcome, *, never_sent: bool) -> Written:
        found = await look_up(self.turn.services, key)
        if isinstance(found, Receipt):
            return await self._settled(effect_id, key, found)
        if never_sent:  # it failed while reading, before anything was on its way
            await self.turn.ledger.settle(effect_id, state="refused")
            return self._written("failed", outcome, effect_id)
        return await self._unknown(effect_id)

    async def _attempt(self, key: str) -> Outcome:
        try:
            return await self.tool.run(self.args, replace(self.context, effect_key=key))
        except ShopUnavailable:
            return Outcome(status="failed", says=say("writes.shop_down", self.language))

    async def _settled(self, effect_id: str, key: str, receipt: Receipt) -> Written:
        """It is there already: the tool finds it under its key, and tells its sentence and its facts as on the first day."""
        outcome = await self._attempt(key)
        same = outcome.status == "ok" and outcome.receipt is not None and outcome.receipt.protocol == receipt.protocol
        return await self._done(effect_id, outcome if same else Outcome(status="ok", receipt=receipt))

    async def _done(self, effect_id: str, outcome: Outcome) -> Written:
        await self.turn.ledger.settle(effect_id, state="done", receipt=outcome.receipt)
        if outcome.says:
            self.turn.outbox.told[effect_id] = outcome.says
        return self._written("ok", outcome, effect_id)

    async def _unknown(self, effect_id: str) -> Written:
        """It may or may not have happened: never repeated blindly, a person looks."""
        await self.turn.ledger.settle(effect_id, state="unknown")
        item = await call_for(self.turn.desk, effect_id, tool=self.tool.name)
        says = say("limits.effect_unknown", self.language, protocol=item.protocol)
        outcome = Outcome(status="failed", data={"protocol": item.protocol}, says=says)
        return self._written("failed", outcome, effect_id, operator_item=item.protocol)

    def _written(
        self, status: WriteStatus, outcome: Outcome, effect_id: str, *, operator_item: str | None = None
    ) -> Written:
        return Written(
            status=status, outcome=outcome, tool=self.tool.name, effect_id=effect_id, operator_item=operator_item
        )

    def _plain(self) -> Json:
        return self.args.model_dump(mode="json", exclude_none=True)

    def _already(self, receipt: Receipt | None) -> str:
        return say("writes.already_done", self.language, protocol=receipt.protocol if receipt else "")
