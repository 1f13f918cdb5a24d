"""Whole conversations with simulated customers: scripted, deterministic, reacting to what the bot asks."""

from pathlib import Path
from uuid import uuid4

from evals.checking import problems
from evals.customers_cases import Mind, SimulatedCustomer, read_customers
from evals.customers_report import CustomerRow, CustomersReport
from evals.first_day import CHANNEL, Ground, first_day
from evals.seen import Seen, seen
from evals.specialist import customer_of
from evals.text_lint import lint
from graph.conversation import Bastao
from routing.decision import CLARIFICATION

CASES = Path(__file__).parent / "cases" / "customers"
_NOTHING = ""


async def run_customers(bastao: Bastao, *, dataset: Path | None = None) -> CustomersReport:
    """Let each customer talk until the goal is on record, or until it gives up. `dataset` is a file or a folder.

    The Bastão's own router and chat models answer. Raises `BadCases`, and `UsedDatabase` for a database in which anybody
    ever wrote.
    """
    customers = read_customers(dataset or CASES)
    async with first_day(bastao) as ground:
        return CustomersReport(customers=tuple([await _talk(ground, customer) for customer in customers]))


async def _talk(ground: Ground, simulated: SimulatedCustomer) -> CustomerRow:
    await ground.clear()
    customer = await customer_of(ground, simulated.customer)
    had = await ground.services.shop.requests(customer.id) if customer.id else ()
    before = frozenset(request.protocol for request in had)
    thread_id, mind = f"talk-{simulated.id}-{uuid4().hex[:8]}", Mind(simulated)
    says: str | None = simulated.opens
    talk: list[tuple[str, str]] = []
    while True:
        assert says is not None
        sent = ground.conversation.send(
            thread_id, [says], message_id=f"m-{len(talk)}", customer=customer, channel=CHANNEL
        )
        async for _ in sent:
            pass
        found = await seen(ground, thread_id, customer, before=before)
        reply = found.turns[-1].reply or _NOTHING
        talk.append((says, reply))
        wrong = problems(simulated.goal, found)
        says = mind.answer(reply) if wrong and len(talk) < simulated.patience else None
        if says is None:
            return _row(ground, simulated, found, talk, wrong)


def _row(
    ground: Ground, simulated: SimulatedCustomer, found: Seen, talk: list[tuple[str, str]], wrong: list[str]
) -> CustomerRow:
    targets = [(turn.decision or {}).get("target") for turn in found.turns]
    return CustomerRow(
        id=simulated.id, manner=simulated.manner, lang=simulated.lang, reached=not wrong, messages=len(talk),
        transfers=found.transfers, immediate=found.immediate_transfers,
        dispatched=sum(1 for target in targets if target in ground.services.roster.ids),
        clarifications=targets.count(CLARIFICATION), people=len(found.items), blocked=found.blocked,
        replies=len(found.replies), lint=tuple(said for reply in found.replies for said in lint(reply, language=simulated.lang)),
        why=tuple(wrong), talk=tuple(talk),
    )  # fmt: skip
