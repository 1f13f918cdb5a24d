"""Rendered prompts are snapshots: a change of wording is seen in review, and its hash is in every trace."""

import re
from pathlib import Path

import pytest

from agents.prompt import render_prompt
from tests.agents.conversing import the_roster
from tools.registry import TOOLS

ROSTER = the_roster()
SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("agent", ROSTER.ids)
def test_the_rendered_prompt_is_the_reviewed_one(agent: str) -> None:
    reviewed = SNAPSHOTS / f"{agent}.md"
    assert ROSTER.prompt(agent) + "\n" == reviewed.read_text(encoding="utf-8"), (
        f"review the change, then update {reviewed}"
    )


@pytest.mark.parametrize("agent", ROSTER.ids)
def test_a_prompt_names_only_the_specialists_own_tools(agent: str) -> None:
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", ROSTER.prompt(agent)))
    assert named & set(TOOLS) <= set(ROSTER.by_id(agent).tools)
    assert {"not_mine", "open_review"} <= named


def test_prompts_hold_no_variables_and_no_names_of_colleagues() -> None:
    for spec in ROSTER.specs:
        text = ROSTER.prompt(spec.id)
        assert "$" not in text.replace("R$", "")
        assert not [other.display_name for other in ROSTER.specs if other.id != spec.id and other.display_name in text]


def test_the_hash_follows_the_text(tmp_path: Path) -> None:
    own, common = tmp_path / "a.md", tmp_path / "_common.md"
    common.write_text("rules of $display_name")
    own.write_text("$display_name: $role\n$common")
    values = {"display_name": "Ana", "role": "custa R$ 5"}
    first = render_prompt(own, common, values)
    assert first.text == "Ana: custa R$ 5\nrules of Ana"
    own.write_text("$display_name: $role!\n$common")
    assert render_prompt(own, common, values).hash != first.hash
    assert len(first.hash) == 12
