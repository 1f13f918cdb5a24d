"""A chat model that is down: the next one goes on where it was, a write is not repeated, and nobody is told that it broke."""

from typing import Any

import httpx2
import openai
import pytest
from langchain_core.exceptions import ModelAPIError, ModelAuthenticationError, ModelRateLimitError, ModelTimeoutError

from graph.services import Spare
from tests.graph.conftest import Make, of, reply_of, tools_of
from tests.graph.test_writes import effects, only
from tests.scripted import ScriptedModels, call

TICKET = call("open_billing_ticket", order="10405", kind="duplicate_charge")
LOOKUP = call("lookup_order", order="10405")
ASKS = "abre um chamado, por favor: me cobraram duas vezes o pedido 10405"


class Spares(ScriptedModels):
    name = "spare"
    label = "modelo reserva de teste"


def spares(*script: Any) -> tuple[ScriptedModels, dict[str, Any]]:
    models = Spares({"billing": list(script)})
    return models, {"spares": (Spare(models=models),)}


def hops(turn: dict[str, Any]) -> list[tuple[str, str]]:
    return [(line["model"], line["outcome"]) for line in turn["trail"] if line["type"] == "chat_model"]


async def last_turn(desk: Any) -> dict[str, Any]:
    async with desk.services.database.connection() as conn:
        return await (await conn.execute("select * from turns order by number desc limit 1")).fetchone()


async def test_a_failure_that_passes_is_retried_once_on_the_same_model(make_desk: Make) -> None:
    second, more = spares()
    desk = await make_desk({"billing": [ModelRateLimitError("busy"), "Qual é o pedido?"]}, only("billing"), **more)
    assert reply_of(await desk.say("fui cobrada errado")) == "Qual é o pedido?"
    desk.models.assert_exhausted()
    assert second.models["billing"].asked == []


@pytest.mark.parametrize("down", [ModelAPIError("down"), ModelTimeoutError("late"), ConnectionResetError("reset")])
async def test_a_model_that_stays_down_is_left_for_the_next(make_desk: Make, down: Exception) -> None:
    _, more = spares("Qual é o pedido?")
    desk = await make_desk({"billing": [down, down]}, only("billing"), **more)
    assert reply_of(await desk.say("fui cobrada errado")) == "Qual é o pedido?"
    desk.models.assert_exhausted()
    assert hops(await last_turn(desk)) == [("scripted", "retryable"), ("spare", "answered")]


async def test_a_failure_of_ours_is_not_retried_and_is_said_in_the_log(
    make_desk: Make, caplog: pytest.LogCaptureFixture
) -> None:
    _, more = spares("Qual é o pedido?")
    desk = await make_desk(
        {"billing": [ModelAuthenticationError("key sk-livesecret123 is wrong")]}, only("billing"), **more
    )
    assert reply_of(await desk.say("fui cobrada errado")) == "Qual é o pedido?"
    assert any(record.levelname == "ERROR" for record in caplog.records)
    assert "livesecret" not in caplog.text


async def test_after_a_write_the_next_model_goes_on_and_the_write_is_not_repeated(make_desk: Make) -> None:
    second, more = spares("Chamado aberto.")
    down = ModelAPIError("down")
    desk = await make_desk({"billing": [LOOKUP, TICKET, down, down]}, only("billing"), **more)
    events = await desk.say(ASKS)
    assert tools_of(events) == [("lookup_order", "ok"), ("open_billing_ticket", "ok")]
    assert [e["state"] for e in await effects(desk)] == ["done"]
    assert (await effects(desk))[0]["receipt"]["protocol"] in reply_of(events)
    read = second.models["billing"].asked[0]["messages"]
    assert [m.type for m in read][-2:] == ["ai", "tool"]


async def test_with_every_model_down_after_a_write_the_receipt_speaks(make_desk: Make) -> None:
    down = ModelAPIError("down")
    _, more = spares(down, down)
    desk = await make_desk({"billing": [LOOKUP, TICKET, down, down]}, only("billing"), **more)
    events = await desk.say(ASKS)
    assert of(events, "done")[0].status == "replied"
    assert (await effects(desk))[0]["receipt"]["protocol"] in reply_of(events)


async def test_with_every_model_down_the_customer_gets_an_apology_with_a_number(make_desk: Make) -> None:
    down = ModelAPIError("down")
    _, more = spares(down, down)
    desk = await make_desk({"billing": [down, down]}, only("billing"), **more)
    events = await desk.say("fui cobrada errado")
    assert of(events, "done")[0].status == "failed"
    assert of(events, "error")[0].protocol in reply_of(events)


async def test_a_provider_that_wants_to_be_paid_ends_the_chain(make_desk: Make) -> None:
    unpaid = openai.APIStatusError(
        "pay", response=httpx2.Response(402, request=httpx2.Request("POST", "http://x")), body=None
    )
    second, more = spares()
    desk = await make_desk({"billing": [unpaid]}, only("billing"), **more)
    assert [e.reason for e in of(await desk.say("fui cobrada errado"), "person")] == ["budget"]
    assert second.models["billing"].asked == []


async def test_an_error_of_ours_in_the_code_is_not_taken_for_an_outage(make_desk: Make) -> None:
    second, more = spares()
    desk = await make_desk({"billing": [ZeroDivisionError("a bug")]}, only("billing"), **more)
    assert of(await desk.say("fui cobrada errado"), "done")[0].status == "failed"
    assert second.models["billing"].asked == []


async def test_a_model_that_was_down_is_left_alone_for_a_while(make_desk: Make) -> None:
    down = ModelAPIError("down")
    _, more = spares("Qual é o pedido?", "E o valor?")
    desk = await make_desk({"billing": [down, down]}, only("billing"), **more)
    await desk.say("fui cobrada errado")
    assert reply_of(await desk.say("fui sim")) == "E o valor?"
    desk.models.assert_exhausted()


async def test_a_call_that_a_model_wrote_as_text_is_made_and_never_shown(make_desk: Make) -> None:
    written = (
        '<think>preciso olhar</think><tool_call>{"name": "lookup_order", "arguments": {"order": "10405"}}</tool_call>'
    )
    desk = await make_desk({"billing": [written, "Vi o pedido."]}, only("billing"))
    events = await desk.say("me cobraram duas vezes o pedido 10405")
    assert tools_of(events) == [("lookup_order", "ok")]
    assert reply_of(events) == "Vi o pedido."
