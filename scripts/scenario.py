"""Scenarios as data: who talks, what is said, and what a reader should look at."""

import json
from pathlib import Path

from pydantic import Field

from routing.model import Frozen

FOLDER = Path(__file__).parent / "scenarios"


class Line(Frozen):
    """One message of the customer. `look` says what to look at in the answer."""

    say: str = Field(min_length=1)
    look: str


class Scenario(Frozen):
    id: int
    title: str
    customer: str
    shows: str
    turns: tuple[Line, ...] = Field(min_length=1)


def load_scenarios(folder: Path = FOLDER) -> tuple[Scenario, ...]:
    """Read every scenario of a folder, in the order of their numbers. Raises pydantic's ValidationError."""
    found = [Scenario.model_validate(json.loads(path.read_text(encoding="utf-8"))) for path in folder.glob("*.json")]
    return tuple(sorted(found, key=lambda scenario: scenario.id))
