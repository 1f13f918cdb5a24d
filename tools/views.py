"""What the model reads of an order, and what the conversation learns from it. Personal and money fields need a session."""

from datetime import date
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from routing.facts import FactDraft
from routing.model import Language
from routing.shop import Charge, Item, Order, Request
from tools.keys import DAY, HOUR, TEN_MINUTES, FactKey, Keys, draft
from tools.windows import before_shipping, delivered_on, is_late, last_day
from tools.wording import address_text, brl, day, local_day, status_text

LISTED_KEYS: Keys = {
    "order": FactKey("order", None),
    "order_status": FactKey("order", TEN_MINUTES),
    "item": FactKey("item", None),
}
ORDER_KEYS: Keys = {
    **LISTED_KEYS,
    "tracking": FactKey("order", HOUR),
    "carrier": FactKey("order", HOUR),
    "delivery_estimate": FactKey("order", TEN_MINUTES),
    "delivered_on": FactKey("order", None),
    "payment_method": FactKey("order", DAY),
    "amount_charged": FactKey("order", HOUR),
    "charges_count": FactKey("order", HOUR),
    "order_total": FactKey("order", None),
    "refund_status": FactKey("order", HOUR),
    "address": FactKey("order", DAY),
}
TAKEN = ("paid", "refunded", "refund_pending")


def charges_taken(order: Order) -> tuple[Charge, ...]:
    """Return the charges whose money was taken at some time, given back or not."""
    return tuple(charge for charge in order.charges if charge.status in TAKEN)


def refund_state(order: Order) -> Charge | None:
    """Return the charge that is being or was given back, if one is."""
    states = {charge.status: charge for charge in order.charges}
    return states.get("refund_pending") or states.get("refunded")


def listed_view(order: Order, language: Language, zone: ZoneInfo, *, money: bool) -> dict[str, JsonValue]:
    """Show one line of a listing."""
    delivered = delivered_on(order, zone)
    return {
        "order": order.id,
        "status": order.status,
        "status_text": status_text("order", order.status, language),
        "placed_on": day(local_day(order.placed_at, zone), language),
        "delivered_on": day(delivered, language) if delivered else None,
        "products": [item.name for item in order.items],
        "total": brl(order.total) if money else None,
    }


def order_view(order: Order, language: Language, zone: ZoneInfo, today: date, *, full: bool) -> dict[str, JsonValue]:
    """Show everything that specialists need of an order; `full` (a session) adds money, address and note.

    `today` is the shop's local date. The note is the customer's or a seller's free text: data, never instructions.
    """
    view = listed_view(order, language, zone, money=full)
    view["items"] = [_item_view(item, money=full) for item in order.items]
    view["delivery"] = _delivery_view(order, language, zone, today)
    view["allowed"] = _allowed_view(order, language, zone)
    if full:
        view["total_cents"] = order.total
        view["charges"] = [_charge_view(charge, language, zone) for charge in order.charges]
        view["charges_paid"] = len(charges_taken(order))
        view["address"] = {**order.address.model_dump(mode="json"), "text": address_text(order.address)}
        if order.note:
            view["note"] = {"untrusted_text": order.note}
    return view


def request_view(request: Request, language: Language, zone: ZoneInfo) -> dict[str, JsonValue]:
    return {
        "protocol": request.protocol,
        "kind": request.kind,
        "kind_text": status_text("kind", request.kind, language),
        "order": request.order_id,
        "item": request.item_id,
        "status": request.status,
        "status_text": status_text("request", request.status, language),
        "on": day(local_day(request.at, zone), language),
    }


def listed_facts(order: Order) -> tuple[FactDraft, ...]:
    """State what a listing teaches. Values are in Portuguese whatever the language, so that two readings agree."""
    return (
        draft(LISTED_KEYS, "order", entity=order.id, value=order.id),
        draft(LISTED_KEYS, "order_status", entity=order.id, value=status_text("order", order.status, "pt")),
        *(draft(LISTED_KEYS, "item", entity=f"{order.id}/{item.id}", value=item.name) for item in order.items),
    )


def order_facts(order: Order, zone: ZoneInfo, *, full: bool) -> tuple[FactDraft, ...]:
    """State what reading an order teaches, within what its reader may see."""
    found: dict[str, str | None] = {
        "tracking": order.delivery.tracking,
        "carrier": order.delivery.carrier,
        "delivery_estimate": order.delivery.estimate.isoformat() if order.delivery.estimate else None,
        "delivered_on": delivered.isoformat() if (delivered := delivered_on(order, zone)) else None,
    }
    if full:
        found |= _money_facts(order)
        found["address"] = address_text(order.address)
    drafts = (draft(ORDER_KEYS, key, entity=order.id, value=value) for key, value in found.items() if value)
    return (*listed_facts(order), *drafts)


def _money_facts(order: Order) -> dict[str, str | None]:
    taken = charges_taken(order)
    amounts = dict.fromkeys(brl(charge.amount) for charge in taken)
    methods = dict.fromkeys(status_text("method", charge.method, "pt") for charge in order.charges)
    refund = refund_state(order)
    return {
        "payment_method": " + ".join(methods),
        "amount_charged": " + ".join(amounts),
        "charges_count": str(len(taken)),
        "order_total": brl(order.total),
        "refund_status": status_text("charge", refund.status, "pt") if refund else None,
    }


def _item_view(item: Item, *, money: bool) -> JsonValue:
    shown: dict[str, JsonValue] = {"id": item.id, "name": item.name, "quantity": item.quantity}
    return {**shown, "price": brl(item.price), "price_cents": item.price} if money else shown


def _charge_view(charge: Charge, language: Language, zone: ZoneInfo) -> JsonValue:
    return {
        "id": charge.id,
        "amount": brl(charge.amount),
        "amount_cents": charge.amount,
        "method": charge.method,
        "method_text": status_text("method", charge.method, language),
        "status": charge.status,
        "status_text": status_text("charge", charge.status, language),
        "on": day(local_day(charge.at, zone), language),
        "instalments": charge.instalments,
        "due": day(charge.due, language) if charge.due else None,
    }


def _delivery_view(order: Order, language: Language, zone: ZoneInfo, today: date) -> JsonValue:
    delivery = order.delivery
    return {
        "carrier": delivery.carrier,
        "tracking": delivery.tracking,
        "status": delivery.status,
        "last_event": delivery.last_event,
        "estimate": day(delivery.estimate, language) if delivery.estimate else None,
        "late": is_late(order, today),
        "shipped_on": day(local_day(delivery.shipped_at, zone), language) if delivery.shipped_at else None,
    }


def _allowed_view(order: Order, language: Language, zone: ZoneInfo) -> JsonValue:
    """Say what the rules still allow, so that a model need not compute windows."""
    until = {reason: last_day(order, reason, zone) for reason in ("regret", "exchange", "defect")}
    return {
        "cancel": before_shipping(order),
        "change_address": before_shipping(order),
        **{f"{reason}_until": day(last, language) if last else None for reason, last in until.items()},
    }
