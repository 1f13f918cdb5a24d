"""Operators' sign-ins: so many wrong ones, then none for a while, over every process, and with an audit row."""

import asyncio

import pytest

from graph.limits import Limits
from graph.rates import TooMany
from ops.sign_in import refused_token, sign_in
from tests.graph.acting import MONDAY, SetClock, rows
from tests.graph.conftest import Desk, Make
from tests.graph.conftest import make_desk as make_desk


@pytest.fixture
async def desk(make_desk: Make) -> Desk:
    return await make_desk({}, lambda m, e: "support", limits=Limits(sign_in_tries=3), clock=SetClock(MONDAY))


async def tries(desk: Desk, *rights: bool, name: str = "bia", known: bool = True) -> list[str]:
    return [(await sign_in(desk.services, name=name, known=known, right=right)).outcome for right in rights]


async def test_after_so_many_wrong_ones_a_right_one_is_not_looked_at(desk: Desk) -> None:
    assert await tries(desk, False, False, False, True) == ["wrong", "wrong", "wrong", "locked"]
    assert (await sign_in(desk.services, name="bia", known=True, right=True)).retry_s == 900
    assert await tries(desk, True, name="caio") == ["in"]
    desk.services.clock.pass_(seconds=901)  # type: ignore[attr-defined]  # a SetClock
    assert await tries(desk, True) == ["in"]
    noted = await rows(desk, "select actor, rule from audit order by id")
    assert [(row["actor"], row["rule"]) for row in noted] == [
        *[("operator:bia", "sign_in_refused")] * 3,
        ("operator:bia", "sign_in_locked"),
    ]


async def test_a_right_one_uses_up_no_try(desk: Desk) -> None:
    assert await tries(desk, *[True] * 6) == ["in"] * 6
    assert await tries(desk, False, False, True, False) == ["wrong", "wrong", "in", "wrong"]


async def test_tries_at_the_same_time_do_not_get_around_the_limit(desk: Desk) -> None:
    found = await asyncio.gather(*(tries(desk, False) for _ in range(9)))
    assert [outcome for outcomes in found for outcome in outcomes].count("wrong") == 3


async def test_a_name_that_nobody_has_is_counted_and_not_written_down(desk: Desk) -> None:
    secret = "a password typed in the wrong box"
    assert await tries(desk, *[False] * 4, name=secret, known=False) == ["wrong"] * 3 + ["locked"]
    assert secret not in str(await rows(desk, "select * from audit")) + str(await rows(desk, "select * from attempts"))


async def test_wrong_tokens_are_counted_by_address(desk: Desk) -> None:
    for _ in range(3):
        await refused_token(desk.services, address="198.51.100.7")
    with pytest.raises(TooMany):
        await refused_token(desk.services, address="198.51.100.7")
    await refused_token(desk.services, address="198.51.100.8")
