"""The claims runner: rows as data, what was caught and blocked with n and interval, and every miss by name."""

import json
from pathlib import Path

import pytest

from evals.claims import ClaimCase, main, report, score, share

FALSE = {"id": "f1", "kind": "cancel", "lang": "pt", "text": "Cancelei o pedido."}
MISSED = {"id": "f2", "kind": "approval", "lang": "pt", "text": "Bom dia!"}
BACKED = {
    "id": "i1", "kind": "receipt", "lang": "pt", "text": "Cancelei o pedido, protocolo CA-1.",
    "context": {"receipts": [{"protocol": "CA-1", "kind": "cancellation", "at": "2026-11-30T14:00:00Z"}]},
}  # fmt: skip
BLOCKED = {"id": "i2", "kind": "offer", "lang": "pt", "text": "Cancelei o pedido."}


def written(path: Path, *rows: dict[str, object]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_the_report_counts_with_an_interval_and_names_what_was_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    false = written(tmp_path / "f.jsonl", FALSE, MISSED)
    innocent = written(tmp_path / "i.jsonl", BACKED, BLOCKED)
    assert main(["--false", false, "--innocent", innocent]) == 0
    said = capsys.readouterr().out
    assert "false: caught 50.0 % (1/2; 9.5 to 90.5)" in said
    assert "innocent: blocked 50.0 % (1/2; 9.5 to 90.5)" in said
    assert "f2 approval : 'Bom dia!'" in said
    assert "i2 offer action: 'Cancelei o pedido.'" in said
    assert "f1" not in said
    assert "i1" not in said


def test_grave_kinds_are_counted_apart() -> None:
    scored = score(
        [ClaimCase.model_validate(row) for row in (FALSE, MISSED, {**FALSE, "id": "f3", "kind": "transfer"})]
    )
    assert (share(scored).n, share(scored, kinds=("approval", "cancel")).n) == (3, 2)
    assert any(line.strip().startswith("approval + refund + cancel") for line in report(scored, side="false"))


@pytest.mark.parametrize(
    "row", [{"id": "x"}, {**FALSE, "context": {"receipt": []}}, {**FALSE, "context": {"facts": [{"key": "x"}]}}]
)
def test_a_row_that_is_no_case_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: dict[str, object]
) -> None:
    assert main(["--false", written(tmp_path / "f.jsonl", row)]) == 2
    assert "claims: " in capsys.readouterr().err


def test_nothing_to_score_is_an_error_of_the_command_line() -> None:
    with pytest.raises(SystemExit):
        main([])
