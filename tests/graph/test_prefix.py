"""What a provider's prefix cache sees of two turns with one specialist, over a real socket, and that its savings are reported."""

from decimal import Decimal
from itertools import pairwise, takewhile
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage

from agents.models.registry import ChatModelSettings, build_chat_models
from graph.purse import Purse
from ops.prometheus import read_day
from ops.reading import trail
from routing.budget import Price
from routing.records import OPEN
from stubs.serve import serving
from stubs.specialists import offline_app
from tests.graph.conftest import ROSTER, ZONE, Make, of
from tests.stubs.simulated import WordDecider
from tests.stubs.test_specialists import chain

Json = dict[str, Any]


def shared(one: str, other: str) -> str:
    """Return the longest common beginning."""
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


async def two_turns(make_desk: Make) -> tuple[list[Json], list[Json], Any]:
    """Let one specialist answer twice by a model behind a socket; return the requests of each turn and the desk."""
    with serving(offline_app(ROSTER, chain(WordDecider()))) as url:
        settings = ChatModelSettings(provider="openai", model="gpt-x", base_url=f"{url}/v1")
        models = build_chat_models(settings, {"OPENAI_API_KEY": "k"})
        desk = await make_desk({}, lambda message, exchange: "support", models=models)
        asked: list[list[Json]] = []
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            for text in ("cadê meu pedido 10405?", "e quando chega o pedido 10402?"):
                await http.delete("/stub/requests")
                assert of(await desk.say(text), "done")[0].status == "replied"
                asked.append([request["body"] for request in (await http.get("/stub/requests")).json()])
    return asked[0], asked[1], desk


async def test_two_turns_share_everything_that_does_not_change(make_desk: Make) -> None:
    first, second, desk = await two_turns(make_desk)
    static = ROSTER.prompt("support")
    one, other = first[0], second[0]
    assert one["tools"] == other["tools"]
    assert [tool["function"]["name"] for tool in one["tools"]] == list(ROSTER.by_id("support").tools)
    systems = [request["messages"][0]["content"] for request in (one, other)]
    assert systems[0] != systems[1]
    common = shared(*systems)
    assert common.startswith(f"{static}\n\n{OPEN}\n")  # all that is static, and then the same customer
    assert "Ana" in common[len(static) :]
    for turn in (first, second):
        for earlier, later in pairwise(turn):
            assert later["messages"][: len(earlier["messages"])] == earlier["messages"]

    stored = [row.tokens for row in await trail(desk.services.database, desk.thread_id)]
    assert stored[1]["cached"] >= len(static) // 4 // 128 * 128 > 0
    assert all(row["cached"] <= row["input"] for row in stored)
    now = desk.services.clock.now()
    day = await read_day(desk.services.database, now=now, zone=ZONE)
    assert day is not None
    assert day.tokens.cached == sum(row["cached"] for row in stored)


@pytest.mark.parametrize(("given", "cost"), [({"cache_read": 900}, "0.00019"), ({}, "0.001")])
def test_what_was_cached_is_paid_at_its_price(given: Json, cost: str) -> None:
    price = Price(input_usd=Decimal(1), cached_usd=Decimal("0.10"))
    purse = Purse(spending=None, provider="openai", model="m", price=price, max_tokens=1)  # pyright: ignore[reportArgumentType] - nothing is spent here
    usage: Any = {"input_tokens": 1000, "output_tokens": 0, "total_tokens": 1000, "input_token_details": given}
    assert purse.cost(AIMessage("", usage_metadata=usage)) == Decimal(cost)
