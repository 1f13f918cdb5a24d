import asyncio
import logging
from typing import Any

import pytest

from routing.decision import Answer, Hop
from routing.ports import NoProvider
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from routing.providers.errors import ProviderError
from tests.routing.providers.scripted import NOTHING, QUESTION, Clock, Free, Scripted, after, answering, probabilities

SECRET = "meu cpf é 529.982.247-25 e a senha é azul"

FAULTS: list[tuple[str, Any, str]] = [
    ("408", ProviderError("retryable", "408"), "retryable: 408"),
    ("429", ProviderError("retryable", "429", 3.0), "retryable: 429"),
    ("500", ProviderError("retryable", "500"), "retryable: 500"),
    ("529", ProviderError("retryable", "529"), "retryable: 529"),
    ("reset", ProviderError("retryable", "connection reset"), "retryable: connection reset"),
    ("400", ProviderError("ours", "400"), "ours: 400"),
    ("401", ProviderError("ours", "401", 30.0), "ours: 401"),
    ("html", ProviderError("garbage", "not JSON"), "garbage: not JSON"),
    ("bug", KeyError(SECRET), "ours: unexpected KeyError"),
    ("a time-out of its own", TimeoutError(), "retryable: timeout"),
    ("probability 1.7", {"given": {**probabilities(), "billing": 1.7}}, "garbage: out_of_range"),
    ("unknown label", {"given": {**probabilities(), "sales": 0.0}}, "garbage: unknown_label"),
    ("no probabilities", {"given": {}}, "garbage: missing_probabilities"),
    ("an option missing", {"given": {"billing": 1.0}}, "garbage: missing_option"),
    ("a sum of 0.6", {"given": dict.fromkeys(QUESTION.ids, 0.15)}, "garbage: bad_sum"),
    ("a winner at the bottom", {"given": probabilities(), "choice": "returns"}, "garbage: choice_not_top"),
    ("not a number", {"given": {**probabilities(), "billing": float("nan")}}, "garbage: not_a_number"),
    ("no answer", answering("a").model_copy(update={"answers": {}}), "garbage: no answer to the question"),
]


def chain(*providers: Any, clock: Clock | None = None, deadline_s: float = 2.0, **more: Any) -> ChainDecider:
    ticking = clock or Clock()
    return ChainDecider(providers, deadline_s=deadline_s, clock=ticking, breakers=Breakers(clock=ticking), **more)


async def ask(decider: ChainDecider) -> Answer:
    return await decider.decide(SECRET, NOTHING, QUESTION, thread_id="t1")


@pytest.mark.parametrize(("fault", "why"), [pytest.param(f, why, id=name) for name, f, why in FAULTS])
async def test_any_fault_moves_on_and_is_recorded(fault: Any, why: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    first, second = Scripted(called="a", steps=[fault]), Scripted(called="b", steps=[{"cost_usd": 0.002}])
    answer = await ask(chain(first, second))
    assert answer.provider == "b"
    assert answer.probabilities["billing"] == pytest.approx(0.9)
    assert [(hop.provider, hop.outcome, hop.why) for hop in answer.hops] == [("a", "error", why), ("b", "ok", None)]
    assert answer.hops[1].cost_usd == 0.002
    assert "529.982" not in caplog.text
    assert "azul" not in caplog.text


@pytest.mark.parametrize(("fault", "why"), [pytest.param(f, why, id=name) for name, f, why in FAULTS])
async def test_the_third_link_answers_when_two_fail(fault: Any, why: str) -> None:
    links = [Scripted(called="a", steps=[fault]), Scripted(called="b", steps=[fault]), Free(called="local", steps=[{}])]
    answer = await ask(chain(*links))
    assert answer.provider == "local"
    assert [hop.outcome for hop in answer.hops] == ["error", "error", "ok"]


async def test_nothing_left_raises_no_provider_with_the_hops() -> None:
    with pytest.raises(NoProvider) as caught:
        await ask(
            chain(
                Scripted(called="a", steps=[ProviderError("retryable", "503")]), Free(called="b", steps=[ValueError()])
            )
        )
    assert [hop.why for hop in caught.value.tried if isinstance(hop, Hop)] == [
        "retryable: 503",
        "ours: unexpected ValueError",
    ]


async def test_after_a_402_no_paid_link_is_tried_but_the_free_one_is() -> None:
    paid = Scripted(called="b", steps=[])
    answer = await ask(
        chain(Scripted(called="a", steps=[ProviderError("payment", "402")]), paid, Free(called="local", steps=[{}]))
    )
    assert [(hop.provider, hop.outcome, hop.why) for hop in answer.hops] == [
        ("a", "error", "payment: 402"),
        ("b", "skipped", "payment"),
        ("local", "ok", None),
    ]
    assert paid.asked == []


async def test_a_402_is_remembered_for_the_next_turn_and_forgotten_in_time() -> None:
    clock = Clock()
    first = Scripted(called="a", steps=[ProviderError("payment", "402", 10.0), {}])
    second = Scripted(called="b", steps=[])
    decider = chain(first, second, Free(called="local", steps=[{}, {}]), clock=clock)
    await ask(decider)
    again = await ask(decider)
    assert [(hop.provider, hop.outcome) for hop in again.hops] == [("a", "skipped"), ("b", "skipped"), ("local", "ok")]
    clock.pass_s(10.0)
    assert (await ask(decider)).provider == "a"


async def test_a_provider_that_is_down_is_left_alone_until_its_retry_after() -> None:
    clock = Clock()
    first = Scripted(called="a", steps=[ProviderError("retryable", "429", 7.0), {}])
    decider = chain(first, Free(called="local", steps=[{}, {}]), clock=clock)
    await ask(decider)
    skipped = await ask(decider)
    assert [(hop.provider, hop.outcome, hop.why) for hop in skipped.hops] == [
        ("a", "skipped", "circuit open"),
        ("local", "ok", None),
    ]
    clock.pass_s(7.0)
    assert (await ask(decider)).provider == "a"


async def test_the_deadline_ends_the_chain_by_the_given_clock() -> None:
    clock = Clock()
    slow = Scripted(called="a", steps=[after(clock, 2.5, ProviderError("retryable", "503"))])
    never = Scripted(called="b", steps=[])
    with pytest.raises(NoProvider) as caught:
        await ask(chain(slow, never, clock=clock, deadline_s=2.0))
    assert [hop.why for hop in caught.value.tried if isinstance(hop, Hop)] == ["retryable: 503", "deadline"]
    assert never.asked == []


async def test_one_that_hangs_leaves_time_for_the_next() -> None:
    hangs = Scripted(called="a", steps=[lambda: asyncio.Event().wait()])
    answer = await ask(chain(hangs, Free(called="local", steps=[{}]), deadline_s=0.05))
    assert [(hop.provider, hop.why) for hop in answer.hops] == [("a", "retryable: timeout"), ("local", None)]


@pytest.mark.parametrize(
    ("kinds", "left", "share"),
    [
        (("p",), 2.0, 2.0),
        (("p", "p"), 2.0, 1.0),
        (("p", "p", "f"), 2.0, 0.925),
        (("f",), 2.0, 10.0),
        (("p", "f"), 0.1, 0.05),
    ],
)
async def test_the_deadline_is_shared_out(kinds: tuple[str, ...], left: float, share: float) -> None:
    links = [(Scripted if kind == "p" else Free)(called=str(place)) for place, kind in enumerate(kinds)]
    assert chain(*links)._share(left, 0) == pytest.approx(share)


async def test_a_refusal_is_an_answer_of_even_odds_with_its_detail() -> None:
    answer = await ask(chain(Scripted(called="a", steps=[{"refused": "safety"}]), Scripted(called="b", steps=[])))
    assert answer.refused == "safety"
    assert set(answer.probabilities.values()) == {0.25}
    assert [(hop.outcome, hop.why) for hop in answer.hops] == [("refused", "safety")]


async def test_hundredths_are_renormalised() -> None:
    given = {"returns": 0.33, "billing": 0.33, "out_of_scope": 0.33, "needs_question": 0.0}
    answer = await ask(chain(Scripted(called="a", steps=[{"given": given}])))
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)


