"""The diagram between the markers of a file is the graph's, and a file that shows another is found out."""

from pathlib import Path

import pytest

from scripts.draw_graph import BEGIN, END, drawn_from, main, with_diagram

TEXT = f"# Title\n\n{BEGIN}\nold\n{END}\n\nafter\n"


def test_only_what_is_between_the_markers_changes() -> None:
    drawn = with_diagram(TEXT, "graph TD;\n")
    assert drawn == f"# Title\n\n{BEGIN}\n```mermaid\ngraph TD;\n```\n{END}\n\nafter\n"
    assert with_diagram(drawn, "graph TD;\n") == drawn


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}\n{BEGIN}", "no markers"])
def test_a_file_without_both_markers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs a line"):
        with_diagram(text, "graph")


def test_the_graph_has_a_node_per_specialist() -> None:
    diagram = drawn_from({})
    for node in ("classify", "hand_off", "returns", "support", "billing", "reply"):
        assert node in diagram


def test_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], {}) == 0
    assert capsys.readouterr().out.strip() == drawn_from({}).strip()


def test_check_fails_until_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "README.md"
    page.write_text(TEXT, "utf-8")
    assert main(["--check", str(page)], {}) == 1
    assert "--write" in capsys.readouterr().err
    assert main(["--write", str(page)], {}) == 0
    assert main(["--check", str(page)], {}) == 0


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", str(tmp_path / "none.md")], {}) == 1
    assert "none.md" in capsys.readouterr().err


def test_a_wrong_configuration_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], {"BASTAO_CONFIG": str(tmp_path / "none.json")}) == 2
    assert "none.json" in capsys.readouterr().err
