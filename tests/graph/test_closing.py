"""A process that ends: its turns finish in time or are given up, and another process answers."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from graph.closing import ClosingDown
from graph.conversation import Conversation
from graph.limits import Limits
from storage.database import Database
from tests.graph.acting import rows, said
from tests.graph.conftest import Desk, Make, of
from tests.scripted import call

LOOKUP = [call("lookup_order", order="10405"), "Seu pedido 10405 está com a transportadora."]
ASKED = "cadê o pedido 10405?"


class Gate:
    """Holds the decider until it is opened; a turn that is cancelled there leaves nothing behind."""

    def __init__(self, desk: Desk) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        desk.decider.meanwhile = self._wait

    async def _wait(self) -> None:
        self.reached.set()
        await self.opened.wait()


def other(desk: Desk) -> Conversation:
    """The same Bastão in another process, which has time."""
    services = replace(desk.services, limits=Limits())
    return Conversation(services=services, graph=desk.conversation.graph, owner="another")


async def until(desk: Desk, query: Any) -> None:
    """Look again and again until there is a row: somebody else's connection makes it."""
    for _ in range(1_000):
        if await rows(desk, query):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"never: {query}")


async def answered(conversation: Conversation) -> None:
    """Let a process finish what others left, and wait for it."""
    assert await conversation.resume() == 1
    await conversation.close()


async def test_a_turn_that_ends_in_time_is_answered_here(make_desk: Make) -> None:
    desk = await make_desk({"support": LOOKUP}, lambda m, e: "support")
    gate = Gate(desk)
    asking = asyncio.create_task(desk.say(ASKED))
    await gate.reached.wait()
    closing = asyncio.create_task(desk.conversation.close())
    await asyncio.sleep(0)
    gate.opened.set()
    await closing
    assert of(await asking, "done")[0].status == "replied"
    with pytest.raises(ClosingDown):
        await desk.say("e agora?")
    assert [line.role for line in await said(desk)] == ["customer", "agent"]


async def test_a_turn_that_takes_too_long_is_given_up_and_answered_by_another_process(make_desk: Make) -> None:
    desk = await make_desk({"support": LOOKUP}, lambda m, e: "support", limits=Limits(shutdown_s=0.05))
    gate = Gate(desk)
    asking = asyncio.create_task(desk.say(ASKED))
    await gate.reached.wait()
    await desk.conversation.close()
    with pytest.raises(ClosingDown):
        await asking
    assert [line.role for line in await said(desk)] == ["customer"]
    desk.decider.meanwhile = None
    await answered(other(desk))
    assert [line.role for line in await said(desk)] == ["customer", "agent"]
    assert await rows(desk, "select status, owner, attempts from turns") == [
        {"status": "replied", "owner": "another", "attempts": 2}
    ]


async def test_an_effect_of_a_turn_that_is_given_up_is_not_repeated(make_desk: Make) -> None:
    ticket = call("open_billing_ticket", order="10405", kind="duplicate_charge")
    desk = await make_desk(
        {"billing": [ticket, ticket, "Abri o chamado."]}, lambda m, e: "billing", limits=Limits(shutdown_s=0)
    )  # fmt: skip
    hold, reached = asyncio.Event(), asyncio.Event()
    shop = desk.services.shop
    wrote = shop.open_request

    async def write_and_fall_silent(*args: Any, **values: Any) -> Any:
        await wrote(*args, **values)
        reached.set()
        await hold.wait()

    shop.open_request = write_and_fall_silent  # type: ignore[method-assign]  # a shop whose answer never arrives
    asking = asyncio.create_task(desk.say("fui cobrada duas vezes no pedido 10405, abre um chamado"))
    await reached.wait()
    await desk.conversation.close()
    with pytest.raises(ClosingDown):
        await asking
    shop.open_request = wrote  # type: ignore[method-assign]
    await answered(other(desk))
    (effect,) = await rows(desk, "select state, receipt ->> 'protocol' as protocol from effects")
    assert effect["state"] == "done"
    assert effect["protocol"] in (await said(desk))[-1].text
    assert len(await rows(desk, "select 1 as one from shop.requests where order_id = '10405'")) == 1


async def test_a_turn_that_begins_while_the_process_closes_is_given_up_too(make_desk: Make, db: Database) -> None:
    desk = await make_desk({"support": LOOKUP}, lambda m, e: "support", quiet={"tests": 0.2})
    asking = asyncio.create_task(desk.say(ASKED))
    await until(desk, "select 1 as one from messages")
    async with db.transaction() as conn:
        await conn.execute("select 1 from conversations for update")
        await until(desk, "select 1 as one from pg_locks where not granted")
        await desk.conversation.close()
    with pytest.raises(ClosingDown):
        await asking
    await answered(other(desk))
    assert [line.role for line in await said(desk)] == ["customer", "agent"]
