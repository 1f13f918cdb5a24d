"""Where it goes, and what went wrong on the way."""

from typing import Literal

from routing.sentences import say
from routing.shop import Address, Order, Receipt
from routing.text import fold
from tools.ceps import cep_digits, state_of
from tools.contract import Args, Outcome, Plan, Refusal, Tool, ToolContext
from tools.keys import DAY, FactKey, Keys, draft
from tools.ownership import own_order
from tools.refusing import answering, refuse, refused
from tools.windows import before_shipping, is_late, last_day
from tools.wording import address_text, day, local_day, status_text
from tools.writing import REQUEST_KEYS, done, earlier, requests_of, still_open, write

ADDRESS_KEYS: Keys = {**REQUEST_KEYS, "address": FactKey("order", DAY)}
_NO_COMPLEMENT = ("", "sem complemento", "nenhum", "none")
TicketKind = Literal["not_received", "wrong_item", "missing_item", "damaged", "delayed"]


class UpdateAddress(Args):
    order: str
    street: str | None = None
    number: str | None = None
    city: str | None = None
    cep: str | None = None
    complement: str | None = None
    district: str | None = None
    state: str | None = None


class OpenDeliveryTicket(Args):
    order: str
    kind: TicketKind


async def plan_update_address(args: UpdateAddress, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `update_address`."""
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return order
    address = new_address(args, order, ctx)
    if isinstance(address, Refusal):
        return address
    text = address_text(address)
    return Plan(
        summary=say("tools.plan_address", ctx.language, order=order.id, address=text),
        act=("address", order.id, fold(text), str(order.version)),
        basis={f"order:{order.id}": str(order.version)},
    )


@answering
async def update_address(args: UpdateAddress, ctx: ToolContext) -> Outcome:
    """Change the delivery address of an order that has not been shipped. The customer confirms before it happens.

    Give only the parts that the customer gave: a correction of the number alone is enough, the rest stays as it is on
    record. A new street needs its number and its CEP (8 digits); a new city needs its CEP. Never complete an address
    yourself.
    """
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return refused(order)
    if (receipt := await earlier(ctx)) is not None:
        return _changed(receipt, order, order.address, ctx)
    address = new_address(args, order, ctx)
    if isinstance(address, Refusal):
        return refused(address)
    return await write(
        lambda key: ctx.shop.update_address(key, order_id=order.id, address=address, version=order.version),
        ctx,
        told=lambda receipt: _changed(receipt, order, address, ctx),
    )


async def plan_delivery_ticket(args: OpenDeliveryTicket, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `open_delivery_ticket`."""
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return order
    return await _judged(args, order, ctx)


@answering
async def open_delivery_ticket(args: OpenDeliveryTicket, ctx: ToolContext) -> Outcome:
    """Open a ticket with the carrier or the warehouse about a delivery.

    `kind`: "delayed" (past its date and still on its way), "not_received" (marked as delivered and not there),
    "wrong_item", "missing_item", "damaged" (after delivery).
    """
    order = await own_order(args.order, ctx, required="session")
    if isinstance(order, Refusal):
        return refused(order)
    if (receipt := await earlier(ctx)) is not None:
        return _opened(args, receipt, order, ctx)
    if isinstance(judged := await _judged(args, order, ctx), Refusal):
        return refused(judged)
    return await write(
        lambda key: ctx.shop.open_request(key, order_id=order.id, kind=args.kind),
        ctx,
        told=lambda receipt: _opened(args, receipt, order, ctx),
    )


def new_address(args: UpdateAddress, order: Order, ctx: ToolContext) -> Address | Refusal:
    """Merge the given parts with what is on record into a complete address, or say what is missing or wrong."""
    if not before_shipping(order):
        code = "address_cancelled" if order.status == "cancelled" else "address_too_late"
        return refuse(code, ctx, order=order.id, status=status_text("order", order.status, ctx.language))
    if (missing := _missing(args, order.address)) is not None:
        return refuse(missing, ctx, order=order.id)
    cep = cep_digits(args.cep or order.address.cep)
    if cep is None:
        return refuse("cep_invalid", ctx)
    state = state_of(cep)
    if args.state and fold(args.state) != fold(state or ""):
        return refuse("cep_other_state", ctx, cep=args.cep or order.address.cep, state=state)
    address = _merged(args, order.address, cep, state or order.address.state)
    if fold(address_text(address)) == fold(address_text(order.address)):
        return refuse("address_same", ctx, order=order.id, address=address_text(address))
    return address


def _missing(args: UpdateAddress, current: Address) -> str | None:
    """Return the refusal code of a change that the address on record cannot complete."""
    given = args.model_dump(exclude={"order"}, exclude_none=True)
    if not given:
        return "address_empty"
    if _new(args.street, current.street) and not (args.number and args.cep):
        return "address_incomplete"
    if _new(args.city, current.city) and not (args.cep and args.street):
        return "address_incomplete"
    if args.cep and (digits := cep_digits(args.cep)) and not args.city:
        # A CEP of another state belongs to another city, which the record cannot know.
        known = cep_digits(current.cep)
        if known and state_of(digits) != state_of(known):
            return "address_incomplete"
    return None


def _merged(args: UpdateAddress, current: Address, cep: str, state: str) -> Address:
    # Complement and district belong to the street that they were given with.
    moved = _new(args.street, current.street) or _new(args.city, current.city)
    complement = args.complement if args.complement is not None else (None if moved else current.complement)
    return Address(
        street=args.street or current.street,
        number=args.number or current.number,
        complement=None if complement is None or fold(complement) in _NO_COMPLEMENT else complement,
        district=args.district or (None if moved else current.district),
        city=args.city or current.city,
        state=state,
        cep=cep,
    )


def _new(given: str | None, current: str) -> bool:
    return bool(given) and fold(given or "") != fold(current)


async def _judged(args: OpenDeliveryTicket, order: Order, ctx: ToolContext) -> Plan | Refusal:
    past = [r for r in await requests_of(order.id, ctx) if r.kind == args.kind]
    for request in past:
        if still_open(request):
            return refuse("ticket_already_open", ctx, kind=_kind(args.kind, ctx), protocol=request.protocol)
    if (refusal := _contradicted(args.kind, order, ctx)) is not None:
        return refusal
    return Plan(
        summary=say("tools.plan_ticket", ctx.language, kind=_kind(args.kind, ctx), order=order.id),
        act=("ticket", order.id, args.kind, str(len(past))),
        basis={f"order:{order.id}": str(order.version)},
    )


def _contradicted(kind: TicketKind, order: Order, ctx: ToolContext) -> Refusal | None:
    """Refuse a ticket that the delivery's data contradict."""
    status = status_text("order", order.status, ctx.language)
    if order.status in ("cancelled", "awaiting_payment"):
        return refuse("nothing_on_its_way", ctx, order=order.id, status=status)
    delivered = order.status in ("delivered", "returned")
    today = local_day(ctx.now, ctx.zone)
    if kind in ("delayed", "not_received") and not delivered:
        if is_late(order, today):
            return None
        estimate = day(order.delivery.estimate, ctx.language) if order.delivery.estimate else "-"
        return refuse("not_late", ctx, order=order.id, status=status, estimate=estimate)
    if kind == "delayed":
        return refuse("delivered_not_delayed", ctx, order=order.id)
    if not delivered:
        return refuse("not_delivered_yet", ctx, order=order.id, status=status)
    last = last_day(order, "defect", ctx.zone)
    if last and today > last:
        return refuse("complaint_late", ctx, order=order.id, last=day(last, ctx.language))
    return None


def _kind(kind: str, ctx: ToolContext) -> str:
    return status_text("kind", kind, ctx.language)


def _changed(receipt: Receipt, order: Order, address: Address, ctx: ToolContext) -> Outcome:
    text = address_text(address)
    says = say("tools.done_address", ctx.language, order=order.id, address=text, protocol=receipt.protocol)
    stored = draft(ADDRESS_KEYS, "address", entity=order.id, value=text)
    return done(receipt, order=order.id, says=says, facts=(stored,), address=text)


def _opened(args: OpenDeliveryTicket, receipt: Receipt, order: Order, ctx: ToolContext) -> Outcome:
    kind = _kind(args.kind, ctx)
    says = say("tools.done_ticket", ctx.language, kind=kind, order=order.id, protocol=receipt.protocol)
    return done(receipt, order=order.id, says=says, kind=args.kind)


TOOLS = (
    Tool(
        name="update_address",
        kind="WRITE",
        args=UpdateAddress,
        run=update_address,
        plan=plan_update_address,
        confirm="customer",
        identity="session",
        identifiers=("order", "cep"),
        from_customer=("street", "number", "city", "complement", "district"),
    ),
    Tool(
        name="open_delivery_ticket",
        kind="WRITE",
        args=OpenDeliveryTicket,
        run=open_delivery_ticket,
        plan=plan_delivery_ticket,
        confirm="explicit",
        identity="session",
        identifiers=("order",),
    ),
)
FACTS: dict[str, Keys] = {"update_address": ADDRESS_KEYS, "open_delivery_ticket": REQUEST_KEYS}
