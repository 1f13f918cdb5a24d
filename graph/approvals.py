"""Approvals: what an operator decides about an action that waits, before and after the turn that carries it out."""

from typing import Any

from graph.people import NotPossible, PersonAction
from graph.services import Services
from routing.queue_moves import Refused, move
from storage.records import audit, queue


async def decided(services: Services, action: PersonAction, *, operator: str) -> dict[str, Any]:
    """Return what a turn needs to carry out an approval. Raises `NotPossible` when the item waits for none."""
    async with services.database.connection() as conn:
        item = await queue.get(conn, action.item_id) if action.item_id else None
    if item is None or item.kind != "approval" or not item.package:
        raise NotPossible("nothing_to_decide")
    if isinstance(refused := move(item.standing, action.kind, operator=operator), Refused):
        raise NotPossible("nothing_to_decide" if refused.because == "over" else refused.because)
    return {"kind": action.kind, "item_id": item.id, "operator": operator, "proposal": item.package}


async def settle(services: Services, thread_id: str, action: PersonAction, *, operator: str) -> None:
    """Close the item of an approval that a turn carried out."""
    now = services.clock.now()
    async with services.database.transaction() as conn:
        await audit.write(
            conn,
            now=now,
            actor=f"operator:{operator}",
            rule=action.kind,
            thread_id=thread_id,
            detail={"item": action.item_id},
        )
        if action.item_id:
            await queue.resolve(conn, action.item_id, operator=operator, now=now)
