"""Who may import whom: DESIGN's table as an allow-list, walked with ast."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

OURS = {
    "settings": {"graph", "evals", "ops", "stubs", "routing", "routing.providers", "tools", "agents", "storage"},
    "routing": set[str](),
    "routing.providers": {"routing"},
    "tools": {"routing"},
    "agents": {"routing", "tools"},
    "storage": {"routing"},
    "graph": {"routing", "routing.providers", "tools", "agents", "storage"},
    "evals": {"graph", "routing", "routing.providers", "tools", "agents", "storage"},
    "ops": {"graph", "routing", "routing.providers", "tools", "agents", "storage"},
    "stubs": {"agents", "routing", "routing.providers"},
    "ui": {"graph", "evals", "ops", "stubs", "settings", "routing"},
    "app": {"graph", "evals", "ops", "stubs", "settings", "routing", "ui"},
    "api": {"graph", "evals", "ops", "stubs", "settings", "routing"},
    "scripts": {"graph", "evals", "ops", "stubs", "settings", "routing"},
}
NEVER = {
    "settings": {"streamlit", "fastapi"},
    "routing": {
        "langchain",
        "langchain_core",
        "langgraph",
        "psycopg",
        "pathlib",
        "os",
        "io",
        "socket",
        "time",
        "httpx",
    },
    "routing.providers": {"langgraph", "psycopg"},
    "tools": {"langchain", "langchain_core", "langgraph", "psycopg"},
    "agents": {"langgraph", "psycopg"},
    "storage": {"langchain", "langchain_core", "langgraph"},
    "graph": {"streamlit", "fastapi"},
    "evals": {"streamlit"},
    "ops": {"streamlit"},
    "stubs": {"langgraph"},
    "ui": {"psycopg", "langgraph"},
    "app": {"psycopg", "langgraph"},
    "api": {"psycopg", "langgraph", "streamlit"},
    "scripts": {"psycopg", "langgraph", "streamlit"},
}
TOP = {name.split(".")[0] for name in OURS}


def package_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "routing.providers" if parts[:2] == ("routing", "providers") and len(parts) > 2 else parts[0]


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "routing"}
    return found


FILES = [
    p
    for top in sorted(TOP)
    for p in ([ROOT / f"{top}.py"] if (ROOT / f"{top}.py").exists() else sorted((ROOT / top).rglob("*.py")))
]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_follow_the_table(path: Path) -> None:
    package = package_of(path)
    for name in imports_of(path):
        top = name.split(".")[0]
        assert top not in NEVER[package], f"{package} must never import {top}"
        if top in TOP:
            target = "routing.providers" if name.startswith("routing.providers") else top
            assert target == package or target in OURS[package], f"{package} must not import {target}"


def test_only_graph_imports_langgraph() -> None:
    offenders = [
        p for p in FILES if package_of(p) != "graph" and any(i.split(".")[0] == "langgraph" for i in imports_of(p))
    ]
    assert offenders == []


def test_the_walk_sees_the_tree() -> None:
    assert {package_of(p) for p in FILES} >= {
        "routing",
        "routing.providers",
        "tools",
        "agents",
        "storage",
        "graph",
        "settings",
    }
