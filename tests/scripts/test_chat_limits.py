"""The terminal where the door refuses: a sentence, and the conversation goes on."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

from graph.events import Event
from ops.loop_thread import LoopThread
from ops.problems import TooMany
from routing.shop import Customer
from scripts.chat import Talk


class Refusing:
    """A door that finds the customer too fast."""

    async def send(self, *args: Any, **values: Any) -> AsyncIterator[Event]:
        raise TooMany("Espere 7 s e mande de novo, por favor.", 7)
        yield  # an async generator, as the door's is


def test_who_writes_too_fast_is_told_so_and_may_go_on() -> None:
    loop = LoopThread()
    talk = Talk(loop, SimpleNamespace(conversation=Refusing()), Customer(id="c1"), lambda: "m")  # type: ignore[arg-type]
    try:
        for _ in range(2):
            view = talk.turn("th-1", "oi", lambda event, view: None)
            assert view.said == "Espere 7 s e mande de novo, por favor."
    finally:
        loop.close()
