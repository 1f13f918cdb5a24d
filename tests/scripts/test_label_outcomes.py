"""The command over a month of contacts: a review file, a person's answers, cases that the router suite reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.datasets import read_cases
from evals.router_cases import RouterCase
from scripts.label_outcomes import main
from tests.months import month_url as month_url

OCTOBER = ["--since", "2026-10-01", "--until", "2026-10-31"]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_contacts_become_candidates_and_accepted_candidates_cases(
    month_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review, cases, environ = tmp_path / "review.jsonl", tmp_path / "cases.jsonl", {"DATABASE_URL": month_url}
    assert main([*OCTOBER, "--out", str(review)], environ=environ) == 0
    said = capsys.readouterr().out
    ended = int(said.split(" contacts ended")[0])
    assert ended > 0
    assert f"{ended} contacts ended in these days; {ended} are left out" in said
    assert "Nothing to review" in said
    assert not review.exists()

    asked = [*OCTOBER, "--with-simulated", "--out", str(review)]
    assert main(asked, environ=environ) == 0
    rows = rows_of(review)
    assert f"{len(rows)} candidates" in capsys.readouterr().out
    assert {row["how"] for row in rows} >= {"passed_on"}
    assert all(row["proposed"] != row["chose"] for row in rows if row["how"] == "passed_on")
    assert all("thanks" in row["happened"] for row in rows if row["how"] == "solved")  # no act and no word: nothing
    assert review.stat().st_mode & 0o077 == 0
    assert {"message", "context", "chose", "happened", "proposed", "accept"} <= set(rows[0])
    assert main(asked, environ=environ) == 2
    assert "may hold a person's answers" in capsys.readouterr().err

    assert main(["--accept", str(review), "--out", str(cases)], environ={}) == 2
    assert "no line is accepted" in capsys.readouterr().err
    proposed = next(row for row in rows if row["proposed"])
    proposed["accept"] = "sim"
    review.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["--accept", str(review), "--out", str(cases)], environ={}) == 0
    assert (
        f"1 cases in {cases}, 0 of them with the reviewer's own label; {len(rows) - 1} lines" in capsys.readouterr().out
    )
    (case,) = read_cases(RouterCase, [cases])
    assert (case.message, case.expected) == (proposed["message"], proposed["proposed"])
    assert "(simulated)" in rows_of(cases)[0]["provenance"]

    proposed["accept"] = "financeiro"
    review.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["--accept", str(review), "--out", str(cases)], environ={}) == 2
    assert f"{review}:{rows.index(proposed) + 1}: accept is 'financeiro'" in capsys.readouterr().err


def test_what_cannot_be_used_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "o.jsonl")
    assert main(["--out", out], environ={"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}) == 2
    assert capsys.readouterr().err.startswith("label_outcomes: ")
    assert main(["--accept", str(tmp_path / "none.jsonl"), "--out", out], environ={}) == 2
    assert "none.jsonl: cannot be read" in capsys.readouterr().err
