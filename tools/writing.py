"""Doing a WRITE once: the key first, then the write, and the truth when the order system falls silent in between."""

from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from routing.facts import FactDraft
from routing.ports import ShopConflict, ShopUnavailable
from routing.shop import Receipt, Request
from tools.contract import Outcome, ToolContext
from tools.keys import FactKey, Keys, draft
from tools.refusing import refuse, refused, unavailable

REQUEST_KEYS: Keys = {"request": FactKey("request", None), "receipt": FactKey("request", None)}
_CONFLICTS = ("already_open", "already_cancelled", "too_late")


def effect_key(ctx: ToolContext) -> str:
    """Return the running effect's key. Raises ValueError when a WRITE is run without one."""
    if ctx.effect_key is None:
        raise ValueError("a WRITE runs under an effect key; give ToolContext.effect_key")
    return ctx.effect_key


async def earlier(ctx: ToolContext) -> Receipt | None:
    """Return the receipt if this very effect already happened (a turn that is run again)."""
    return await ctx.shop.find_effect(effect_key(ctx))


async def write(
    act: Callable[[str], Awaitable[Receipt]], ctx: ToolContext, *, told: Callable[[Receipt], Outcome]
) -> Outcome:
    """Do the act under the effect's key. `told` makes the outcome of a receipt.

    A conflict becomes a refusal; silence is settled by asking for the key, and stays unknown if that is silent too.
    """
    key = effect_key(ctx)
    try:
        return told(await act(key))
    except ShopConflict as conflict:
        code = conflict.because if conflict.because in _CONFLICTS else "order_changed"
        return refused(refuse(f"conflict_{code}", ctx, audit=f"conflict:{conflict.because}"))
    except ShopUnavailable:
        pass
    try:
        receipt = await ctx.shop.find_effect(key)
    except ShopUnavailable:
        return unavailable(ctx, audit="write_unknown")
    return told(receipt) if receipt else unavailable(ctx, audit="write_absent")


def request_entity(order_id: str | None, protocol: str) -> str:
    """Name a request as a part of its order, so that whoever is told about the order is told about it."""
    return f"{order_id}/{protocol}" if order_id else protocol


def done(receipt: Receipt, *, order: str | None, says: str, facts: tuple[FactDraft, ...] = (), **data: str) -> Outcome:
    """Answer with a receipt. What it says is a fact too: it outlives the turn and any change of specialist."""
    entity = request_entity(order, receipt.protocol)
    stated = (
        draft(REQUEST_KEYS, "request", entity=entity, value=receipt.kind),
        draft(REQUEST_KEYS, "receipt", entity=entity, value=says),
    )
    shown: dict[str, JsonValue] = {"protocol": receipt.protocol, **({"order": order} if order else {}), **data}
    return Outcome(status="ok", data=shown, facts=(*stated, *facts), receipt=receipt, says=says)


def still_open(request: Request) -> bool:
    return request.status in ("open", "approved")


async def requests_of(order_id: str, ctx: ToolContext) -> tuple[Request, ...]:
    """Return what this customer has on record about an order."""
    if ctx.customer.id is None:
        return ()
    return tuple(r for r in await ctx.shop.requests(ctx.customer.id) if r.order_id == order_id)
