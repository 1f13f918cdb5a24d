"""The demo's evidence, its database and its command line; playing it is in test_demo_played and test_demo_checked."""

import json
from functools import reduce
from pathlib import Path

import pytest

from ops.turn_view import TurnView, after
from scripts.demo import main
from scripts.demo_evidence import record
from scripts.demo_place import place
from scripts.demo_play import Tally
from tests.ops.turns import FACTS, transferred


def test_the_evidence_holds_the_whole_turn() -> None:
    view = reduce(after, transferred(), TurnView(thread_id="t", message="oi"))
    kept = record(view, transferred(), "olhe isto")
    assert kept["probabilities"]["billing"] == 0.91
    assert kept["decision"]["model"] == "encoder"
    assert kept["packages"] == [{"schema_version": 1, "facts": FACTS, "detail": None}]
    assert kept["look"] == "olhe isto"
    assert [event["type"] for event in kept["events"]][-2:] == ["reply", "done"]
    assert json.loads(json.dumps(kept)) == kept


def test_it_plays_in_a_new_place_that_is_gone_afterwards() -> None:
    with place(None, {}) as environ:
        folder = Path(environ["BASTAO_DATA_DIR"])
        assert folder.is_dir()
    assert not folder.exists()


def test_a_named_database_is_used(tmp_path: Path) -> None:
    with place(tmp_path, {"BASTAO_DATA_DIR": "/elsewhere"}) as environ:
        assert environ["BASTAO_DATA_DIR"] == str(tmp_path)
    for given in ({"BASTAO_DATA_DIR": "/data"}, {"DATABASE_URL": "postgresql://x"}):
        with place(None, given) as environ:
            assert environ == given


def test_the_list_names_them_and_says_which_follow_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--only", "1,c", "--scenario", "d"], {}) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "c", "d"]
    assert ["(com roteiro)" in line for line in lines] == [False, False, True]


def test_the_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"], {})
    assert ended.value.code == 0
    assert "python -m scripts.demo --only 1,4,c" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "argv", "said"),
    [
        (None, ["--only", "k"], "no scenario 'k'; there are: 1, 2, 3"),
        ('{"id": "1"', ["--scenarios", "."], "1.json: not JSON"),
        ('{"id": "1", "titel": "x"}', ["--scenarios", "."], "titel: unknown key; known here: customer, id, shows"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str | None, argv: list[str], said: str
) -> None:  # fmt: skip
    if content is not None:
        (tmp_path / "1.json").write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(argv, {"DATABASE_URL": "postgresql://nobody.invalid/x"}) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tally", "good"),
    [
        (Tally(turns=1, held=1), True),
        (Tally(turns=1, excused=3), True),
        (Tally(turns=1, failed=1), False),
        (Tally(turns=1, ended_badly=1), False),
        (Tally(), False),
    ],
)
def test_good_is_what_was_played_ended_well_and_held(tally: Tally, good: bool) -> None:
    assert tally.good is good


def test_tallies_add_up() -> None:
    whole = Tally(turns=1, held=2)
    whole.add(Tally(turns=2, ended_badly=1, held=1, failed=1, excused=1))
    assert whole == Tally(turns=3, ended_badly=1, held=3, failed=1, excused=1)
