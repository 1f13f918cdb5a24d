"""The scenarios are data that can be played: numbered, complete, and of customers that the demo shop knows."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from scripts.scenario import load_scenarios
from settings import ShopSettings


def test_there_are_seven_in_order() -> None:
    assert [scenario.id for scenario in load_scenarios()] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("scenario", load_scenarios(), ids=lambda scenario: str(scenario.id))
def test_each_can_be_played_and_says_what_to_look_at(scenario: object) -> None:
    from scripts.scenario import Scenario

    assert isinstance(scenario, Scenario)
    assert scenario.customer in ShopSettings(name="x").demo_customers
    assert scenario.title
    assert all(line.look for line in scenario.turns)


def test_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    wrong = {"id": 1, "title": "t", "customer": "c1", "shows": "s", "turns": [{"say": "oi", "look": "x", "lok": "y"}]}
    (tmp_path / "1.json").write_text(json.dumps(wrong), "utf-8")
    with pytest.raises(ValidationError, match="lok"):
        load_scenarios(tmp_path)
