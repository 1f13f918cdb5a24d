"""The graph's shape is a snapshot, and the README shows the same."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from graph.drawing import mermaid
from settings import ROOT
from tests.graph.conftest import ROSTER

SNAPSHOT = Path(__file__).parent / "graph.mmd"
SERVICES: Any = SimpleNamespace(roster=ROSTER)


def test_the_shape_is_the_one_that_was_agreed() -> None:
    assert mermaid(SERVICES).strip() == SNAPSHOT.read_text("utf-8").strip()


def test_the_readme_shows_it() -> None:
    assert f"```mermaid\n{mermaid(SERVICES).strip()}\n```" in (ROOT / "README.md").read_text("utf-8")
