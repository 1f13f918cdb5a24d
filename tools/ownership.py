"""Whose order is it, and how sure are we who asks: the one place where both are decided."""

import re

from routing.model import IdentityLevel, identity_reaches
from routing.shop import Order
from tools.contract import Refusal, ToolContext
from tools.refusing import refuse

MATCHED_KEY = "identity_matched"


def order_number(text: str) -> str:
    """Reduce what was typed ("#10405", " pedido 10405 ") to the order's id."""
    stripped = re.sub(r"(?i)^\s*(?:pedido|order|n[º°o.]*)*[\s#:nº°.-]*", "", text).strip()
    return stripped or text.strip()


def check_identity(required: IdentityLevel, ctx: ToolContext) -> Refusal | None:
    """Refuse if the customer has not proved enough; say how it can be proved."""
    if identity_reaches(ctx.customer.level, required):
        return None
    return refuse("identity_needed" if required == "matched" else "login_needed", ctx)


def proved(order_id: str, ctx: ToolContext) -> bool:
    """Tell whether this visitor proved to own this order (`verify_identity`)."""
    return any(
        fact.key == MATCHED_KEY and fact.entity == f"order:{order_id}" and fact.source == "tool:verify_identity"
        for fact in ctx.facts
        if fact.status == "confirmed"
    )


async def own_order(typed: str, ctx: ToolContext, *, required: IdentityLevel) -> Order | Refusal:
    """Read an order that this customer may see; another's and an unknown one give the same refusal."""
    if (refusal := check_identity(required, ctx)) is not None:
        return refusal
    order = await ctx.shop.order(order_number(typed))
    if order is None:
        return refuse("order_not_found", ctx)
    owner = ctx.customer.id is not None and order.customer_id == ctx.customer.id
    if owner or (required != "session" and proved(order.id, ctx)):
        return order
    return refuse("order_not_found", ctx, audit="foreign_order")
