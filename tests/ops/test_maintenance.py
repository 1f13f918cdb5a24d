"""By the clock: promises, claims, proposals, quiet contacts, dead turns; one process at a time, and nothing twice."""

import asyncio
from datetime import timedelta
from typing import Any

from ops.follow_ups import DUE, OVERDUE, queue_follow_ups
from ops.maintenance import LEASE, Maintenance, Round
from storage.records import contacts, leases, queue
from storage.records.turns import Begun, begin
from tests.graph.acting import MONDAY, SetClock, items, person, rows, said
from tests.graph.conftest import Desk, Make, of, reply_of
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_writes import only
from tests.storage.values import kill_owner


def maintenance(desk: Desk) -> Maintenance:
    return Maintenance(
        services=desk.services, conversation=desk.conversation, claim_timeout=timedelta(minutes=30), webhook=None
    )


async def contact_of(desk: Desk) -> contacts.Contact:
    async with desk.services.database.connection() as conn:
        found = await contacts.last_of(conn, desk.thread_id)
    assert found is not None
    return found


async def test_an_operators_dated_word_is_queued_before_and_after_it_is_due(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    await person(desk, "reply", "Te respondo até quarta.")
    await person(desk, "hand_back")
    assert await queue_follow_ups(desk.services) == 0
    clock.pass_(days=1)
    assert await queue_follow_ups(desk.services) == 1
    reminder = (await items(desk))[-1]
    assert (reminder.kind, reminder.reason, reminder.about) == (
        "follow_up",
        "commitment_due",
        "Te respondo até quarta.",
    )
    assert (reminder.priority, (reminder.package or {})["owner"]) == (DUE, "marta")
    clock.pass_(days=2)
    assert await queue_follow_ups(desk.services) == 1
    assert [(i.kind, i.priority) for i in await items(desk)][-1] == ("follow_up", OVERDUE)
    before = len(await said(desk))
    await person(desk, "resolve", item_id=reminder.id)
    assert (await rows(desk, "select status from commitments"))[0]["status"] == "kept"
    assert (await rows(desk, "select status from follow_ups"))[0]["status"] == "done"
    assert len(await said(desk)) == before, "the customer never heard of the reminder"
    assert await queue_follow_ups(desk.services) == 0


async def test_two_rounds_at_once_queue_a_promise_once(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await person_says(desk, "Te respondo amanhã.")
    clock.pass_(hours=1)
    done = await asyncio.gather(queue_follow_ups(desk.services), queue_follow_ups(desk.services))
    assert sorted(done) == [0, 1]


async def person_says(desk: Desk, text: str) -> None:
    await desk.say("quero falar com um atendente")
    await person(desk, "reply", text)
    await person(desk, "hand_back")


async def test_only_one_process_does_a_round(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    async with desk.services.database.transaction() as conn:
        assert await leases.try_take(conn, LEASE)
        assert await maintenance(desk).once() is None
    assert await maintenance(desk).once() == Round()


async def test_a_quiet_contact_is_closed_by_the_clock(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({"support": ["Está a caminho."]}, only("support"), clock=clock)
    await desk.say("cadê o pedido 10405?")
    clock.pass_(hours=11)
    assert await maintenance(desk).once() == Round()
    clock.pass_(hours=2)
    assert await maintenance(desk).once() == Round(closed_contacts=1)
    closed = await contact_of(desk)
    assert (closed.status, closed.outcome["because"]) == ("resolved", "answered")


async def test_a_contact_with_somebody_in_the_queue_does_not_end(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    clock.pass_(hours=40)
    assert await maintenance(desk).once() == Round()
    assert (await contact_of(desk)).status == "open"


async def test_the_next_message_closes_a_quiet_contact_too_and_the_same_subject_reopens_it(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({"support": ["Qual é o número do pedido?", "Está a caminho."]}, only("support"), clock=clock)
    await desk.say("cadê meu pacote?")
    first = await contact_of(desk)
    clock.pass_(hours=20)
    events = await desk.say("cadê o pedido 10405?")
    assert of(events, "handoff"), "a new contact begins without a specialist"
    async with desk.services.database.connection() as conn:
        closed = await contacts.get(conn, first.id)
    assert closed is not None
    assert (closed.status, closed.outcome["ended_as"], closed.outcome["because"]) == (
        "reopened",
        "abandoned",
        "question",
    )
    assert closed.reopened_by == (await contact_of(desk)).id != first.id


async def test_an_expired_proposal_is_settled(make_desk: Make) -> None:
    from tests.scripted import call

    clock = SetClock(MONDAY)
    ticket = call("open_billing_ticket", order="10405", kind="duplicate_charge")
    desk = await make_desk({"billing": [ticket, "Vi as duas cobranças."]}, only("billing"), clock=clock)
    await desk.say("me cobraram duas vezes o pedido 10405")
    clock.pass_(minutes=35)
    assert await maintenance(desk).once() == Round()
    clock.pass_(minutes=10)
    assert await maintenance(desk).once() == Round(expired_proposals=1)
    assert (await rows(desk, "select status from proposals"))[0]["status"] == "expired"


async def test_a_claim_is_released_in_a_round(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk({}, only("support"), clock=clock)
    await desk.say("quero falar com um atendente")
    await person(desk, "claim")
    clock.pass_(minutes=31)
    assert await maintenance(desk).once() == Round(released_claims=1)
    async with desk.services.database.connection() as conn:
        assert [i.status for i in await queue.open_of_thread(conn, desk.thread_id)] == ["waiting"]


async def test_a_turn_whose_owner_died_is_finished(make_desk: Make) -> None:
    desk = await make_desk({"support": ["Está a caminho.", "Chegou ontem?"]}, only("support"))
    await desk.say("oi, cadê meu pacote?")
    services = desk.services
    async with services.database.transaction() as conn:
        from storage.records import messages

        await messages.add(
            conn, desk.thread_id, message_id="m-2", role="customer", text="e aí?", now=services.clock.now()
        )
        begun: Any = await begin(
            conn, desk.thread_id, owner="dead", turn_id="t-dead", lease_s=60, now=services.clock.now()
        )
        assert isinstance(begun, Begun)
        await kill_owner(conn, "t-dead")
    assert await maintenance(desk).once() == Round(resumed_turns=1)
    await desk.conversation.close()
    assert (await rows(desk, "select status from turns where id = 't-dead'"))[0]["status"] == "replied"


async def test_rounds_go_on_until_they_are_stopped(make_desk: Make) -> None:
    desk = await make_desk({}, only("support"))
    stop = asyncio.Event()
    running = asyncio.create_task(maintenance(desk).forever(every_s=0.01, stop=stop))
    await desk.say("quero falar com um atendente")
    stop.set()
    await asyncio.wait_for(running, 20)
    assert reply_of(desk.turns[0])
