"""A simulated customer as data: what it wants, how it opens, and how it reacts to what it reads."""

import re
from pathlib import Path
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from evals.datasets import BadCases, read_cases
from evals.expecting import Expect, Pattern
from evals.specialist_cases import files_of
from routing.model import Frozen, Language
from routing.values import flat

START = "start"
Manner = Literal[
    "plain", "corrects", "digresses", "impatient", "terse", "vague", "changes_mind", "two_things", "insists"
]


class Reaction(Frozen):
    """In this state ("*": in any), to a reply in which `when` is found (none: to any reply): say this, be in state `to`.

    A reaction is used `times` times at most: a person who was not understood says it otherwise, or goes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    in_: str = Field(default="*", alias="in")
    when: Pattern | None = None
    say: str = Field(min_length=1)
    to: str | None = None
    times: int = Field(default=1, ge=1)


class SimulatedCustomer(Frozen):
    """Whoever reads a reply takes the first reaction that fits and is not used up; without one the customer gives up.

    `goal` is looked for in the records after each reply; `patience` counts messages. What must have been said before the goal
    counts is a `said` of it.
    """

    id: str = Field(pattern=r"^[a-z0-9-]{3,40}$")
    purpose: str = Field(min_length=1)
    manner: Manner
    lang: Language = "pt"
    customer: str = "c1"
    opens: str = Field(min_length=1)
    reactions: tuple[Reaction, ...] = ()
    goal: Expect
    patience: int = Field(default=8, ge=1, le=20)

    @model_validator(mode="after")
    def _is_a_machine(self) -> Self:
        reached = {START, *(r.to for r in self.reactions if r.to)}
        if lost := [r.in_ for r in self.reactions if r.in_ not in ("*", *reached)]:
            raise ValueError(f"no reaction leads to the state {lost[0]!r}")
        return self


class Mind:
    """Where a simulated customer stands in its script."""

    def __init__(self, customer: SimulatedCustomer) -> None:
        self._customer = customer
        self._state = START
        self._used: dict[int, int] = {}

    def answer(self, reply: str) -> str | None:
        """Return what the customer says to a reply; None: nothing, it gives up."""
        words = flat(reply)
        for number, reaction in enumerate(self._customer.reactions):
            if reaction.in_ not in ("*", self._state) or self._used.get(number, 0) >= reaction.times:
                continue
            if reaction.when is None or re.search(reaction.when, words):
                self._used[number] = self._used.get(number, 0) + 1
                self._state = reaction.to or self._state
                return reaction.say
        return None


def read_customers(dataset: Path) -> tuple[SimulatedCustomer, ...]:
    """Return the customers of a file or a folder of `*.jsonl`. Raises `BadCases`, also for an id that comes twice."""
    found = read_cases(SimulatedCustomer, files_of(dataset))
    ids = [customer.id for customer in found]
    if twice := [id for id in ids if ids.count(id) > 1]:
        raise BadCases(f"{dataset}: id {twice[0]!r} comes twice")
    return found
