"""The scenarios are data that can be played: named, complete, checked, and of customers that the demo shop knows."""

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.scenario import Fill, Line, Scenario, ScenarioError, chosen, load_scenarios
from settings import ShopSettings

KNOWN = load_scenarios()
LINE: dict[str, Any] = {"say": "oi", "look": "x"}
WHOLE: dict[str, Any] = {"id": "1", "title": "t", "customer": "c1", "shows": "s", "turns": [LINE]}


def test_there_are_seven_and_ten_in_order() -> None:
    assert [scenario.id for scenario in KNOWN] == [*"1234567", *"abcdefghij"]


@pytest.mark.parametrize("scenario", KNOWN, ids=lambda scenario: scenario.id)
def test_each_can_be_played_says_what_to_look_at_and_is_checked(scenario: Scenario) -> None:
    assert scenario.customer in ShopSettings(name="x").demo_customers
    assert all(step.look for step in scenario.turns if isinstance(step, Line | Fill))
    assert any(step.expect for step in scenario.turns)
    assert scenario.turns[-1].expect


def test_only_what_the_offline_model_would_not_do_follows_a_script() -> None:
    assert [scenario.id for scenario in KNOWN if scenario.scripted] == ["b", "d", "e", "j"]


def with_line(**more: Any) -> dict[str, Any]:
    return WHOLE | {"turns": [LINE, LINE | more]}


@pytest.mark.parametrize(
    ("wrong", "place", "hint"),
    [
        (with_line(lok="y"), "turns.1.lok", "known here: ends, expect, look, meanwhile, say, to"),
        (WHOLE | {"titel": "t"}, "titel", "known here: customer, id, shows, stand_ins, starts, title, turns"),
        (with_line(expect=[{"that": "x", "repli": {}}]), "turns.1.expect.0.repli", "not_facts, operator_sees, order, package"),
        (with_line(expect=[{"that": "x", "package": {"frm": "a"}}]), "turns.1.expect.0.package.frm", "facts, from, not_facts"),
        (with_line(expect=[{"that": "x"}]), "turns.1.expect.0", "checks nothing; a condition is one of: answers"),
        (with_line(expect=[{"that": "x", "turns": 1, "facts": {}}]), "turns.1.expect.0", "facts expects nothing"),
        (with_line(expect=[{"that": "x", "queue": {}}]), "turns.1.expect.0.queue", "may hold: about_has, count, kind"),
        (with_line(meanwhile=[{"operator": "m", "dos": "claim"}]), "turns.1.meanwhile.0.dos", "does, expect, item, look, operator"),
        (WHOLE | {"turns": [{"sai": "oi"}]}, "turns.0", "a step has one of these keys: say, operator, fill, clock, conversation"),
        (WHOLE | {"turns": [{"operator": "m", "does": "dance"}]}, "turns.0.does", "'claim'"),
        (WHOLE | {"turns": [{"operator": "m", "does": "reply"}]}, "turns.0", "needs a `text`"),
        (WHOLE | {"turns": [{"clock": "+1 days"}]}, "(top)", "`starts` is missing"),
        (WHOLE | {"turns": [{"fill": ["oi"], "turns": 2, "minutes": 5}]}, "(top)", "`starts` is missing"),
        (WHOLE | {"stand_ins": {"specialists": {"support": [{"cals": []}]}}}, "stand_ins.specialists.support.0.cals", "calls, every_time, say, when"),
        (WHOLE | {"turns": []}, "turns", "at least 1 item"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place_and_what_would_be_right(
    tmp_path: Path, wrong: dict[str, Any], place: str, hint: str
) -> None:
    (tmp_path / "9.json").write_text(json.dumps(wrong), "utf-8")
    with pytest.raises(ScenarioError) as caught:
        load_scenarios(tmp_path)
    assert str(caught.value).startswith("9.json cannot be played:")
    assert f"\n  {place}: " in str(caught.value)
    assert hint in str(caught.value)


def test_what_is_not_json_and_an_id_that_is_taken_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="there is no scenario"):
        load_scenarios(tmp_path)
    (tmp_path / "1.json").write_text(json.dumps(WHOLE), "utf-8")
    (tmp_path / "2.json").write_text(json.dumps(WHOLE), "utf-8")
    with pytest.raises(ScenarioError, match=r"2\.json: id '1' is taken by 1\.json"):
        load_scenarios(tmp_path)
    (tmp_path / "2.json").write_text("{", "utf-8")
    with pytest.raises(ScenarioError, match=r"2\.json: not JSON"):
        load_scenarios(tmp_path)


def test_names_choose_in_the_scenarios_own_order() -> None:
    assert [scenario.id for scenario in chosen(KNOWN, ["c", "3", "a"])] == ["3", "a", "c"]
    assert chosen(KNOWN, []) == KNOWN
    with pytest.raises(ScenarioError, match="no scenario 'z', 'zz'; there are: 1, 2"):
        chosen(KNOWN, ["zz", "1", "z"])
