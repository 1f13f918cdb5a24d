"""From examples to training rows: which can be read alone, which fold holds them out, and what is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from zlib import crc32

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE
from routing.providers.local_examples import Example
from routing.providers.local_turn import Turn, turn_of

FOLDS = 5
_SEED = 20261130
# What a stay teaches the stage that reads a message alone, and what made rows count beside written ones.
_STAY_ALONE, _MADE_CONTEXT, _MADE_PAIR = 0.15, 0.2, 0.4
# Openings from which rows are made of every other one: more of them teach nothing new, and cost their time.
_PLENTY = 1000
_JOINTS = (
    ". ",
    ". Ah, e ",
    " e também ",
    ", aproveitando, ",
    ". Outra coisa: ",
    ", e ",
    ". E ",
    " and also ",
    ". Also, ",
)


@dataclass(frozen=True, kw_only=True)
class TrainingRow:
    """A turn and its option. `alone` is its weight where messages are read alone, `weight` where they are blended."""

    turn: Turn
    label: str
    fold: int
    alone: float
    weight: float = 1.0
    made: bool = False

    def with_turn(self, turn: Turn) -> "TrainingRow":
        return replace(self, turn=turn)


def training_rows(examples: Sequence[Example], options: tuple[str, ...]) -> list[TrainingRow]:
    """Return the examples as rows, then rows made of them: openings behind another conversation's last exchange, and
    two requests in one message (the first one counts).

    Lines that share their previous turn share a fold, or held-out predictions would have seen it.
    """
    written = [_row(example) for example in examples]
    random = Random(_SEED)
    contexts = sorted(
        {(e.current_agent or "", e.last_customer, e.last_agent) for e in examples if e.current_agent in options},
        key=str,
    )
    openings = [
        (e, row)
        for e, row in zip(examples, written, strict=True)
        if not e.in_context and e.second is None and e.label != NEEDS_QUESTION
    ]
    every = 1 if len(openings) < _PLENTY else 2
    made = [_behind(e, row, random.choice(contexts)) for e, row in openings[::every]] if contexts else []
    asking = [(e, row) for e, row in openings if e.label != OUT_OF_SCOPE and len(e.text) < 140]
    for example, row in asking[::every]:
        other, _ = random.choice(asking)
        if other.label != example.label:
            text = example.text.rstrip(" .!") + random.choice(_JOINTS) + other.text
            made.append(replace(row, turn=turn_of(text), alone=0.0, weight=_MADE_PAIR, made=True))
    return written + made


def _row(example: Example) -> TrainingRow:
    turn = turn_of(
        example.text, current=example.current_agent, last_customer=example.last_customer, last_agent=example.last_agent
    )
    group = f"{example.last_customer}|{example.last_agent}" if example.in_context else example.text
    alone = 1.0 if example.second is None else 0.0
    if example.in_context and example.second is None:
        alone = 0.0 if example.current_agent is None else _STAY_ALONE if example.current_agent == example.label else 1.0
    return TrainingRow(
        turn=turn, label=example.label, fold=crc32(group.encode("utf-8", "replace")) % FOLDS, alone=alone
    )


def _behind(example: Example, row: TrainingRow, context: tuple[str, str | None, str | None]) -> TrainingRow:
    current, customer, agent = context
    turn = turn_of(example.text, current=current, last_customer=customer, last_agent=agent)
    return replace(row, turn=turn, alone=0.0, weight=_MADE_CONTEXT, made=True)
