"""Hostile forms through the Python door: stored, answered, and nothing is left hanging."""

from typing import Any

import pytest

from agents.models.offline import OfflineChatModels
from graph.events import Event
from ops.problems import BadId, NothingSaid
from routing.shop import Customer
from routing.text import storable
from tests.graph.acting import rows, said
from tests.graph.conftest import Desk, Make, of, reply_of
from tests.hostile.forms import BLANK, FORMS

LIMIT = 8_000
ENDINGS = ("replied", "nothing_due")


@pytest.fixture
async def desk(make_desk: Make) -> Desk:
    return await make_desk({}, lambda message, exchange: "support", models=OfflineChatModels())


async def test_every_form_is_stored_and_answered(desk: Desk) -> None:
    for name, text in FORMS.items():
        if name in BLANK:
            continue
        desk.thread_id = f"th-{name}"
        events = await desk.say(text)
        (done,) = of(events, "done")
        assert done.status in ENDINGS, name
        stored, *replies = await said(desk)
        assert len(stored.text) <= LIMIT, name
        assert stored.text == stored.text.encode("utf-8").decode("utf-8").replace("\x00", ""), name
        if done.status == "replied":
            assert replies[-1].text == reply_of(events)
            assert reply_of(events).strip(), name
            assert len(reply_of(events)) < 6_000, name
        cut = len(storable(text)) > LIMIT
        assert ("8000 caracteres" in "".join(r.text for r in replies)) == (cut and done.status == "replied"), name


@pytest.mark.parametrize("text", [*(FORMS[name] for name in BLANK), "", "\x00"])
async def test_what_nobody_would_see_is_refused_and_nothing_stored(desk: Desk, text: str) -> None:
    with pytest.raises(NothingSaid):
        await desk.say(text)
    with pytest.raises(NothingSaid):
        await desk.say(text, " ")
    with pytest.raises(NothingSaid):
        await desk.say()
    assert await rows(desk, "select 1 as one from conversations") == []
    assert await rows(desk, "select 1 as one from messages") == []


async def test_after_any_form_the_conversation_goes_on(desk: Desk) -> None:
    for name in ("one long word", "combining", "right to left", "braces", "terminal", "lone surrogates"):
        await desk.say(FORMS[name])
    assert "10405" in reply_of(await desk.say("cadê o pedido 10405?"))


async def test_a_message_may_have_many_parts(desk: Desk) -> None:
    events = await desk.say(*["cadê " * 400] * 60)
    assert of(events, "done")[0].status == "replied"
    (stored, _) = await said(desk)
    assert len(stored.text) <= LIMIT + 60 * 40  # the marks of what was cut
    assert stored.parts[-1]["cut"] is True


@pytest.mark.parametrize("bad", [" ", "\x00", "\ud800", "a" * 300, "a\nb", "\u202e"])
async def test_an_id_that_no_column_takes_is_refused_and_nothing_stored(desk: Desk, bad: str) -> None:
    wrong: list[dict[str, Any]] = [
        {"thread_id": bad}, {"message_id": bad}, {"customer": Customer(id=bad)}, {"customer": Customer(id=None, visitor=bad)},
    ]  # fmt: skip
    for values in wrong:
        with pytest.raises(BadId):
            await desk.say("oi", **values)
    assert await rows(desk, "select 1 as one from messages") == []


async def test_what_a_model_writes_in_any_form_is_stored_and_shown(make_desk: Make) -> None:
    now = {"form": ""}

    def speak(messages: Any, kwargs: Any) -> str:
        return FORMS[now["form"]] if kwargs.get("tools") else "Certo."

    desk = await make_desk({"support": speak}, lambda message, exchange: "support")
    for name in FORMS:
        now["form"], desk.thread_id = name, f"th-{name}"
        events: list[Event] = await desk.say("cadê meu pedido?")
        assert of(events, "done")[0].status == "replied", name
        shown = reply_of(events)
        assert shown.strip(), name
        assert len(shown) <= 6_000, name
        assert (await said(desk))[-1].text == shown, name
