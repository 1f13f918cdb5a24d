"""The report and the README's table are drawn from a run's figures alone."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evals.report import page, write_report
from evals.report_readme import BEGIN, END, block, with_table
from evals.report_suites import guard
from evals.report_svg import Frame, Mark, believed, curves, forest
from evals.results import Share
from evals.results_run import RouterRun, Run, Scored, SuiteRun, read_run
from tests.evals.cases import ROOT


def scored(flag: str, hits: int, *, sort: Any = "baseline", error: float = 0.02) -> Scored:
    metrics: dict[str, Any] = {
        "accuracy": Share(hits, 100).as_json(), "unambiguous": Share(hits - 5, 90).as_json(), "clarification": Share(7, 100).as_json(),
        "false_dispatch": Share(0, 0).as_json(), "by_kind": {"opening": Share(9, 10).as_json(), "english": Share(5, 10).as_json()},
        "by_intent": {"refund": Share(8, 12).as_json(), "rare": Share(1, 2).as_json()},
        "log_loss": 0.4, "calibration_error": error, "area_under_risk": 0.03, "latency_ms": {"p50": 8.4, "p95": 20.0}, "cost_usd": 0.0,
        "reliability": [{"stated": 0.95, **Share(90, 100).as_json()}], "risk_coverage": [{"threshold": 0.9, "coverage": 0.5, "risk": 0.1}],
        "by_reason": {"confident": 90},
    }  # fmt: skip
    name = f"{flag} (simulated)" if sort == "simulated" else flag
    return Scored(flag=flag, name=name, sort=sort, model="build-1", metrics=metrics)


PAIR: dict[str, Any] = {
    "first": "mine", "second": "msd1 (simulated)", "agreement": Share(95, 100).as_json(),
    "right": {"n": 100, "first_only": 2, "second_only": 1, "p": 1.0, "noise": True}, "latency_ratio": 2.5, "cost_ratio": None,
    "sentence": "mine and msd1 (simulated): 3 cases of 100 differ (2 to 1); that is not evidence (p = 1.00).",
}  # fmt: skip
CUSTOMERS = {
    "reached": Share(18, 20).as_json(),
    "immediate_transfer_rate": Share(3, 60).as_json(),
    "messages_mean": 3.4,
}
RUN = Run(
    at=datetime(2026, 11, 30, 12, 0, tzinfo=UTC), versions={"release": "abc"},
    router=RouterRun(
        n=100, dataset="some.jsonl", pairs=(PAIR,),
        providers=(scored("mine", 90, sort="embedded"), scored("msd1", 89, sort="simulated"), scored("certain", 30, error=0.6)),
    ),
    suites=(
        SuiteRun(suite="handoff", n=3, dataset="own cases", metrics={"recovered": Share(9, 9).as_json(), "by_key": {"order": {"given": 3, "recovered": 2, "lost": 1}}}),
        SuiteRun(suite="specialist", n=4, dataset="own cases", metrics={"passed": Share(3, 4).as_json(), "customers": CUSTOMERS}, failed={"case-7": "said <b>nothing</b>"}),
    ),
    bounds={"router": {"at_least": {"accuracy": 0.8}, "at_most": {"calibration_error": 0.08}}},
)  # fmt: skip


def test_the_report_is_one_file_that_asks_for_nothing_else(tmp_path: Path) -> None:
    path = write_report(RUN, tmp_path / "new")
    found = path.read_text("utf-8")
    assert [each.name for each in path.parent.iterdir()] == ["index.html"]
    assert not re.search(r"<script|<link|<img|\bsrc=|\bhref=|url\(|@import", found)
    assert found.count("<svg") >= 4
    assert "2026-11-30" in found
    assert "release abc" in found


def test_figures_come_with_n_and_interval_and_what_is_simulated_says_so() -> None:
    found = page(RUN)
    assert "90/100 · 82.6–94.5" in found
    assert "msd1 (simulated)" in found
    assert "0.600 fails" in found
    assert "0.020 fails" not in found
    assert PAIR["sentence"] in found
    assert "3/60" in found
    assert "refund" in found
    assert "rare" not in found, "an intent with two cases says nothing"


def test_what_failed_is_shown_as_text() -> None:
    found = page(RUN)
    assert "said &lt;b&gt;nothing&lt;/b&gt;" in found
    assert "All 2 floors and ceilings" in found
    missed = page(RUN.model_copy(update={"missed": {"router": ("accuracy is 0.7, the floor is 0.8",)}}))
    assert "1 of 2 floors and ceilings are missed" in missed
    assert "router: accuracy is 0.7, the floor is 0.8" in missed


def test_the_guard_is_the_whole_systems() -> None:
    assert guard(RUN.suites) == Share(3, 60)
    assert guard(RUN.suites[:1]) is None


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    RUN.write(tmp_path / "new" / "run.json")
    assert read_run(tmp_path / "new" / "run.json") == RUN
    (tmp_path / "no.json").write_text('{"at": 1}', "utf-8")
    with pytest.raises(ValueError, match="not a run"):
        read_run(tmp_path / "no.json")


def test_the_table_stands_between_its_markers_and_replaces_the_last_one() -> None:
    text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    found = with_table(text, RUN)
    assert found.startswith(f"before\n{BEGIN}\n| provider |")
    assert found.endswith(f"{END}\nafter\n")
    assert "| `msd1`, simulated | 89.0% (81.4–93.7) |" in found
    assert with_table(found, RUN) == found
    for broken in ("none", f"{BEGIN} only", f"{END} {BEGIN}"):
        with pytest.raises(ValueError, match="the README needs"):
            with_table(broken, RUN)
    with pytest.raises(ValueError, match="router"):
        block(RUN.model_copy(update={"router": None}))


def test_the_readme_shows_the_last_full_run() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert with_table(text, read_run(ROOT / "evals/results/run.json")) == text


def test_a_frame_puts_points_where_they_belong() -> None:
    frame = Frame(10, 20, 100, 50, (0.5, 1.0), (0.0, 0.5))
    assert frame.at((0.5, 0.0)) == (10, 70)
    assert frame.at((1.0, 0.5)) == (110, 20)


def test_pictures_draw_every_point_and_survive_none() -> None:
    drawn = forest([Mark("a", Share(5, 10), "#000"), Mark("nobody", Share(0, 0), "#000")])
    assert len(drawn.findall("circle")) == 1
    dots = believed([{"stated": 0.9, "value": 0.5, "hits": 5, "n": 10}], colour="#000").findall("circle")
    assert len(dots) == 1
    lines = curves([("one", "#000", [(0.1, 0.0), (1.0, 0.1)]), ("worse", "#000", [(1.0, 0.9)])], across="x", up="y")
    assert len(lines.findall(".//polyline")) == 2
    assert any("above the frame" in (each.text or "") for each in lines.iter("text"))
    assert forest([]).get("viewBox")
