"""The command: what it prints, what it writes, and when it fails."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evals.report_readme import with_table
from evals.results_run import read_run
from scripts.evaluate import main
from tests.evals.cases import OWN, ROOT, case

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
    assert "--floor nonsense: no figure that the suite handoff can have" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("suite", "bounds", "said"),
    [
        ("handoff", {"at_least": {"identifers": 1.0}}, "evals.floors.handoff.at_least.identifers: no figure"),
        ("router", {"at_most": {"latency_ms": 5.0}}, "evals.floors.router.at_most.latency_ms: no figure"),
        ("specialist", {"at_least": {"customers.reach": 1.0}}, "evals.floors.specialist.at_least.customers.reach: no figure"),
    ],
)  # fmt: skip
def test_a_floor_that_holds_nothing_is_refused_before_the_work_whichever_suite_runs(
    suite: str, bounds: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = json.loads((ROOT / "config.json").read_text("utf-8"))
    config["evals"]["floors"][suite] = bounds
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    given = ["handoff", "--dataset", str(tmp_path / "not read.jsonl")]
    assert main(given, environ={"BASTAO_CONFIG": str(tmp_path / "config.json")}) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([*HANDOFF, "--pad", "-5"], "--pad: must be 0 or more, not -5"), ([*HANDOFF, "--pad", "x"], "--pad: 'x' is no whole number"),
        (["router", "--provider", ""], "--provider: '' names nothing"), (["all", "--provider", " , "], "--provider: ' , ' names nothing"),
    ],
)  # fmt: skip
def test_arguments_that_mean_nothing_are_usage_errors(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv, environ={})
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("suite", ["handoff", "router"])
def test_a_dataset_that_is_none_is_explained(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("{", "utf-8")
    assert main([suite, "--dataset", str(path)], environ={}) == 2
    assert "x.jsonl:1" in capsys.readouterr().err


def router_case(message: str, expected: str, **more: Any) -> str:
    return json.dumps({"id": message, "kind": "opening", "message": message, "expected": expected, **more})


ROWS = [
    ("o boleto venceu, e agora?", "billing"),
    ("quero trocar o tênis, ficou pequeno", "returns"),
    ("bom dia!", "courtesy"),
    ("cadê meu pedido? olha o rastreio", "support"),
    ("vou chamar meu advogado", "person"),
]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The configuration without what is trained before it reads: who is compared here needs no encoder."""
    path = tmp_path_factory.mktemp("plain") / "config.json"
    given = json.loads((ROOT / "config.json").read_text("utf-8"))
    path.write_text(json.dumps({**given, "read_by_example": {"enabled": False}}), "utf-8")
    return {"BASTAO_CONFIG": str(path)}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(router_case(*row) for row in ROWS), "utf-8")
    return path


def test_an_overconfident_provider_fails(rows: Path, capsys: pytest.CaptureFixture[str], plain: dict[str, str]) -> None:
    assert main(["router", "--dataset", str(rows), "--provider", "constant"], environ=plain) == 1
    assert "MISSED: calibration_error is 0.6" in capsys.readouterr().out
    # The same rows, an honest provider: nothing is missed but what a word list cannot do.
    given = ["router", "--dataset", str(rows), "--provider", "keywords", "--ceiling", "calibration_error=0.3"]
    assert main(given, environ=plain) == 0


def test_providers_stand_side_by_side(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], plain: dict[str, str]
) -> None:
    out, readme = tmp_path / "new" / "out.json", tmp_path / "README.md"
    readme.write_text("a\n<!-- evals:begin -->\n<!-- evals:end -->\nb\n", "utf-8")
    written = ["--json", str(out), "--report", str(tmp_path / "report"), "--run", str(tmp_path / "run.json"), "--readme", str(readme)]  # fmt: skip
    given = ["router", "--dataset", str(rows), "--provider", "keywords, constant,keywords", *written]
    main(given, environ=plain, now=datetime(2026, 11, 30, 9, 0, tzinfo=UTC))
    shown, found = capsys.readouterr().out, json.loads(out.read_text("utf-8"))
    assert (found["suite"], found["n"], found["metrics"]["accuracy"]["hits"]) == ("router", 5, 5)
    assert set(found["providers"]) == {"constant (baseline)"}
    assert len(found["providers"]["constant (baseline)"]["cases"]) == 5
    right = found["pairs"][0]["right"]
    assert (len(found["pairs"]), right["n"], right["first_only"], right["second_only"]) == (1, 5, 2, 0)
    assert "that is not evidence" in shown
    run = read_run(tmp_path / "run.json")
    assert (run.at.hour, run.router and run.router.dataset, "release" in run.versions) == (9, "r.jsonl", True)
    assert "boleto" not in (tmp_path / "run.json").read_text("utf-8"), "figures, and no text of a case"
    assert "keywords (baseline)" in (tmp_path / "report" / "index.html").read_text("utf-8")
    assert with_table(readme.read_text("utf-8"), run) == readme.read_text("utf-8")


