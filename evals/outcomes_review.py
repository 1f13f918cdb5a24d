"""The review file: a candidate a line, and what a person wrote into `accept`. Accepted lines become router cases."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import JsonValue, ValidationError

from evals.datasets import BadCases
from evals.outcomes import HOWS, Candidate, labels_of
from evals.router_cases import Kind, RouterCase
from routing.decision import CLARIFICATION, OUT_OF_SCOPE
from routing.values import flat

_YES = frozenset({"yes", "y", "sim", "s", "x", "ok", "true"})
_NO = frozenset({"no", "n", "nao", "false"})


class ReviewLine(Candidate):
    """`accept`: empty where nobody has looked; yes takes the proposed label, no drops the line, a label is that label."""

    accept: str | bool | None = ""


def ranked(found: Iterable[Candidate]) -> list[Candidate]:
    """Order candidates for a person: what was passed on before what was solved, the least certain choice first.

    The same message in the same place with the same proposal is shown once.
    """
    once: dict[tuple[str, ...], Candidate] = {}
    for each in found:
        said = tuple(line.text for line in each.context)
        once.setdefault((flat(each.message), str(each.current_agent), str(each.proposed), *said), each)
    return sorted(
        once.values(), key=lambda c: (HOWS.index(c.how), c.confidence if c.confidence is not None else 1.0, c.id)
    )


def review_text(found: Sequence[Candidate]) -> str:
    """Return the review file's text."""
    lines = [ReviewLine.model_validate(each.model_dump()) for each in found]
    return "".join(json.dumps(line.model_dump(), ensure_ascii=False) + "\n" for line in lines)


def read_review(path: Path, *, specialists: Sequence[str]) -> tuple[list[tuple[ReviewLine, str]], int]:
    """Return the accepted lines, each with its label, and how many lines nobody has looked at.

    Raises `BadCases` that names every line of which nothing can be made; then no line is taken.
    """
    accepted: list[tuple[ReviewLine, str]] = []
    wrong: list[str] = []
    waiting = 0
    first: dict[str, int] = {}
    for number, text in enumerate(_lines(path), 1):
        if not text.strip():
            continue
        try:
            line = ReviewLine.model_validate_json(text)
            label = _label(line, labels_of(specialists))
            if (known := first.setdefault(line.id, number)) != number:
                raise ValueError(f"{line.id} is line {known} again")
        except ValidationError as error:
            problem = error.errors()[0]
            wrong.append(f"{path}:{number}: {'.'.join(map(str, problem['loc'])) or 'line'}: {problem['msg']}")
            continue
        except ValueError as error:
            wrong.append(f"{path}:{number}: {error}")
            continue
        waiting += label is None
        if label:
            accepted.append((line, label))
    if wrong:
        raise BadCases("\n".join(wrong))
    return accepted, waiting


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCases(f"{path}: cannot be read ({error})") from error


def _label(line: ReviewLine, labels: Sequence[str]) -> str | None:
    """Return what the person said: a label, "" for no, None for nothing. Raises ValueError for what is none of these."""
    said = "" if line.accept is None else flat(str(line.accept)).strip()
    if not said:
        return None
    if said in _NO:
        return ""
    label = line.proposed if said in _YES else said
    if label is None:
        raise ValueError(
            f"accept is {line.accept!r}, but no label is proposed: write one of {', '.join(labels)}, or no"
        )
    if label not in labels:
        raise ValueError(f"accept is {line.accept!r}: write yes, no, or one of {', '.join(labels)}")
    return label


def case_of(line: ReviewLine, label: str) -> dict[str, JsonValue]:
    """Return the router case of an accepted line, in the format of the project's own sets."""
    corrected = "" if label == line.proposed else ", label by the reviewer"
    ambiguous = label == CLARIFICATION
    case: dict[str, JsonValue] = {
        "id": line.id, "kind": _kind(line, label), "lang": line.lang,
        "provenance": f"stored contact ({line.channel}), {line.how}, accepted by a person{corrected}",
        "history": [said.model_dump(exclude_none=True) for said in line.context], "current_agent": line.current_agent,
        "message": line.message, "expected": label, "acceptable": [label], "ambiguous": ambiguous,
    }  # fmt: skip
    RouterCase.model_validate(case)
    return case


def cases_text(accepted: Sequence[tuple[ReviewLine, str]]) -> str:
    """Return the text of a dataset."""
    return "".join(json.dumps(case_of(line, label), ensure_ascii=False) + "\n" for line, label in accepted)


def _kind(line: ReviewLine, label: str) -> Kind:
    """Return what sort of moment it was, as the project's own sets are divided."""
    if label == CLARIFICATION:
        return "ambiguous"
    if label == OUT_OF_SCOPE:
        return "out_of_scope"
    if line.lang == "en":
        return "english"
    if line.current_agent is None:
        return "opening"
    return "follow_up" if line.current_agent == label else "topic_switch"
