"""What a conversation left in the stores, read together; and whether anybody has written at all."""

from ops.baton import baton_of, is_unused
from tests.graph.acting import MONDAY, SetClock
from tests.graph.conftest import Make
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only
from tests.scripted import call


async def test_it_holds_facts_promises_effects_and_items(make_desk: Make) -> None:
    steps = [
        call("lookup_order", order="10405"), call("promise_callback", about="Ligar sobre o 10405", due="2026-12-04"), "Combinado.",
    ]  # fmt: skip
    desk = await make_desk({"support": steps}, only("support"), clock=SetClock(MONDAY))
    database = desk.services.database
    assert await is_unused(database)
    await desk.say("cadê o pedido 10405? me liga até sexta")
    assert not await is_unused(database)
    baton = await baton_of(database, desk.thread_id, reader="marta", now=MONDAY)
    assert ("order", "10405") in [(f.key, f.value) for f in baton.facts]
    assert [(p.text, p.origin, p.status) for p in baton.promises] == [
        ("Ligar sobre o 10405", "promise_callback", "open")
    ]
    (item,) = baton.items
    assert (item.kind, item.about) == ("callback", "Ligar sobre o 10405")
    assert [(e.tool, e.state, e.protocol) for e in baton.effects] == [("promise_callback", "done", item.protocol)]
    async with database.connection() as conn:
        found = await (await conn.execute("select actor, thread_id from audit where rule = 'read_baton'")).fetchall()
    assert [(r["actor"], r["thread_id"]) for r in found] == [("operator:marta", desk.thread_id)]


async def test_of_what_does_not_exist_there_is_nothing(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    baton = await baton_of(desk.services.database, "th-nobody", reader="marta", now=MONDAY)
    assert (baton.facts, baton.promises, baton.effects, baton.items) == ((), (), (), ())
