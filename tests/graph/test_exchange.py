"""What a provider reads beside the message: the last exchange about a subject, and not our notices of people."""

from routing.decision import Exchange
from tests.graph.acting import person
from tests.graph.conftest import Desk, Make
from tests.graph.test_baton_scenarios import by_word

REPLY = "O pedido 10431 está em preparação."


def read(desk: Desk) -> tuple[str | None, str | None]:
    """What came before the message in the last question to the decider."""
    exchange: Exchange = desk.decider.asked[-1][1]
    return exchange.last_customer, exchange.last_agent


async def test_a_wish_for_a_person_is_no_subject(make_desk: Make) -> None:
    desk = await make_desk({"support": lambda m, k: REPLY}, by_word)
    await desk.say("quero falar com um atendente")
    await desk.say("cadê o pedido 10431?")
    assert read(desk) == (None, None)
    await desk.say("e quando ele chega?")
    assert read(desk) == ("cadê o pedido 10431?", REPLY)
    await desk.say("quero falar com um atendente")
    await desk.say("e o pacote, quando vem?")
    assert read(desk) == ("e quando ele chega?", REPLY)


async def test_a_person_who_spoke_is_read_and_our_notices_of_people_are_not(make_desk: Make) -> None:
    desk = await make_desk({"support": lambda m, k: REPLY}, by_word)
    await desk.say("cadê o pedido 10431?")
    for kind, text in (("claim", None), ("reply", "Oi, aqui é a Marta."), ("hand_back", None)):
        await person(desk, kind, text)  # pyright: ignore[reportArgumentType] - all three are actions
    await desk.say("então, cadê?")
    assert read(desk) == ("cadê o pedido 10431?", "Oi, aqui é a Marta.")
