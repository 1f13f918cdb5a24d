"""The trace command: it draws what a file holds, and the documentation's page, file and picture agree."""

import json
from pathlib import Path

import pytest

from ops.trace_picture import picture
from ops.trace_tree import documents_of, spans_of, tree, turns_of
from scripts.trace import main, with_tree
from settings import ROOT

DOCS = ROOT / "docs"


def test_the_documentation_shows_what_its_file_holds(capsys: pytest.CaptureFixture[str]) -> None:
    (turn,) = turns_of(spans_of(documents_of(DOCS / "traces.json")))
    page = (DOCS / "traces.md").read_text("utf-8")
    assert with_tree(page, tree(turn)) == page
    assert (DOCS / "traces.svg").read_text("utf-8") == picture(turn)
    handed = [s.attributes for s in turn if s.name == "hand_off" and "bastao.handoff.from" in s.attributes]
    assert [(h["bastao.handoff.from"], h["bastao.handoff.to"]) for h in handed] == [("support", "billing")]
    assert main(["--read", str(DOCS / "traces.json")], environ={}) == 0
    assert capsys.readouterr().out.splitlines() == tree(turn)


def test_the_documentations_file_holds_nobodys_words() -> None:
    text = (DOCS / "traces.json").read_text("utf-8")
    assert not any(word in text for word in ("10405", "pedido", "cobra", "Entregas", "Ana"))


def test_a_file_without_a_turn_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "traces.jsonl"
    file.write_text(json.dumps({"resourceSpans": []}) + "\n", "utf-8")
    assert main(["--read", str(file)], environ={}) == 1
    assert "no turn" in capsys.readouterr().err
    assert main(["--read", str(tmp_path / "absent")], environ={}) == 1


@pytest.mark.slow
def test_a_conversation_is_traced_into_a_file(
    database_url: str, data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"DATABASE_URL": database_url, "BASTAO_DATA_DIR": str(data_dir)}
    kept = tmp_path / "turn.json"
    assert main(["--out", str(kept)], environ=environ) == 0
    drawn = capsys.readouterr().out
    (turn,) = turns_of(spans_of(documents_of(kept)))
    assert drawn.splitlines() == tree(turn)
    assert "support → billing" in drawn
    assert {"turn", "classify", "invoke_agent support", "decide", "execute_tool lookup_order", "commit"} <= {
        s.name for s in turn
    }
    assert any(s.name.startswith("chat ") for s in turn)
