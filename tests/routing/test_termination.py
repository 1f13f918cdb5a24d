"""The three rules, the declined rule over several turns, and the invariant under arbitrary behaviour."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.sentences import say
from routing.termination import Allowed, Leg, Stop, may_transfer, new_leg, router_switch

AGENTS = ("returns", "support", "billing", "care")
MAX_HOPS = 3


def leg(*, visited: dict[str, int], hops: int = 0, declined: dict[str, int] | None = None) -> Leg:
    return Leg(id="l1", origin=next(iter(visited)), visited=visited, hops=hops, declined=declined or {})


@pytest.mark.parametrize(
    ("start", "current", "destination", "known", "expected"),
    [
        (leg(visited={"support": 0}), "support", "billing", 0, "allowed"),
        (leg(visited={"support": 0}), "support", "support", 5, "self_handoff"),
        (leg(visited={"support": 2, "billing": 2}, hops=1), "billing", "support", 2, "loop_without_progress"),
        (leg(visited={"support": 2, "billing": 2}, hops=1), "billing", "support", 3, "allowed"),
        (leg(visited={"support": 0, "billing": 0, "returns": 0}, hops=3), "returns", "care", 9, "hop_limit"),
        (leg(visited={"support": 0, "billing": 0, "returns": 0}, hops=2), "returns", "care", 0, "allowed"),
    ],
)
def test_the_three_rules(start: Leg, current: str, destination: str, known: int, expected: str) -> None:
    verdict = may_transfer(start, current=current, destination=destination, known_facts=known, max_hops=MAX_HOPS)
    assert (verdict.code if isinstance(verdict, Stop) else "allowed") == expected


def test_what_the_first_found_itself_is_no_news_when_it_comes_back() -> None:
    first = may_transfer(new_leg("l", origin="support"), current="support", destination="billing", known_facts=4)
    assert isinstance(first, Allowed)
    back = may_transfer(first.leg, current="billing", destination="support", known_facts=4)
    assert isinstance(back, Stop)
    assert back.code == "loop_without_progress"


def test_the_fourth_hop_goes_to_a_person() -> None:
    now: Leg = new_leg("l", origin="a")
    for number, (current, destination) in enumerate((("a", "b"), ("b", "c"), ("c", "d")), 1):
        verdict = may_transfer(now, current=current, destination=destination, known_facts=number)
        assert isinstance(verdict, Allowed)
        assert verdict.leg.hops == number
        now = verdict.leg
    assert now.visited_agents == ("a", "b", "c", "d")
    assert isinstance(may_transfer(now, current="d", destination="e", known_facts=9), Stop)


def test_a_new_contact_resets() -> None:
    verdict = router_switch(None, current="billing", destination="support", known_facts=7, new_id="l9")
    assert verdict == Allowed(leg=new_leg("l9", origin="support", mark=7), hop=False)


def test_the_router_opens_a_leg() -> None:
    old = leg(visited={"support": 0, "billing": 0}, hops=2)
    verdict = router_switch(old, current="billing", destination="returns", known_facts=0, new_id="l2")
    assert verdict == Allowed(leg=new_leg("l2", origin="returns"), hop=False)


def test_staying_is_no_switch() -> None:
    old = leg(visited={"support": 0, "billing": 0}, hops=2)
    assert router_switch(old, current="billing", destination="billing", known_facts=0, new_id="x") == Allowed(
        leg=old, hop=False
    )


@pytest.mark.parametrize(("known", "stops"), [(0, True), (1, False)])
def test_the_router_may_not_insist_on_who_declined_without_a_new_fact(known: int, stops: bool) -> None:
    declined = may_transfer(new_leg("l", origin="returns"), current="returns", destination="billing", known_facts=0)
    assert isinstance(declined, Allowed)
    verdict = router_switch(declined.leg, current="billing", destination="returns", known_facts=known, new_id="l2")
    assert isinstance(verdict, Stop) is stops
    if isinstance(verdict, Stop):
        assert verdict.code == "loop_without_progress"


def test_two_that_decline_in_turn_do_not_reset_each_other() -> None:
    now: Leg = new_leg("l0", origin="returns")
    endings: list[str] = []
    current = "returns"
    for turn, target in enumerate(("returns", "support", "returns", "support")):
        switched = router_switch(now, current=current, destination=target, known_facts=0, new_id=f"l{turn}")
        if isinstance(switched, Stop):
            endings.append(switched.code)
            break
        moved = may_transfer(switched.leg, current=target, destination="billing", known_facts=0)
        if isinstance(moved, Stop):
            endings.append(moved.code)
            break
        now, current = moved.leg, "billing"
    assert endings == ["loop_without_progress"]


@pytest.mark.parametrize("code", ["self_handoff", "loop_without_progress", "hop_limit"])
@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_ending_has_its_sentence(code: str, language: str) -> None:
    assert "BA-1" in say(f"limits.{code}", language, protocol="BA-1")  # type: ignore[arg-type]


@dataclass
class Run:
    """A conversation under arbitrary behaviour: the router picks, specialists answer or decline, facts come or not."""

    legs: int = 0
    leg: Leg | None = None
    current: str | None = None
    mark: int = 0
    model_calls: int = 0
    endings: list[str] = field(default_factory=list[str])

    def turn(self, target: str, behaviour: list[str | None], new_facts: int) -> None:
        self.mark += new_facts
        self.legs += 1
        verdict = router_switch(
            self.leg,
            current=self.current,
            destination=target,
            known_facts=self.mark,
            max_hops=MAX_HOPS,
            new_id=f"l{self.legs}",
        )
        calls = 0
        while isinstance(verdict, Allowed):
            self.leg, self.current = verdict.leg, target
            calls += 1
            wanted = behaviour[calls - 1] if calls <= len(behaviour) else AGENTS[calls % len(AGENTS)]
            if wanted is None:
                break
            verdict = may_transfer(
                self.leg, current=target, destination=wanted, known_facts=self.mark, max_hops=MAX_HOPS
            )
            target = wanted
        self.model_calls += calls
        assert calls <= MAX_HOPS + 1
        self.endings.append(verdict.code if isinstance(verdict, Stop) else "replied")


turns = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.lists(st.one_of(st.none(), st.sampled_from(AGENTS)), max_size=6),
        st.integers(min_value=0, max_value=1),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(turns)
def test_every_turn_ends_once_within_its_calls(sequence: list[tuple[str, list[str | None], int]]) -> None:
    run = Run()
    for target, behaviour, news in sequence:
        run.turn(target, behaviour, news)
    assert len(run.endings) == len(sequence)
    assert run.model_calls <= len(sequence) * (MAX_HOPS + 1)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(AGENTS), st.sampled_from(AGENTS)), min_size=len(AGENTS) + 1, max_size=20))
def test_without_a_new_fact_there_is_no_endless_circle_of_declines(sequence: list[tuple[str, str]]) -> None:
    """Whoever is asked declines once at most: after that the conversation is with a person."""
    run = Run()
    for target, passes_to in sequence:
        run.turn(target, [passes_to, None], 0)
        if run.endings[-1] != "replied":
            break
    assert run.endings[-1] != "replied"
    assert len(run.endings) <= len(AGENTS) + 1


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(AGENTS), min_size=2, max_size=20))
def test_six_messages_to_one_that_declines_end_with_a_person_by_the_second(helpers: list[str]) -> None:
    run = Run()
    for helper in helpers:
        run.turn("returns", [helper, None], 0)
        if run.endings[-1] != "replied":
            break
    assert len(run.endings) <= 2
    assert run.endings[-1] != "replied"
