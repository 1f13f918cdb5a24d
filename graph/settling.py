"""What became of an act that nobody saw the end of: the shop is asked by its key, and what it cannot say goes to a person."""

import asyncio
from typing import Literal

from graph.desk import QueueDesk
from graph.ledger import kept, receipt_of
from graph.services import Services, TurnContext
from routing.model import Language
from routing.ports import ShopUnavailable
from routing.sentences import say
from routing.shop import Receipt
from storage.records import effects, queue
from storage.records.effects import Effect

Silence = Literal["absent", "silent"]
_IN_DOUBT = "unknown:"


async def look_up(services: Services, key: str, *, within_s: float | None = None) -> Receipt | Silence:
    """Return what was written under a key: "absent" where nothing was, "silent" where the shop does not say (in time).

    What the tools put before a person is in our own queue, under the same key.
    """
    async with services.database.connection() as conn:
        item = await queue.by_key(conn, key)
    if item is not None:
        kind: Literal["review", "callback"] = "callback" if item.kind == "callback" else "review"
        return Receipt(protocol=item.protocol, kind=kind, at=item.created_at, values={"about": item.about or ""})
    try:
        async with asyncio.timeout(within_s):
            return await services.shop.find_effect(key) or "absent"
    except (ShopUnavailable, TimeoutError):
        return "silent"


async def settle_found(services: Services, turn_id: str) -> None:
    """Before a turn is run again: what its dead owner did and did not live to note is done, and shown to the new run."""
    async with services.database.connection() as conn:
        left = [e for e in await effects.of_turn(conn, turn_id) if e.state in ("claimed", "sent")]
    for effect in left:
        found = await look_up(services, effect.key, within_s=services.limits.lease_s / 3)
        if isinstance(found, Receipt):
            await _settle(services, effect, "done", found)


async def settle_left(
    services: Services, effect: Effect, desk: QueueDesk, *, within_s: float | None = None, too_late: bool = False
) -> tuple[Effect, queue.QueueItem | None]:
    """Settle an effect that its turn left behind; return it as it then stands, with the item of a person who must look.

    The shop has `within_s` to answer (None: as long as its adapter waits). One that was claimed and never sent did not
    happen: the mark comes before the call. One that was sent and is not there
    may still arrive, unless it is `too_late` for that: it is `unknown`. Whoever took the effect over meanwhile decides
    instead of us.
    """
    found = await look_up(services, effect.key, within_s=within_s)
    if isinstance(found, Receipt):
        return await _settle(services, effect, "done", found), None
    settled = effect
    if effect.state == "claimed" or (found == "absent" and too_late):
        settled = await _settle(services, effect, "refused", None)
    elif effect.state != "unknown":
        settled = await _settle(services, effect, "unknown", None)
    if settled.state != "unknown":
        return settled, None
    return settled, await call_for(desk, settled.id, tool=settled.tool)


async def told_of_effects(turn: TurnContext, language: Language) -> str:
    """Return what can be said of everything that the turn did, for a reply that no model writes; "" where it did nothing."""
    services = turn.services
    async with services.database.connection() as conn:
        found = await effects.of_turn(conn, turn.turn_id)
    sentences: list[str] = []
    for effect in found:
        item = None
        if effect.state in ("claimed", "sent"):
            effect, item = await settle_left(services, effect, turn.desk, within_s=services.limits.lease_s / 3)
        if effect.state == "done":
            sentences.append(turn.outbox.told.get(effect.id) or _plainly(effect, language))
        elif effect.state == "unknown":
            item = item or await call_for(turn.desk, effect.id, tool=effect.tool)
            sentences.append(say("limits.effect_unknown", language, protocol=item.protocol))
    return "\n\n".join(sentences)


async def done_before(turn: TurnContext, text: str, language: Language) -> list[str]:
    """Return what an earlier run of this turn did and `text` does not tell: this run may have taken another road."""
    if not turn.ledger.rerun:
        return []
    receipts = [receipt_of(e) for e in await turn.ledger.left() if e.state == "done"]
    return [say("writes.done_plain", language, protocol=r.protocol) for r in receipts if r and r.protocol not in text]


async def call_for(desk: QueueDesk, effect_id: str, *, tool: str) -> queue.QueueItem:
    """Put an effect of which nobody knows the end before a person; the same effect again is the same item."""
    return await desk.call_person(unknown_key(effect_id), reason="effect_unknown", note=tool)


def unknown_key(effect_id: str) -> str:
    """Return the key of the queue item about an effect of which nobody knows the end."""
    return f"{_IN_DOUBT}{effect_id}"


def effect_in_doubt(key: str) -> str | None:
    """Return the effect that an item's key is about; None for an item about something else."""
    return key.removeprefix(_IN_DOUBT).partition(":")[0] if key.startswith(_IN_DOUBT) else None


async def _settle(
    services: Services, effect: Effect, state: Literal["done", "refused", "unknown"], receipt: Receipt | None
) -> Effect:
    plain, personal = kept(receipt)
    async with services.database.transaction() as conn:
        return await effects.settle(
            conn, effect.id, state=state, receipt=plain, personal=personal, fence=effect.fence, now=services.clock.now()
        )


def _plainly(effect: Effect, language: Language) -> str:
    receipt = receipt_of(effect)
    return say("writes.done_plain", language, protocol=receipt.protocol if receipt else "")
