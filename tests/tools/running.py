"""How tests call a tool: by name, as the graph does it."""

from dataclasses import replace
from typing import Any

from routing.facts import Fact
from routing.shop import Customer
from tests.tools.fake_shop import NOW, ZONE, FakeDesk, FakeMemory, FakeShop, customer
from tools.contract import Outcome, Plan, Refusal, ToolContext
from tools.registry import TOOLS


def context(shop: FakeShop | None = None, *, who: Customer | None = None, **more: Any) -> ToolContext:
    values: dict[str, Any] = {"desk": FakeDesk(), "memory": FakeMemory(), "now": NOW, "zone": ZONE, **more}
    return ToolContext(customer=who or customer(), shop=shop or FakeShop(), **values)


async def plan(name: str, ctx: ToolContext, **args: Any) -> Plan | Refusal:
    tool = TOOLS[name]
    assert tool.plan is not None
    return await tool.plan(tool.args(**args), ctx)


async def run(name: str, ctx: ToolContext, **args: Any) -> Outcome:
    """Run a tool; a WRITE runs under the key that its plan's act gives, as the ledger would have it."""
    tool = TOOLS[name]
    parsed = tool.args(**args)
    if tool.plan is not None and ctx.effect_key is None:
        planned = await tool.plan(parsed, ctx)
        key = ":".join(planned.act) if isinstance(planned, Plan) else "refused"
        ctx = replace(ctx, effect_key=key)
    return await tool.run(parsed, ctx)


async def refusal_code(name: str, ctx: ToolContext, **args: Any) -> str | None:
    """Return the code under which a tool refuses, or None if it does not."""
    outcome = await run(name, ctx, **args)
    return outcome.refusal.code if outcome.refusal else None


def proof(order_id: str) -> Fact:
    return Fact(
        id="f1",
        key="identity_matched",
        entity=f"order:{order_id}",
        value=order_id,
        source="tool:verify_identity",
        status="confirmed",
        at=NOW,
        turn=1,
    )
