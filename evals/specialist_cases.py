"""A specialist case: who is served, what the package holds, what is said, and what must then be on record."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from evals.datasets import BadCases, read_cases
from evals.expecting import Expect
from evals.fixed_package import FixedPackage
from routing.authority import Rule
from routing.model import Frozen, Language

VISITOR = "visitor"


class SpecialistCase(Frozen):
    """`customer` is one of the demo shop's, or a visitor without a login. `rules` are further lines of authority.

    `unseen`: written without a look at what the offline model understands, and nothing is tuned by it.
    """

    id: str = Field(pattern=r"^[a-z0-9-]{3,40}$")
    agent: str
    purpose: str = Field(min_length=1)
    lang: Language = "pt"
    customer: str = "c1"
    package: FixedPackage = FixedPackage()
    rules: tuple[Rule, ...] = ()
    unseen: bool = False
    messages: tuple[str, ...] = Field(min_length=1)
    expect: Expect


def files_of(dataset: Path) -> list[Path]:
    """Return a dataset's files: itself, or those of a folder."""
    return sorted(dataset.glob("*.jsonl")) if dataset.is_dir() else [dataset]


def read_specialist_cases(dataset: Path, *, agents: Sequence[str]) -> tuple[SpecialistCase, ...]:
    """Return the cases. Raises `BadCases` also for an id that comes twice or a specialist that is not there."""
    cases = read_cases(SpecialistCase, files_of(dataset))
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise BadCases(f"{dataset}: id {case.id!r} comes twice")
        if case.agent not in agents:
            raise BadCases(f"{dataset}: {case.id}: no specialist {case.agent!r}; there are: {', '.join(agents)}")
        seen.add(case.id)
    return cases


def spread(cases: Sequence[SpecialistCase], at_most: int | None) -> tuple[SpecialistCase, ...]:
    """Return at most so many cases in their order, evenly from the whole: they lie by specialist and subject."""
    if at_most is None or at_most >= len(cases):
        return tuple(cases)
    return tuple(cases[place * len(cases) // at_most] for place in range(at_most))
