"""The report is rendered from stored figures, and says what is missing and whether a target is met."""

from bench.parts import growth, prompt
from bench.report import PARTS, report
from bench.tables import middle, spread, table

TURN = {"requests": 2, "sent": 8_000, "varying": 2_000, "cached": 4_000, "at_50": 6_000, "at_90": 4_400}
MACHINE = {"system": "Linux", "processor": "p", "cores": 2, "python": "3.11", "load": 0.1, "at": "now"}


def figures(*, first: int, last: int = 8_100) -> dict[str, object]:
    moved = {**TURN, "first": first, "first_whole": 4_000}
    ours = {str(n): TURN for n in (5, 20, 60)} | {"200": {**TURN, "sent": last}}
    swarm = {"60": {**moved, "first": 26_000}}
    return {
        "turns": {prompt.OURS: ours},
        "transfers": {prompt.OURS: {"60": moved}, prompt.DECLINED: {"60": moved}, "langgraph-swarm": swarm},
    }


def test_a_target_is_met_or_the_report_says_that_it_is_not() -> None:
    assert prompt.targets(figures(first=1_300)).count("**met**") == 3
    missed = prompt.targets(figures(first=1_301, last=9_000)).splitlines()
    assert [line.endswith("**met**") for line in missed] == [False, True, False]


def test_what_was_not_measured_is_named_and_a_quick_run_says_so() -> None:
    record = {
        "figures": figures(first=1_000),
        "machine": MACHINE,
        "seconds": 3,
        "versions": {"langgraph": "1"},
        "quick": True,
    }
    text = report({"prompt": record})
    assert "Quick run" in text
    assert "Linux" in text
    assert text.count("Not measured here") == len(PARTS) - 1
    assert "langgraph 1" in text


def test_growth_names_what_is_too_slow() -> None:
    timed = {
        "the queue: all": {**middle([10.0, 10.0]), "first": 10.0},
        "the numbers: of 30 days": {**middle([2e3, 2e3]), "first": 2e3},
    }
    rows = {"messages": 10, "conversations": 1, "turns": 5, "spend": 5, "bytes": 1}
    text = growth.render({"rows": rows, "generated_s": 1, "timed": timed})
    assert "**not met**: slower than wanted are the numbers: of 30 days" in text


def test_tables() -> None:
    assert table(["a", "b"], [["x", 12_345], ["y", None], ["z", 1.234]]).splitlines()[2:] == [
        "| x | 12 345 |", "| y | – |", "| z | 1.23 |",
    ]  # fmt: skip
    assert spread(middle([1.0, 2.0, 3.0])) == "2.0 (1.0–3.0)"
