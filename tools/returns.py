"""Giving back, exchanging, cancelling."""

from typing import Literal

from routing.sentences import say
from routing.shop import Item, Order, Receipt
from routing.text import fold
from tools.contract import Args, Outcome, Plan, Refusal, Tool, ToolContext
from tools.keys import TEN_MINUTES, FactKey, Keys, draft
from tools.ownership import own_order
from tools.refusing import answering, refuse, refused
from tools.windows import DAYS, before_shipping, last_day, return_reason
from tools.wording import day, local_day, status_text
from tools.writing import REQUEST_KEYS, done, earlier, requests_of, write

CANCEL_KEYS: Keys = {**REQUEST_KEYS, "order_status": FactKey("order", TEN_MINUTES)}


class OpenReturnRequest(Args):
    order: str
    item: str
    kind: Literal["return", "exchange"]
    reason: str


class CancelOrder(Args):
    order: str


async def plan_return_request(args: OpenReturnRequest, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `open_return_request`."""
    found = await _found(args, ctx)
    return found if isinstance(found, Refusal) else await _judged(args, *found, ctx)


@answering
async def open_return_request(args: OpenReturnRequest, ctx: ToolContext) -> Outcome:
    """Open a return (money back) or an exchange of one item of a delivered order.

    `item` is the item's name or id in that order; `reason` is what the customer said about it, in their words: ask if they
    did not say. The rules decide whether the window is open (7 days of regret, 30 for an exchange, 90 for a defect).
    """
    found = await _found(args, ctx)
    if isinstance(found, Refusal):
        return refused(found)
    order, item = found
    if (receipt := await earlier(ctx)) is not None:
        return _opened(args, ctx, receipt, order, item)
    if isinstance(judged := await _judged(args, order, item, ctx), Refusal):
        return refused(judged)
    return await write(
        lambda key: ctx.shop.open_request(key, order_id=order.id, kind=args.kind, item_id=item.id, detail=args.reason),
        ctx,
        told=lambda receipt: _opened(args, ctx, receipt, order, item),
    )


async def plan_cancel_order(args: CancelOrder, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `cancel_order`."""
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return order
    if (refusal := await _not_cancellable(order, ctx)) is not None:
        return refusal
    return Plan(
        summary=say("tools.plan_cancel", ctx.language, order=order.id, items=_names(order)),
        act=("cancel", order.id),
        basis={f"order:{order.id}": str(order.version)},
    )


@answering
async def cancel_order(args: CancelOrder, ctx: ToolContext) -> Outcome:
    """Cancel a whole order that has not been shipped. The customer confirms before it happens."""
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return refused(order)
    if (receipt := await earlier(ctx)) is not None:
        return _cancelled(receipt, ctx, order.id)
    if (refusal := await _not_cancellable(order, ctx)) is not None:
        return refused(refusal)
    return await write(
        lambda key: ctx.shop.cancel_order(key, order_id=order.id, version=order.version),
        ctx,
        told=lambda receipt: _cancelled(receipt, ctx, order.id),
    )


async def _found(args: OpenReturnRequest, ctx: ToolContext) -> tuple[Order, Item] | Refusal:
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return order
    item = find_item(order, args.item)
    return (order, item) if item else refuse("which_item", ctx, order=order.id, items=_names(order))


async def _judged(args: OpenReturnRequest, order: Order, item: Item, ctx: ToolContext) -> Plan | Refusal:
    past = [r for r in await requests_of(order.id, ctx) if r.item_id == item.id and r.kind in ("return", "exchange")]
    for request in past:
        if request.status != "refused":
            kind = status_text("kind", request.kind, ctx.language)
            return refuse("already_requested", ctx, kind=kind, item=item.name, protocol=request.protocol)
    if (refusal := _outside_window(args, order, item, ctx)) is not None:
        return refusal
    return Plan(
        summary=say(f"tools.plan_{args.kind}", ctx.language, item=item.name, order=order.id, reason=args.reason),
        act=("return_request", order.id, item.id, str(len(past))),
        basis={f"order:{order.id}": str(order.version)},
    )


def _outside_window(args: OpenReturnRequest, order: Order, item: Item, ctx: ToolContext) -> Refusal | None:
    if order.status == "cancelled":
        return refuse("order_cancelled", ctx, order=order.id)
    if order.status == "returned":
        return refuse("already_returned", ctx, order=order.id)
    reason = return_reason(args.kind, args.reason)
    last = last_day(order, reason, ctx.zone)
    if order.status != "delivered" or last is None:
        code = "not_delivered_cancel" if before_shipping(order) else "not_delivered"
        return refuse(code, ctx, order=order.id, status=status_text("order", order.status, ctx.language))
    today = local_day(ctx.now, ctx.zone)
    if today <= last:
        return None
    if reason == "defect":
        return refuse("defect_late", ctx, item=item.name, days=DAYS[reason], last=day(last, ctx.language))
    exchange_last = last_day(order, "exchange", ctx.zone)
    if reason == "regret" and exchange_last and today <= exchange_last:
        until = day(exchange_last, ctx.language)
        return refuse("regret_late", ctx, days=DAYS[reason], last=day(last, ctx.language), until=until)
    return refuse(f"{reason}_closed", ctx, days=DAYS[reason], last=day(last, ctx.language))


def find_item(order: Order, asked: str) -> Item | None:
    """Find an item by id or name, exact before partial; None if none or several fit."""
    wanted = fold(asked).strip()
    for item in order.items:
        if wanted in (fold(item.id), fold(item.name)):
            return item
    words = {word for word in wanted.split() if len(word) > 2}
    fitting = [item for item in order.items if words and words & set(fold(item.name).split())]
    whole = [item for item in fitting if wanted in fold(item.name)]
    for candidates in (whole, fitting):
        if len(candidates) == 1:
            return candidates[0]
    return None


async def _not_cancellable(order: Order, ctx: ToolContext) -> Refusal | None:
    if order.status == "cancelled":
        done = [r.protocol for r in await requests_of(order.id, ctx) if r.kind == "cancellation"]
        if done:
            return refuse("already_cancelled_known", ctx, order=order.id, protocol=done[0])
        return refuse("already_cancelled", ctx, order=order.id)
    if order.status == "delivered":
        return refuse("cancel_delivered", ctx, order=order.id)
    if not before_shipping(order):
        status = status_text("order", order.status, ctx.language)
        return refuse("cancel_too_late", ctx, order=order.id, status=status)
    return None


def _opened(args: OpenReturnRequest, ctx: ToolContext, receipt: Receipt, order: Order, item: Item) -> Outcome:
    says = say(f"tools.done_{args.kind}", ctx.language, item=item.name, order=order.id, protocol=receipt.protocol)
    return done(receipt, order=order.id, says=says, kind=args.kind, item=item.name)


def _cancelled(receipt: Receipt, ctx: ToolContext, order: str) -> Outcome:
    status = draft(CANCEL_KEYS, "order_status", entity=order, value=status_text("order", "cancelled", "pt"))
    says = say("tools.done_cancel", ctx.language, order=order, protocol=receipt.protocol)
    return done(receipt, order=order, says=says, facts=(status,))


def _names(order: Order) -> str:
    return ", ".join(item.name for item in order.items)


TOOLS = (
    Tool(
        name="open_return_request",
        kind="WRITE",
        args=OpenReturnRequest,
        run=open_return_request,
        plan=plan_return_request,
        confirm="explicit",
        identity="session",
        identifiers=("order",),
        from_customer=("reason",),
    ),
    Tool(
        name="cancel_order",
        kind="WRITE",
        args=CancelOrder,
        run=cancel_order,
        plan=plan_cancel_order,
        confirm="customer",
        identity="session",
        identifiers=("order",),
    ),
)
FACTS: dict[str, Keys] = {"open_return_request": REQUEST_KEYS, "cancel_order": CANCEL_KEYS}
