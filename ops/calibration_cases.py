"""Router cases as a decision provider sees them: the message, what came before, and the options that are right."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from routing.decision import CLARIFICATION, NEEDS_QUESTION, Exchange, Question
from routing.model import Frozen


class BadCases(ValueError):
    """A data set that cannot be calibrated on; the message names the line or what is missing."""


class Case(Frozen):
    """A case that a provider answers: `label` is the option that is right, `acceptable` all that are."""

    id: str
    message: str
    exchange: Exchange
    label: str
    acceptable: frozenset[str]


def load_cases(paths: Sequence[Path], question: Question) -> tuple[Case, ...]:
    """Read router cases. Those that rules decide (a person, courtesy) are left out: no provider sees them.

    Raises OSError and `BadCases`.
    """
    cases: list[Case] = []
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if not line.strip():
                continue
            try:
                case = _case(json.loads(line), question)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadCases(f"{path}:{number}: not a router case ({type(error).__name__})") from error
            if case is not None:
                cases.append(case)
    if not cases:
        raise BadCases("no case that a provider would decide")
    return tuple(cases)


def _case(raw: Mapping[str, Any], question: Question) -> Case | None:
    label = _option(raw["expected"])
    acceptable = frozenset(_option(target) for target in raw["acceptable"]) & set(question.ids)
    if label not in question.ids:
        return None
    history = [(turn["role"], turn["text"]) for turn in raw["history"]]
    last = {
        role: next((text for who, text in reversed(history) if who == role), None) for role in ("customer", "agent")
    }
    exchange = Exchange(last_customer=last["customer"], last_agent=last["agent"], current_agent=raw["current_agent"])
    return Case(id=raw["id"], message=raw["message"], exchange=exchange, label=label, acceptable=acceptable | {label})


def _option(target: object) -> str:
    return NEEDS_QUESTION if target == CLARIFICATION else str(target)
