"""bench/ keeps to DESIGN's table, with two exceptions that it names: the peers are LangGraph, and databases are made by SQL."""

from pathlib import Path

import pytest

from tests.test_architecture import ROOT, TOP, imports_of

OURS = {"graph", "evals", "ops", "stubs", "settings", "routing", "bench"}
SQL = {"bench/place.py", "bench/million.py"}
LANGGRAPH = {"bench/peers.py", "bench/standins.py"}
STORAGE = {"bench/place.py", "bench/standins.py"}
FILES = sorted(path for path in (ROOT / "bench").rglob("*.py") if ".venv" not in path.parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    tops = {imported.split(".")[0] for imported in imports_of(path)}
    allowed = OURS | ({"storage"} if name in STORAGE else set())
    assert tops & TOP <= allowed
    assert "streamlit" not in tops
    assert "langgraph" not in tops or name in LANGGRAPH
    assert "psycopg" not in tops or name in SQL | LANGGRAPH
