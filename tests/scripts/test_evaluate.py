"""The command: what it prints, what it writes, and when it fails."""

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.evaluate import main
from tests.evals.cases import OWN, case

HANDOFF = ["handoff", "--dataset", *(str(path) for path in OWN if path.stem == "corrections")]


def written(tmp_path: Path, *cases: Any) -> str:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(each.model_dump_json() for each in cases), "utf-8")
    return str(path)


@pytest.mark.parametrize("pad", ["0", "60"])
def test_handoff_prints_figures_and_writes_rows(pad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    assert main([*HANDOFF, "--pad", pad, "--json", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "handoff: 6 cases" in shown
    assert "100.0 %" in shown
    found = json.loads(out.read_text("utf-8"))
    assert (found["suite"], found["n"], found["metrics"]["padded_to"]) == ("handoff", 6, int(pad))
    assert {"id", "given", "lost", "package_tokens"} <= set(found["cases"][0])
    assert found["metrics"]["by_key"]["order"] == {"given": 5, "recovered": 5, "lost": 0}


def test_a_loss_fails_and_names_the_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = case("C: oi", "A: oi", values=(("order", "10405", 0),))
    assert main(["handoff", "--dataset", written(tmp_path, lost), "--json", str(tmp_path / "o.json")]) == 1
    shown = capsys.readouterr().out
    assert "MISSED: identifiers is 0, the floor is 1" in shown
    assert "10405" in shown
    assert json.loads((tmp_path / "o.json").read_text("utf-8"))["cases"][0]["lost"] == [
        {"key": "order", "value": "10405", "turn": 0}
    ]


def test_floors_and_ceilings_are_flags(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HANDOFF, "--ceiling", "package_tokens.max=10"]) == 1
    assert "the ceiling is 10" in capsys.readouterr().out
    assert main([*HANDOFF, "--floor", "nonsense=1"]) == 2
    assert "no figure 'nonsense'" in capsys.readouterr().err


@pytest.mark.parametrize("suite", ["handoff", "router"])
def test_a_dataset_that_is_none_is_explained(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("{", "utf-8")
    assert main([suite, "--dataset", str(path)], environ={}) == 2
    assert "x.jsonl:1" in capsys.readouterr().err


def router_case(message: str, expected: str, **more: Any) -> str:
    return json.dumps({"id": message, "kind": "opening", "message": message, "expected": expected, **more})


def test_an_unknown_provider_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(router_case("oi", "courtesy"), "utf-8")
    assert main(["router", "--dataset", str(path), "--provider", "nobody"], environ={}) == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.slow
def test_router_scores_the_local_provider(
    tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    path, out = tmp_path / "r.jsonl", tmp_path / "out.json"
    rows = [
        router_case("quero trocar o tênis, ficou pequeno", "returns"),
        router_case("bom dia!", "courtesy"),
        router_case("cadê meu reembolso?", "billing"),
    ]
    path.write_text("\n".join(rows), "utf-8")
    given = ["router", "--dataset", str(path), "--provider", "local", "--json", str(out)]
    assert main([*given, "--floor", "accuracy=0.9"], environ={"BASTAO_DATA_DIR": str(data_dir)}) == 0
    found = json.loads(out.read_text("utf-8"))
    assert [row["target"] for row in found["cases"]] == ["returns", "courtesy", "billing"]
    assert found["metrics"]["by_provider"] == {"local": 2, "rule": 1}
    assert main([*given, "--ceiling", "accuracy=0.5"], environ={"BASTAO_DATA_DIR": str(data_dir)}) == 1
