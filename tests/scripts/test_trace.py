"""The trace command: it draws what a file holds, and the documentation's page, file and picture agree."""

import json
from pathlib import Path
from typing import Any

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


GOOD = {"traceId": "t", "spanId": "s", "name": "turn", "startTimeUnixNano": "1", "endTimeUnixNano": "2"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "it is not JSON"), ("\xff", "it is not JSON"), ("[" * 100_000, "it is not JSON"), ("[1]", "must be a JSON object"),
        ('"turn"', "must be a JSON object"), ('{"resourceSpans": 1}', "does not have the form"),
        ('{"resourceSpans": [{"scopeSpans": [{"spans": [{}]}]}]}', "a span lacks 'traceId'"),
        ('{"resourceSpans": [{"scopeSpans": ["x"]}]}', "does not have the form"),
        (GOOD | {"startTimeUnixNano": "soon"}, "does not have the form"), (GOOD | {"attributes": [{"key": "x"}]}, "a span lacks 'value'"),
        (GOOD | {"status": 2}, "does not have the form"), (GOOD | {"attributes": [{"key": [], "value": {}}]}, "does not have the form"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_trace_is_said_in_one_sentence(
    content: str | dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "traces.jsonl"
    text = content if isinstance(content, str) else document(content)
    file.write_bytes(text.encode("latin-1"))
    assert main(["--read", str(file)], environ={}) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"trace: {file}: ")
    assert said in told
    assert told.count("\n") == 1


def document(*spans: dict[str, Any]) -> str:
    return json.dumps({"resourceSpans": [{}, {"scopeSpans": [{}, {"spans": spans}]}]})


def test_what_others_write_into_a_span_is_drawn_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"bastao.handoff.to": "billing", "bastao.decision.confidence": "sure"}
    attributes = [{"key": key, "value": {"stringValue": text}} for key, text in texts.items()]
    file, kept = tmp_path / "traces.json", tmp_path / "kept.json"
    file.write_text(document(GOOD | {"attributes": attributes, "traceId": 7}), "utf-8")
    assert main(["--read", str(file), "--out", str(kept)], environ={}) == 0
    assert "(nobody) → billing · ? · ? facts, ? tokens" in capsys.readouterr().out
    assert "bastao.handoff.to" in kept.read_text("utf-8")


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
