"""When a conversation may move between specialists, and when it must go to a person. Pure: an invariant of the router.

`known_facts` is a mark that only grows: it counts new facts, done effects and people's answers. "A fact is new since"
means that the mark is higher now than it was then.
"""

from typing import Literal

from pydantic import Field

from routing.model import Frozen

StopCode = Literal["self_handoff", "loop_without_progress", "hop_limit"]


class Leg(Frozen):
    """A run of transfers that began with a router's decision.

    `visited` holds, per specialist, the mark when it last had the conversation; `declined` the mark when it last
    declared `not_mine`. Both keep their order. A decline outlives the leg until a fact is new.
    """

    id: str
    origin: str
    visited: dict[str, int] = Field(default_factory=dict[str, int])
    hops: int = 0
    declined: dict[str, int] = Field(default_factory=dict[str, int])

    @property
    def visited_agents(self) -> tuple[str, ...]:
        return tuple(self.visited)


class Allowed(Frozen):
    """Go on in `leg`. `hop` tells a transfer from the router's fresh start."""

    leg: Leg
    hop: bool = True


class Stop(Frozen):
    """Go to a person, for this reason. `leg` is unchanged apart from the decline that led here."""

    code: StopCode
    leg: Leg


def new_leg(id: str, *, origin: str, mark: int = 0, declined: dict[str, int] | None = None) -> Leg:
    return Leg(id=id, origin=origin, visited={origin: mark}, declined=declined or {})


def may_transfer(leg: Leg, *, current: str, destination: str, known_facts: int, max_hops: int = 3) -> Allowed | Stop:
    """Decide a transfer that `current` asked for by declaring `not_mine`. First rule that refuses wins."""
    left = leg.model_copy(
        update={
            "visited": leg.visited | {current: known_facts},
            "declined": leg.declined | {current: known_facts},
        }
    )
    return _hop(left, since=leg.visited, current=current, destination=destination, known=known_facts, max_hops=max_hops)


def router_switch(
    leg: Leg | None, *, current: str | None, destination: str, known_facts: int, max_hops: int = 3, new_id: str
) -> Allowed | Stop:
    """Decide a switch by the router.

    A destination that declined, without a new fact since, is a hop whose visit is the decline; anything else opens a
    leg. The declines that still hold go along into it: else two specialists that decline in turn would reset each other
    for ever, one message at a time. `leg` None is a new contact.
    """
    if leg is None or current is None:
        return Allowed(leg=new_leg(new_id, origin=destination, mark=known_facts), hop=False)
    declined_at = leg.declined.get(destination)
    if declined_at is not None and known_facts <= declined_at:
        return _hop(
            leg, since={destination: declined_at}, current=current, destination=destination, known=known_facts,
            max_hops=max_hops,
        )  # fmt: skip
    if destination == current:
        return Allowed(leg=leg, hop=False)
    holding = {agent: mark for agent, mark in leg.declined.items() if known_facts <= mark}
    return Allowed(leg=new_leg(new_id, origin=destination, mark=known_facts, declined=holding), hop=False)


def _hop(
    leg: Leg, *, since: dict[str, int], current: str, destination: str, known: int, max_hops: int
) -> Allowed | Stop:
    if destination == current:
        return Stop(code="self_handoff", leg=leg)
    before = since.get(destination)
    if before is not None and known <= before:
        return Stop(code="loop_without_progress", leg=leg)
    if leg.hops >= max_hops:
        return Stop(code="hop_limit", leg=leg)
    moved = leg.model_copy(update={"hops": leg.hops + 1, "visited": leg.visited | {destination: known}})
    return Allowed(leg=moved)
