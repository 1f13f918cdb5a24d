"""Take from a running Bastão what the peers are given: prompts, tools as the model sees them, and what the shop answers."""

import json
from uuid import uuid4

from bench.bastao import Bastao
from bench.customer import LOOKUP, ORDERS, SECOND, TURNS_PER_ORDER, ask
from bench.peers import SPECIALISTS, Kit


async def take_kit(desk: Bastao) -> Kit:
    """Talk to each specialist once and about each order once. Needs models that keep their requests."""
    tools: dict[str, list[dict[str, object]]] = {}
    answers: dict[str, str] = {}
    for agent in SPECIALISTS:
        desk.decider.only = agent
        requests = await desk.turn(uuid4().hex, "oi, uma dúvida sobre o pedido 10405")
        tools[agent] = json.loads(requests[0].tools)
    desk.decider.only = None
    for number, order in enumerate(ORDERS):
        requests = await desk.turn(uuid4().hex, ask(number * TURNS_PER_ORDER + 1))
        answers[order] = next(m for m in requests[-1].messages if m.startswith(_READ)).removeprefix(_READ).strip()
    prompts = {agent: desk.services.roster.prompt(agent) for agent in SPECIALISTS}
    assert SECOND in tools
    return Kit(prompts=prompts, tools=tools, answers=answers)


_READ = f"tool{LOOKUP}:"
