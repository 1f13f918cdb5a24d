"""The demo's evidence and its database; playing it is in test_demo_played."""

import json
from functools import reduce
from pathlib import Path

from ops.turn_view import TurnView, after
from scripts.demo import place, record
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