@pytest.mark.parametrize("provider", ["nobody", "simulated-local", "simulated-nobody", "keywords,nobody"])
def test_a_provider_that_is_none_is_explained(
    provider: str, rows: Path, capsys: pytest.CaptureFixture[str], plain: dict[str, str]
) -> None:
    given = ["router", "--dataset", str(rows), "--provider", provider]
    assert main(given, environ=plain) == 2
    assert provider.strip().rpartition(",")[2].removeprefix("simulated-") in capsys.readouterr().err


def test_a_readme_without_markers_is_said_before_the_work(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text("nothing", "utf-8")
    given = ["router", "--dataset", str(tmp_path / "none.jsonl"), "--readme", str(tmp_path / "README.md")]
    assert main(given, environ={}) == 2
    assert "evals:begin" in capsys.readouterr().err


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--help"], ["router", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(argv)
        assert ended.value.code == 0
        assert "python -m scripts.evaluate all --provider" in capsys.readouterr().out


@pytest.mark.slow
def test_router_scores_the_local_provider_and_a_simulated_one(
    tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    path, out = tmp_path / "r.jsonl", tmp_path / "out.json"
    rows = [
        router_case("quero trocar o tênis, ficou pequeno", "returns"),
        router_case("bom dia!", "courtesy"),
        router_case("cadê meu reembolso?", "billing"),
    ]
    path.write_text("\n".join(rows), "utf-8")
    given = ["router", "--dataset", str(path), "--provider", "local,simulated-jev", "--json", str(out)]
    assert main([*given, "--floor", "accuracy=0.9"], environ={"BASTAO_DATA_DIR": str(data_dir)}) == 0
    found = json.loads(out.read_text("utf-8"))
    assert [row["target"] for row in found["cases"]] == ["returns", "courtesy", "billing"]
    assert found["metrics"]["by_provider"] == {"local": 2, "rule": 1}
    simulated = found["providers"]["jev (simulated)"]
    assert [row["target"] for row in simulated["cases"]] == ["returns", "courtesy", "billing"]
    assert simulated["metrics"]["by_provider"] == {"jev": 2, "rule": 1}
    assert simulated["metrics"]["cost_usd"] > 0
    assert "jev (simulated)" in capsys.readouterr().out
    local = ["router", "--dataset", str(path), "--provider", "local"]
    assert main([*local, "--ceiling", "accuracy=0.5"], environ={"BASTAO_DATA_DIR": str(data_dir)}) == 1


@pytest.mark.slow
def test_the_specialists_are_scored_in_a_database_of_their_own(
    tmp_path: Path, data_dir: Path, plain: dict[str, str], empty_database_url: str
) -> None:  # fmt: skip
    case = (ROOT / "evals/cases/specialist/support.jsonl").read_text("utf-8").splitlines()[0]
    (tmp_path / "one.jsonl").write_text(case, "utf-8")
    given = ["specialist", "--dataset", str(tmp_path / "one.jsonl"), "--json", str(tmp_path / "o.json")]
    environ = {**plain, "BASTAO_DATA_DIR": str(data_dir), "DATABASE_URL": empty_database_url}
    assert main(given, environ=environ) == 0
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert (found["suite"], found["n"], found["cases"][0]["passed"]) == ("specialist", 1, True)
    assert found["metrics"]["customers"]["reached"]["n"] == 0, "whole conversations belong to the project's own cases"
