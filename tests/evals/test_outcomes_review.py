"""A person's answers in the review file: what becomes a case, under which label, and what is refused with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.datasets import BadCases, read_cases
from evals.outcomes import Candidate
from evals.outcomes_review import cases_text, ranked, read_review, review_text
from evals.router_cases import RouterCase, Said

TEAM = ("returns", "support", "billing")


def candidate(n: int = 1, **changed: Any) -> Candidate:
    given: dict[str, Any] = {
        "id": f"outcome-{n}", "contact": "AT-AAAA-BBBB", "channel": "web", "how": "passed_on", "lang": "pt", "context": (), "current_agent": None,
        "message": f"cobrança dobrada no pix {n}", "chose": "support", "because": "confident", "confidence": 0.8,
        "happened": "support passed it on to billing (duplicate_charge)", "proposed": "billing",
    }  # fmt: skip
    return Candidate.model_validate(given | changed)


def reviewed(path: Path, *lines: tuple[Candidate, Any]) -> Path:
    """Write a review file and a person's answers into it."""
    rows = [json.loads(text) for text in review_text([line for line, _ in lines]).splitlines()]
    assert all(row["accept"] == "" for row in rows)
    answered = [{**row, "accept": said} for row, (_, said) in zip(rows, lines, strict=True)]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in answered), "utf-8")
    return path


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("yes", "billing"), ("SIM", "billing"), (" x ", "billing"), (True, "billing"), ("returns", "returns"), ("Person", "person"),
        ("clarification", "clarification"), ("no", None), ("não", None), (False, None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_an_answer_takes_drops_or_corrects(said: Any, label: str | None, tmp_path: Path) -> None:
    accepted, waiting = read_review(reviewed(tmp_path / "r.jsonl", (candidate(), said)), specialists=TEAM)
    assert [given for _, given in accepted] == ([] if label is None else [label])
    assert waiting == (said in ("", None))


@pytest.mark.parametrize(
    ("changed", "label", "case"),
    [
        ({}, "billing", {"kind": "opening", "expected": "billing", "ambiguous": False}),
        ({"current_agent": "support"}, "billing", {"kind": "topic_switch"}),
        ({"current_agent": "billing"}, "billing", {"kind": "follow_up"}),
        ({"lang": "en"}, "billing", {"kind": "english", "lang": "en"}),
        ({}, "clarification", {"kind": "ambiguous", "expected": "clarification", "ambiguous": True}),
        ({}, "out_of_scope", {"kind": "out_of_scope"}),
    ],
)
def test_an_accepted_line_is_a_case_of_the_projects_own_format(
    changed: dict[str, Any], label: str, case: dict[str, Any], tmp_path: Path
) -> None:
    given = candidate(
        **changed, context=(Said(role="customer", text="oi"), Said(role="agent", agent="support", text="olá"))
    )
    accepted, _ = read_review(reviewed(tmp_path / "r.jsonl", (given, label)), specialists=TEAM)
    out = tmp_path / "cases.jsonl"
    out.write_text(cases_text(accepted), "utf-8")
    (read,) = read_cases(RouterCase, [out])
    assert (read.message, read.expected, read.history[-1].agent) == (given.message, label, "support")
    raw = json.loads(out.read_text("utf-8"))
    assert case.items() <= raw.items()
    assert "accepted by a person" in raw["provenance"]
    assert ("reviewer" in raw["provenance"]) == (label != given.proposed)
    assert "AT-AAAA-BBBB" not in out.read_text("utf-8")  # a case leads to nobody's contact


def test_nonsense_is_refused_with_every_line_that_holds_some(tmp_path: Path) -> None:
    path = reviewed(
        tmp_path / "r.jsonl",
        (candidate(1), "yes"), (candidate(2), "maybe"), (candidate(3, proposed=None), "yes"), (candidate(1), "no"), (candidate(5), 7),
    )  # fmt: skip
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{broken\n" + json.dumps({"id": "x"}) + "\n")
    with pytest.raises(BadCases) as refused:
        read_review(path, specialists=TEAM)
    said = str(refused.value).splitlines()
    assert [line.split(":")[1] for line in said] == ["2", "3", "4", "5", "7", "8"]
    assert "'maybe': write yes, no, or one of returns, support, billing" in said[0]
    assert "no label is proposed" in said[1]
    assert "outcome-1 is line 1 again" in said[2]


def test_what_is_most_instructive_comes_first_and_the_same_is_asked_once() -> None:
    solved, sure = candidate(1, how="solved", confidence=0.61), candidate(2, confidence=0.9)
    unsure, again = candidate(3, confidence=0.7), candidate(4, message="Cobrança  DOBRADA no pix 2".replace("  ", " "))
    assert [c.id for c in ranked([solved, sure, unsure, again])] == ["outcome-3", "outcome-2", "outcome-1"]
