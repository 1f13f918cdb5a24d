from pathlib import Path

import pytest

from evals.datasets import BadCases, read_cases
from evals.integrity_cases import IntegrityCase

GOOD = '{"id": "a", "turns": [{"role": "customer", "text": "oi"}], "boundary": 1, "values": []}'


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_blank_lines_do_not_count(tmp_path: Path) -> None:
    assert [case.id for case in read_cases(IntegrityCase, [written(tmp_path, GOOD, "", GOOD)])] == ["a", "a"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "cases.jsonl:2"),
        (GOOD.replace('"boundary": 1', '"boundary": 2'), "behind the last turn"),
        (
            GOOD.replace('"values": []', '"values": [{"key": "order", "value": "1", "turn": 1}]'),
            "not before the boundary",
        ),
        (GOOD.replace("customer", "robot"), "turns.0.role"),
        (GOOD.replace('"values"', '"valves"'), "valves"),
    ],
)
def test_what_is_no_case_is_refused_with_its_line(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(BadCases, match=says):
        read_cases(IntegrityCase, [written(tmp_path, GOOD, line)])


def test_a_file_that_is_missing_or_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCases, match="cannot be read"):
        read_cases(IntegrityCase, [tmp_path / "none.jsonl"])
    with pytest.raises(BadCases, match="no cases"):
        read_cases(IntegrityCase, [written(tmp_path, "")])
