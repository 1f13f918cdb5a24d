"""Scenarios as data: who talks, what is said and done, what to look at, and what must then be on record."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Discriminator, Field, Tag, ValidationError, model_validator

from graph.events import TurnStatus
from graph.people import ActionKind
from routing.model import Frozen
from scripts.demo_clock import Moment, Opening
from scripts.scenario_expect import Expectation
from scripts.scenario_problems import explained
from stubs.scripted import Script

FOLDER = Path(__file__).parent / "scenarios"
_WITH_WORDS = ("reply", "note")


class ScenarioError(ValueError):
    """A scenario that cannot be played; the message names the file, the place and what would be right."""


class _Step(Frozen):
    """`look` says what to look at; `expect` what must be on record after it."""

    look: str = ""
    expect: tuple[Expectation, ...] = ()


class Operate(_Step):
    """An operator's action. `item` names the kind of queue item that is meant, where it is not the conversation."""

    operator: str = Field(min_length=1)
    does: ActionKind
    text: str | None = None
    item: str | None = None

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        if self.does in _WITH_WORDS and not self.text:
            raise ValueError(f"{self.does!r} needs a `text`")
        return self


class Line(_Step):
    """One message of the customer. `to` is the specialist that the shop's site chose; `ends` how the turn must end.

    `meanwhile` happens while the reply is being written.
    """

    say: str = Field(min_length=1)
    look: str = Field(min_length=1)
    to: str | None = None
    ends: TurnStatus | None = None
    meanwhile: tuple[Operate, ...] = ()


class Fill(_Step):
    """Many messages, said in turn; the clock goes on by `minutes` between them."""

    fill: tuple[str, ...] = Field(min_length=1)
    turns: int = Field(ge=1, le=500)
    minutes: int = Field(default=0, ge=0)


class Move(_Step):
    """Move the clock, and do what happens by it: reminders, time-outs, contacts that end."""

    clock: Moment


class Fresh(_Step):
    """Begin another conversation of the same customer; `conversation` says which."""

    conversation: str = Field(min_length=1)


_STEPS: dict[str, type[_Step]] = {"say": Line, "operator": Operate, "fill": Fill, "clock": Move, "conversation": Fresh}


def _kind(value: Any) -> str | None:
    """Tell the kinds of step apart by their own key."""
    if isinstance(value, dict):
        return next((key for key in _STEPS if key in value), None)
    return next((key for key, model in _STEPS.items() if isinstance(value, model)), None)


Step = Annotated[
    Annotated[Line, Tag("say")]
    | Annotated[Operate, Tag("operator")]
    | Annotated[Fill, Tag("fill")]
    | Annotated[Move, Tag("clock")]
    | Annotated[Fresh, Tag("conversation")],
    Discriminator(
        _kind,
        custom_error_type="unknown_step",
        custom_error_message=f"a step has one of these keys: {', '.join(_STEPS)}",
    ),
]


class Scenario(Frozen):
    """`starts` gives it a clock of its own. `stand_ins` are shown as such: who follows a script, and why."""

    id: str = Field(pattern=r"^[0-9a-z-]{1,20}$")
    title: str = Field(min_length=1)
    customer: str
    shows: str
    starts: Opening | None = None
    stand_ins: Script = Script()
    turns: tuple[Step, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_a_clock(self) -> Self:
        moves = any(isinstance(step, Move) or (isinstance(step, Fill) and step.minutes) for step in self.turns)
        if moves and self.starts is None:
            raise ValueError(
                '`starts` is missing: a scenario that moves the clock says where it stands ("monday opening")'
            )
        return self

    @property
    def scripted(self) -> bool:
        return bool(self.stand_ins.router or self.stand_ins.specialists)


def load_scenarios(folder: Path = FOLDER) -> tuple[Scenario, ...]:
    """Read every scenario of a folder, numbers before letters. Raises ScenarioError."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise ScenarioError(f"{folder}: there is no scenario (*.json)")
    found: dict[str, tuple[Scenario, str]] = {}
    for path in files:
        scenario = _load(path)
        if scenario.id in found:
            raise ScenarioError(f"{path.name}: id {scenario.id!r} is taken by {found[scenario.id][1]}; choose another")
        found[scenario.id] = (scenario, path.name)
    return tuple(sorted((scenario for scenario, _ in found.values()), key=_place))


def _place(scenario: Scenario) -> tuple[bool, int, str]:
    return (not scenario.id.isdigit(), int(scenario.id) if scenario.id.isdigit() else 0, scenario.id)


def _load(path: Path) -> Scenario:
    try:
        return Scenario.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path.name}: not JSON ({error})") from error
    except ValidationError as error:
        raise ScenarioError(explained(path.name, Scenario, _STEPS, error)) from error


def chosen(known: Iterable[Scenario], names: Iterable[str]) -> tuple[Scenario, ...]:
    """Return the named scenarios in their own order; all of them without a name. Raises ScenarioError for an unknown one."""
    known, wanted = tuple(known), set(names)
    ids = [scenario.id for scenario in known]
    if unknown := sorted(wanted - set(ids)):
        raise ScenarioError(f"no scenario {', '.join(map(repr, unknown))}; there are: {', '.join(ids)}")
    return tuple(scenario for scenario in known if not wanted or scenario.id in wanted)
