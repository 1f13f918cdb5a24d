"""Fixed package in, behaviour out: one specialist at a time, in the real graph, over the demo shop."""

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from langchain_core.language_models import BaseChatModel

from evals.checking import declined, declining, overdone, problems
from evals.first_day import CHANNEL, Ground, first_day
from evals.fixed_package import put
from evals.seen import Seen, seen
from evals.specialist_cases import VISITOR, SpecialistCase, read_specialist_cases, spread
from evals.specialist_report import CaseRow, SpecialistReport, TrialRow
from evals.text_lint import lint
from graph.conversation import Bastao
from routing.shop import Customer

CASES = Path(__file__).parent / "cases" / "specialist"
_NO_MONEY = ("budget", "conversation_budget")


async def run_specialist(
    bastao: Bastao, *, trials: int = 1, model: BaseChatModel | None = None, dataset: Path | None = None,
    at_most: int | None = None, enough: Callable[[], bool] = lambda: False,
) -> SpecialistReport:  # fmt: skip
    """Play each case `trials` times and hold the records against it. `dataset` is a file or a folder of `*.jsonl`.

    `model` speaks for every specialist; without one the Bastão's own chat models do. `at_most` cases are played, spread over
    all; before each trial `enough` may end the run. `scripts.specialist_place.run_specialist` opens a Bastão for it. Raises `BadCases`, and `UsedDatabase` for a
    database in which anybody ever wrote.
    """
    cases = spread(read_specialist_cases(dataset or CASES, agents=bastao.services.roster.ids), at_most)
    played: dict[str, list[TrialRow]] = {case.id: [] for case in cases}
    no_money = False
    async with first_day(bastao, model=model) as ground:
        for case in [case for _ in range(trials) for case in cases]:
            if no_money or enough():
                break
            found = await play(ground, case)
            no_money = any(item.reason in _NO_MONEY for item in found.items)
            if not no_money:  # a trial in which a call was refused says nothing of the model
                played[case.id].append(_judged(case, found))
    return SpecialistReport(
        cases=tuple(
            CaseRow(id=c.id, agent=c.agent, lang=c.lang, declines=c.expect.declines, unseen=c.unseen, trials=tuple(played[c.id]))
            for c in cases if played[c.id]
        ),
        trials=trials, not_run=tuple(case.id for case in cases if not played[case.id]), no_money=no_money,
    )  # fmt: skip


def _judged(case: SpecialistCase, found: Seen) -> TrialRow:
    return TrialRow(
        why=(*problems(case.expect, found), *declining(case.expect, found, agent=case.agent)), replies=len(found.replies),
        lint=tuple(said for reply in found.replies for said in lint(reply, language=case.lang)),
        blocked=found.blocked, declined=declined(found), overdone=overdone(case.expect, found, agent=case.agent),
    )  # fmt: skip


async def play(ground: Ground, case: SpecialistCase) -> Seen:
    """Put the package, say the messages to the specialist, and return what is then on record."""
    await ground.clear()
    customer = await customer_of(ground, case.customer)
    known = await ground.services.shop.requests(customer.id) if customer.id else ()
    thread_id = f"case-{case.id}-{uuid4().hex[:8]}"
    await put(ground, thread_id, customer, case.package.model_copy(update={"language": case.lang}))
    before = frozenset(request.protocol for request in known) | {a.protocol for a in case.package.actions}
    conversation = ground.under(case.rules)
    for number, message in enumerate(case.messages):
        sent = conversation.send(
            thread_id, [message], message_id=f"m-{number}", customer=customer, channel=CHANNEL, override=case.agent
        )
        async for _ in sent:
            pass
    return await seen(ground, thread_id, customer, before=before)


async def customer_of(ground: Ground, customer_id: str) -> Customer:
    """Return who is served, as if the session had been proved; a visitor proved nothing. Raises KeyError."""
    if customer_id == VISITOR:
        return Customer(id=None, visitor=f"v-{uuid4().hex}")
    found = await ground.services.shop.customer(customer_id)
    if found is None:
        raise KeyError(f"the demo shop has no customer {customer_id!r}")
    return found.model_copy(update={"level": "session"})
