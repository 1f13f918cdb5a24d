"""Money: a limit stops the paid call before it is made, and the turn still ends properly."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from langchain_core.messages import AIMessage

from graph.purse import UNPRICED_CALL, Purse
from ops.spend import SpendLedger
from routing.budget import BudgetLimit, BudgetLimits
from tests.graph.conftest import Desk, Make, of, reply_of

TURNS, ROOM = 50, 20


class PaidModels:
    """Wraps an answer so that it costs what was reserved for it."""

    def __init__(self) -> None:
        self.made = 0

    def answer(self, messages: Any, kwargs: Any) -> AIMessage:
        self.made += 1
        return AIMessage("Está a caminho.", response_metadata={"cost": float(UNPRICED_CALL)})


async def desk_with_budget(make_desk: Make, limits: BudgetLimits) -> tuple[Desk, PaidModels]:
    paid = PaidModels()
    plain = await make_desk({"support": paid.answer}, lambda m, e: "support")
    ledger = SpendLedger(
        plain.services.database,
        limits=limits,
        now=lambda: datetime.now(UTC),
        zone=ZoneInfo("America/Sao_Paulo"),
        new_id=lambda: uuid4().hex,
    )
    purse = Purse(spending=ledger, provider="scripted", model="scripted", price=None, max_tokens=100)
    return await make_desk({"support": paid.answer}, lambda m, e: "support", purse=purse), paid


def room_for(calls: int) -> BudgetLimit:
    return BudgetLimit(limit_usd=UNPRICED_CALL * calls, stop_usd=UNPRICED_CALL * calls)


async def test_exactly_as_many_calls_as_there_is_money_for(make_desk: Make) -> None:
    desk, paid = await desk_with_budget(make_desk, BudgetLimits(day=room_for(ROOM)))
    turns = await asyncio.gather(*(desk.say("cadê?", thread_id=f"th-{i}") for i in range(TURNS)))
    assert paid.made == ROOM
    answered = [events for events in turns if reply_of(events) == "Está a caminho."]
    stopped = [events for events in turns if of(events, "person")]
    assert (len(answered), len(stopped)) == (ROOM, TURNS - ROOM)
    assert all(of(events, "person")[0].protocol in reply_of(events) for events in stopped)
    assert {of(events, "person")[0].reason for events in stopped} == {"budget"}
    async with desk.services.database.connection() as conn:
        rows = await (
            await conn.execute("select count(*) as n, sum(settled_usd) as usd, sum(reserved_usd) as most from spend")
        ).fetchone()
    assert rows is not None
    assert (rows["n"], rows["usd"], rows["most"]) == (ROOM, UNPRICED_CALL * ROOM, UNPRICED_CALL * ROOM)


async def test_a_conversations_limit_stops_only_its_own(make_desk: Make) -> None:
    desk, _ = await desk_with_budget(make_desk, BudgetLimits(conversation=room_for(1)))
    assert reply_of(await desk.say("cadê?")) == "Está a caminho."
    assert of(await desk.say("e agora?"), "person")[0].reason == "conversation_budget"
    assert reply_of(await desk.say("cadê?", thread_id="th-other")) == "Está a caminho."


async def test_rules_go_on_without_money(make_desk: Make) -> None:
    desk, paid = await desk_with_budget(
        make_desk, BudgetLimits(day=BudgetLimit(limit_usd=Decimal(0), stop_usd=Decimal(0)))
    )
    assert of(await desk.say("bom dia"), "decision")[0].decision.target == "courtesy"
    assert paid.made == 0
