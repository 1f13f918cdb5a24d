import pytest

from routing.queue_moves import Refused, Standing, Step, move

WAITING, MINE = Standing(status="waiting"), Standing(status="claimed", operator="bia")
THEIRS = Standing(status="claimed", operator="caio")
DONE, GONE = Standing(status="resolved", operator="bia"), Standing(status="withdrawn")
CLOSED = Standing(status="resolved", operator="bia")
TAKING: tuple[Step, ...] = ("claim", "reply")
CLOSING: tuple[Step, ...] = ("hand_back", "resolve", "approve", "reject", "happened", "did_not_happen")


@pytest.mark.parametrize("step", TAKING)
@pytest.mark.parametrize("item", [WAITING, MINE])
def test_taking_what_is_free_or_ones_own(item: Standing, step: Step) -> None:
    assert move(item, step, operator="bia") == MINE


@pytest.mark.parametrize("step", CLOSING)
@pytest.mark.parametrize("item", [WAITING, MINE])
def test_closing_what_is_free_or_ones_own(item: Standing, step: Step) -> None:
    assert move(item, step, operator="bia") == CLOSED


@pytest.mark.parametrize("step", [*TAKING, *CLOSING])
def test_a_colleagues_item_is_the_colleagues(step: Step) -> None:
    assert move(THEIRS, step, operator="bia") == Refused(because="claimed_by_another")


@pytest.mark.parametrize("step", [*TAKING, *CLOSING, "withdraw", "release"])
@pytest.mark.parametrize("item", [DONE, GONE])
def test_what_is_over_is_over(item: Standing, step: Step) -> None:
    assert move(item, step, operator="bia") == Refused(because="over")


@pytest.mark.parametrize(
    ("item", "step", "after"),
    [
        (WAITING, "withdraw", GONE),
        (MINE, "withdraw", Refused(because="claimed")),
        (MINE, "release", WAITING),
        (WAITING, "release", Refused(because="not_claimed")),
    ],
)
def test_the_bot_withdraws_and_the_clock_releases(item: Standing, step: Step, after: object) -> None:
    assert move(item, step) == after


@pytest.mark.parametrize("item", [WAITING, MINE, THEIRS, DONE, GONE])
def test_a_note_moves_nothing(item: Standing) -> None:
    assert move(item, "note", operator="bia") == item