async def test_people_are_told_of_what_they_must_mend() -> None:
    alarms: list[tuple[str, str, str]] = []
    links = [
        Scripted(called="a", steps=[ProviderError("ours", "401")]),
        Scripted(called="b", steps=[ProviderError("retryable", "503")]),
    ]
    await ask(chain(*links, Free(called="local", steps=[{}]), on_alarm=lambda *told: alarms.append(told)))
    assert alarms == [("a", "ours", "401")]


async def test_a_cancelled_decision_is_cancelled_and_frees_the_probe() -> None:
    clock = Clock()
    started = asyncio.Event()

    async def hang() -> None:
        started.set()
        await asyncio.Event().wait()

    provider = Scripted(called="a", steps=[ProviderError("retryable", "503", 1.0), hang, {}])
    decider = chain(provider, clock=clock, deadline_s=60.0)
    with pytest.raises(NoProvider):
        await ask(decider)
    clock.pass_s(1.0)
    task = asyncio.create_task(ask(decider))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await ask(decider)).provider == "a"


class Ledger:
    """A budget in memory. `left` counts the reservations that are still granted."""

    def __init__(self, left: int, *, broken: bool = False) -> None:
        self.left, self.broken = left, broken
        self.settled: list[tuple[str, float | None]] = []

    async def reserve(self, provider: str, *, model: str, max_cost_usd: float, thread_id: str) -> str | None:
        if self.broken:
            raise OSError(SECRET)
        self.left -= 1
        return None if self.left < 0 else f"{provider}-{thread_id}"

    async def settle(self, reservation: str, *, cost_usd: float | None) -> None:
        self.settled.append((reservation, cost_usd))


@pytest.mark.parametrize(
    ("step", "cost"),
    [
        ({"cost_usd": 0.003}, 0.003),
        (ProviderError("retryable", "503"), 0.0),
        (ProviderError("garbage", "half a JSON", cost_usd=0.001), 0.001),
        (ValueError(), None),
        (TimeoutError(), None),
    ],
)
async def test_each_reservation_is_settled_once(step: Any, cost: float | None) -> None:
    ledger = Ledger(9)
    await ask(chain(Scripted(called="a", steps=[step]), Free(called="local", steps=[{}]), budget=ledger))
    assert ledger.settled == [("a-t1", cost)]


@pytest.mark.parametrize(
    ("ledger", "why"), [(Ledger(0), "budget exhausted"), (Ledger(9, broken=True), "ledger unavailable")]
)
async def test_without_money_only_the_free_are_asked(
    ledger: Ledger, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    links = [Scripted(called="a"), Scripted(called="b"), Free(called="local", steps=[{}])]
    answer = await ask(chain(*links, budget=ledger))
    assert [hop.why for hop in answer.hops] == [f"payment: {why}", "payment", None]
    assert ledger.settled == []
    assert "azul" not in caplog.text


async def test_our_own_limit_does_not_shut_the_provider_for_other_conversations() -> None:
    ledger = Ledger(0)
    decider = chain(Scripted(called="a", steps=[{}]), Free(called="local", steps=[{}]), budget=ledger)
    await ask(decider)
    ledger.left = 1
    assert (await ask(decider)).provider == "a"


def test_an_empty_chain_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        chain()
