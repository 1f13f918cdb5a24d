"""What a turn sends is counted from the requests themselves: exact, so it can be tested."""

from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage

from bench.counting import STEP, Counter
from bench.customer import ask, change_of_subject, move, wanted
from bench.model import InstantModel, Request


def request(system: str, *messages: str, agent: str = "support") -> Request:
    return Request(agent=agent, tools="[]" * 100, system=system, static=4, messages=messages)


def test_what_varies_leaves_out_the_static_prompt_and_the_schemas() -> None:
    counted = Counter().turn([request("only" + "x" * 40, "y" * 40), request("only", "y" * 80)])
    assert (counted["requests"], counted["varying"]) == (2, 20 + 20)
    assert counted["sent"] == (200 + 44 + 40 + 3) // 4 + (200 + 4 + 80 + 3) // 4


def test_a_cache_has_the_longest_earlier_prefix_of_the_same_agent_in_whole_steps() -> None:
    counter, long = Counter(), "only" + "p" * 6_000
    assert counter.turn([request(long, "one")])["cached"] == 0
    again = counter.turn([request(long, "two")])
    assert again["cached"] == (200 + len(long)) // 4 // STEP * STEP
    assert again["at_50"] == round(again["sent"] - again["cached"] / 2)
    assert counter.turn([request(long, "two", agent="billing")])["cached"] == 0
    assert Counter().turn([request("only", "a"), request("only", "a")])["cached"] == 0  # too short for any cache


def test_no_text_comes_twice_in_a_conversation() -> None:
    assert len({ask(turn) for turn in range(1, 501)}) == 500


def test_the_model_does_the_same_for_every_design() -> None:
    asked = HumanMessage(ask(3))
    (looked_up,) = move("support", [asked], ["lookup_order"]).tool_calls
    assert looked_up["args"] == {"order": "10405"}
    read = ToolMessage("{}", tool_call_id="1", name="lookup_order")
    assert "10405" in move("support", [asked, read], ["lookup_order"]).text
    elsewhere = HumanMessage(change_of_subject(3))
    assert wanted(change_of_subject(3)) == "billing"
    assert move("support", [elsewhere], ["lookup_order", "not_mine"]).tool_calls[0]["name"] == "not_mine"
    assert move("support", [elsewhere], ["transfer_to_billing"]).tool_calls[0]["name"] == "transfer_to_billing"
    assert move("single", [elsewhere], ["lookup_order"]).tool_calls[0]["name"] == "lookup_order"


async def test_the_instant_model_keeps_requests_only_where_somebody_counts() -> None:
    messages = [SystemMessage("rules and more"), HumanMessage(ask(1))]
    silent, counting = (
        InstantModel(agent="support", prompt="rules"),
        InstantModel(agent="support", prompt="rules", keep=True),
    )
    await silent.ainvoke(messages)
    await counting.ainvoke(messages)
    assert silent.kept == []
    (kept,) = counting.kept
    assert kept.varying == f" and morehuman:{ask(1)}\n"
