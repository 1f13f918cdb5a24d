import pytest

from routing.providers.breaker import Breaker, Breakers
from tests.routing.providers.scripted import Clock


@pytest.mark.parametrize(
    ("retry_after", "opens_for"),
    [(3.0, 3.0), (0.0, 0.0), (90.0, 30.0), (None, 2.0), (-5.0, 2.0)],
)
def test_it_opens_for_what_the_server_asks_but_thirty_seconds_at_most(
    retry_after: float | None, opens_for: float
) -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    breaker.fail("retryable", retry_after)
    if opens_for:
        clock.pass_s(opens_for - 0.01)
        assert not breaker.enter()
        clock.pass_s(0.02)
    assert breaker.enter()


def test_without_a_time_it_waits_twice_as_long_each_time() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    waits: list[float] = []
    for _ in range(6):
        breaker.fail("retryable")
        assert breaker.open_until is not None
        waits.append(breaker.open_until - clock())
        clock.pass_s(waits[-1])
        assert breaker.enter()
    assert waits == [2, 4, 8, 16, 30, 30]
    breaker.succeed()
    breaker.fail("retryable")
    assert breaker.open_until == clock() + 2


def test_one_probe_at_a_time() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    breaker.fail("retryable", 1.0)
    clock.pass_s(1.0)
    assert [breaker.enter(), breaker.enter()] == [True, False]
    breaker.leave()
    assert breaker.enter()
    breaker.succeed()
    assert [breaker.enter(), breaker.enter()] == [True, True]


def test_garbage_opens_at_the_third_in_a_row_only() -> None:
    breaker = Breaker(clock=Clock())
    for kind in ("garbage", "garbage", "ours", "garbage", "garbage"):
        breaker.fail(kind)  # type: ignore[arg-type]
        assert breaker.enter()
    breaker.fail("garbage")
    assert not breaker.enter()


@pytest.mark.parametrize(("retry_after", "shut"), [(None, False), (30.0, True)])
def test_our_own_fault_opens_only_where_it_asks_for_it(retry_after: float | None, shut: bool) -> None:
    breaker = Breaker(clock=Clock())
    breaker.fail("ours", retry_after)
    assert breaker.enter() is not shut


def test_each_provider_has_its_own() -> None:
    breakers = Breakers(clock=Clock())
    breakers.of("a").fail("retryable")
    assert not breakers.of("a").enter()
    assert breakers.of("b").enter()
