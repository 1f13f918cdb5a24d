"""Money that was taken, is asked for, or comes back; and the papers about it."""

from typing import Literal

from routing.sentences import say
from routing.shop import Charge, Order, Receipt
from routing.values import cents
from tools.contract import Args, Outcome, Plan, Refusal, Tool, ToolContext
from tools.keys import HOUR, FactKey, Keys, draft
from tools.ownership import own_order
from tools.refusing import answering, refuse, refused
from tools.views import charges_taken, refund_state
from tools.wording import brl, day, local_day, status_text
from tools.writing import REQUEST_KEYS, done, earlier, requests_of, still_open, write

DOCUMENT_KEYS: Keys = {"document": FactKey("order", None), "document_due": FactKey("order", HOUR)}
TicketKind = Literal["duplicate_charge", "refund_status", "invoice", "wrong_amount", "boleto"]
_INVOICED = ("paid", "preparing", "in_transit", "delayed", "delivered", "returned")


class OpenBillingTicket(Args):
    order: str
    kind: TicketKind
    claimed_amount: str | None = None


class GetDocument(Args):
    order: str
    kind: Literal["invoice", "boleto", "pix_code"]


async def plan_billing_ticket(args: OpenBillingTicket, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `open_billing_ticket`."""
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return order
    return await _judged(args, order, ctx)


@answering
async def open_billing_ticket(args: OpenBillingTicket, ctx: ToolContext) -> Outcome:
    """Open a ticket with the finance team about one order.

    `kind`: "duplicate_charge" (only where the data show it charged twice), "refund_status" (a refund that is due and not
    there), "invoice" (missing or wrong), "wrong_amount", "boleto" (does not work). `claimed_amount` only if the customer
    named one ("R$ 189,90"); it is compared with the data. The ticket's own amount is computed, never given.
    """
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return refused(order)
    if (receipt := await earlier(ctx)) is not None:
        return _opened(args, receipt, order, ctx)
    if isinstance(judged := await _judged(args, order, ctx), Refusal):
        return refused(judged)
    values = {"amount": brl(amount)} if (amount := amount_in_question(args.kind, order)) else None
    return await write(
        lambda key: ctx.shop.open_request(
            key, order_id=order.id, kind=args.kind, detail=args.claimed_amount, values=values
        ),
        ctx,
        told=lambda receipt: _opened(args, receipt, order, ctx),
    )


@answering
async def get_document(args: GetDocument, ctx: ToolContext) -> Outcome:
    """Get the invoice (nota fiscal), a second copy of the boleto (with a new due date if overdue) or the Pix code.

    Pass its number or code on exactly as it comes.
    """
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return refused(order)
    if (refusal := _no_document(args.kind, order, ctx)) is not None:
        return refused(refusal)
    document = await ctx.shop.document(order.id, args.kind)
    if document is None:
        return refused(refuse("document_missing", ctx, kind=_document(args.kind, ctx), order=order.id))
    if document.due is not None and document.due < local_day(ctx.now, ctx.zone):
        return refused(refuse("document_lapsed", ctx, order=order.id, due=day(document.due, ctx.language)))
    facts = [draft(DOCUMENT_KEYS, "document", entity=order.id, value=f"{document.kind} {document.number}")]
    if document.due:
        facts.append(draft(DOCUMENT_KEYS, "document_due", entity=order.id, value=document.due.isoformat()))
    return Outcome(
        status="ok",
        data={
            "kind": document.kind,
            "kind_text": _document(args.kind, ctx),
            "order": order.id,
            "number": document.number,
            "content": document.content,
            "due": day(document.due, ctx.language) if document.due else None,
            "amount": brl(order.total),
            "amount_cents": order.total,
        },
        facts=tuple(facts),
    )


def charged_twice(order: Order) -> bool:
    """Tell whether the data show more than one paid charge and more money taken than the order costs."""
    paid = [charge for charge in order.charges if charge.status == "paid"]
    return len(paid) > 1 and sum(charge.amount for charge in paid) > order.total


def amount_in_question(kind: TicketKind, order: Order) -> int | None:
    """Compute a ticket's amount in centavos: what was taken too much, or what is to come back."""
    taken = sum(charge.amount for charge in order.charges if charge.status == "paid")
    if kind in ("duplicate_charge", "wrong_amount"):
        return max(taken - order.total, 0) or None
    if kind == "refund_status" and (refund := refund_state(order)):
        return refund.amount
    return None


async def _judged(args: OpenBillingTicket, order: Order, ctx: ToolContext) -> Plan | Refusal:
    kind = status_text("kind", args.kind, ctx.language)
    past = [r for r in await requests_of(order.id, ctx) if r.kind == args.kind]
    for request in past:
        if still_open(request):
            return refuse("ticket_already_open", ctx, kind=kind, protocol=request.protocol)
    if (refusal := _contradicted(args, order, ctx)) is not None:
        return refusal
    amount = amount_in_question(args.kind, order)
    key = "tools.plan_ticket_amount" if amount else "tools.plan_ticket"
    return Plan(
        summary=say(key, ctx.language, kind=kind, order=order.id, amount=brl(amount or 0)),
        act=("ticket", order.id, args.kind, ",".join(c.id for c in charges_taken(order)), str(len(past))),
        basis={f"order:{order.id}": str(order.version)},
    )


def _contradicted(args: OpenBillingTicket, order: Order, ctx: ToolContext) -> Refusal | None:
    """Refuse a ticket that the order's charges contradict."""
    claimed = cents(args.claimed_amount) if args.claimed_amount else None
    if args.claimed_amount and claimed is None:
        return refuse("amount_unreadable", ctx, amount=args.claimed_amount)
    match args.kind:
        case "duplicate_charge":
            return _no_duplicate(claimed, order, ctx)
        case "wrong_amount":
            return _right_amount(claimed, order, ctx)
        case "refund_status":
            return _no_refund(order, ctx)
        case "invoice":
            return _no_document("invoice", order, ctx)
        case "boleto":
            return _no_document("boleto", order, ctx)


def _no_duplicate(claimed: int | None, order: Order, ctx: ToolContext) -> Refusal | None:
    if not charged_twice(order):
        giving_back = len(charges_taken(order)) > 1 and refund_state(order)
        return _refund_told(giving_back, order, ctx) if giving_back else _as_recorded("no_duplicate", order, ctx)
    amounts = {charge.amount for charge in order.charges if charge.status == "paid"}
    excess = amount_in_question("duplicate_charge", order)
    if claimed is not None and claimed not in {*amounts, excess, sum(c.amount for c in charges_taken(order))}:
        return refuse("amount_differs", ctx, claimed=brl(claimed), charges=_charges(order, ctx))
    return None


def _right_amount(claimed: int | None, order: Order, ctx: ToolContext) -> Refusal | None:
    paid = sum(charge.amount for charge in order.charges if charge.status == "paid")
    if paid != order.total and paid > 0 and claimed in (None, paid):
        return None
    if claimed is not None and claimed != paid:
        return refuse("amount_differs", ctx, claimed=brl(claimed), charges=_charges(order, ctx))
    return _as_recorded("amount_right", order, ctx)


def _as_recorded(code: str, order: Order, ctx: ToolContext) -> Refusal:
    """Refuse with what the data show; without any charge there is nothing to compare."""
    if not charges_taken(order):
        return refuse("nothing_charged", ctx, order=order.id)
    return refuse(code, ctx, order=order.id, charges=_charges(order, ctx), total=brl(order.total))


def _no_refund(order: Order, ctx: ToolContext) -> Refusal | None:
    refund = refund_state(order)
    if refund is None and order.status not in ("returned", "cancelled"):
        return refuse("no_refund_due", ctx, order=order.id)
    if refund is not None and refund.status == "refunded":
        return _refund_told(refund, order, ctx)
    if refund is None and not charges_taken(order):
        return refuse("nothing_charged", ctx, order=order.id)
    return None


def _refund_told(refund: Charge, order: Order, ctx: ToolContext) -> Refusal:
    """Refuse because the money already went back, or is on its way."""
    code = "already_refunded" if refund.status == "refunded" else "refund_on_its_way"
    method = status_text("method", refund.method, ctx.language)
    on = day(local_day(refund.at, ctx.zone), ctx.language)
    return refuse(code, ctx, order=order.id, amount=brl(refund.amount), method=method, on=on)


def _no_document(kind: str, order: Order, ctx: ToolContext) -> Refusal | None:
    """Refuse a paper that this order cannot have."""
    status = status_text("order", order.status, ctx.language)
    if kind == "invoice":
        return None if order.status in _INVOICED else refuse("no_invoice_yet", ctx, order=order.id, status=status)
    method = "boleto" if kind == "boleto" else "pix"
    owed = [c for c in order.charges if c.method == method and c.status in ("pending", "overdue")]
    if owed and order.status == "awaiting_payment":
        return None
    methods = {status_text("method", charge.method, ctx.language) for charge in order.charges}
    return refuse(f"no_{kind}", ctx, order=order.id, status=status, methods=", ".join(sorted(methods)) or "-")


def _charges(order: Order, ctx: ToolContext) -> str:
    return " + ".join(_charge(charge, ctx) for charge in charges_taken(order))


def _charge(charge: Charge, ctx: ToolContext) -> str:
    method = status_text("method", charge.method, ctx.language)
    on = day(local_day(charge.at, ctx.zone), ctx.language)
    return say("tools.one_charge", ctx.language, amount=brl(charge.amount), method=method, on=on)


def _document(kind: str, ctx: ToolContext) -> str:
    return say(f"tools.document_{kind}", ctx.language)


def _opened(args: OpenBillingTicket, receipt: Receipt, order: Order, ctx: ToolContext) -> Outcome:
    kind = status_text("kind", args.kind, ctx.language)
    says = say("tools.done_ticket", ctx.language, kind=kind, order=order.id, protocol=receipt.protocol)
    return done(receipt, order=order.id, says=says, kind=args.kind)


TOOLS = (
    Tool(
        name="open_billing_ticket",
        kind="WRITE",
        args=OpenBillingTicket,
        run=open_billing_ticket,
        plan=plan_billing_ticket,
        confirm="explicit",
        identity="session",
        identifiers=("order", "claimed_amount"),
    ),
    Tool(
        name="get_document",
        kind="READ",
        args=GetDocument,
        run=get_document,
        identity="session",
        identifiers=("order",),
        while_waiting=True,
    ),
)
FACTS: dict[str, Keys] = {"open_billing_ticket": REQUEST_KEYS, "get_document": DOCUMENT_KEYS}
