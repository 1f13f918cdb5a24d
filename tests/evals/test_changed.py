"""The table from changed paths to suites: what the issue asks for, that it knows the whole tree, and that it misses no import."""

import ast
import subprocess
from pathlib import Path

import pytest

from evals.changed import ALL, RULES, UNKNOWN, rule_of, select
from settings import ROOT


@pytest.fixture(scope="module")
def tree() -> list[str]:
    """Every file of the repository, also one that is not committed yet."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    ran = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in ran.stdout.split("\0") if path and (ROOT / path).is_file()]


@pytest.mark.parametrize(
    ("paths", "suites"),
    [
        (["routing/reasons.py"], ("router", "handoff")),
        (["routing/providers/local_model.py"], ("router",)),
        (["agents/examples/billing.jsonl"], ("router",)),
        (["agents/billing.py"], ALL),
        (["routing/package.py"], ("handoff",)),
        (["routing/facts.py"], ("handoff",)),
        (["agents/prompts/billing.md"], ("specialist",)),
        (["tools/returns.py"], ("specialist",)),
        (["graph/nodes/transfer.py"], ("specialist",)),
        (["evals/cases/router/dev_opening.jsonl"], ("router",)),
        (["evals/cases/router/README.md", "README.md", "docs/metrics.md"], ()),
        (["config.json"], ALL),
        (["something/new.rs"], ALL),
        (["routing/never_seen.py"], ALL),
        (["tools/returns.py", "routing/package.py", "README.md"], ("handoff", "specialist")),
        ([], ()),
    ],
)
def test_a_change_selects_what_it_can_move(paths: list[str], suites: tuple[str, ...]) -> None:
    assert select(paths).suites == suites


def test_every_file_of_the_tree_falls_under_a_rule_of_its_own(tree: list[str]) -> None:
    folders = {Path(path).parts[0] for path in tree}
    assert {
        "agents",
        "evals",
        "graph",
        "ops",
        "routing",
        "scripts",
        "storage",
        "stubs",
        "tests",
        "tools",
        "ui",
    } <= folders
    assert [path for path in tree if rule_of(path) is UNKNOWN] == []


def test_every_case_selects_a_suite(tree: list[str]) -> None:
    cases = [path for path in tree if path.startswith("evals/cases/") and path.endswith("l") and "/claims/" not in path]
    assert len(cases) > 30
    assert [path for path in cases if not rule_of(path).suites] == []


def reached(*entries: str) -> set[str]:
    """Return the files of routing/ that these files import, and those the imported ones import."""
    seen: set[str] = set()
    waiting = list(entries)
    while waiting:
        path = waiting.pop()
        if path in seen or not (ROOT / path).is_file():
            continue
        seen.add(path)
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
            names = [f"{node.module}.{a.name}" for a in node.names] + [node.module] if isinstance(node, ast.ImportFrom) and node.module else []  # fmt: skip
            waiting += [f"{name.replace('.', '/')}.py" for name in names if name.startswith(("routing.", "evals."))]
    return {path for path in seen if path.startswith("routing/")}


@pytest.mark.parametrize(
    ("suite", "entries", "at_least"),
    [
        ("router", ("evals/router.py", "evals/baselines.py", "routing/providers/registry.py"), 40),
        ("handoff", ("evals/integrity.py",), 20),
    ],
)
def test_what_a_suite_runs_selects_that_suite_or_the_ones_it_is_the_business_of(
    suite: str, entries: tuple[str, ...], at_least: int
) -> None:
    """Facts are the package's business although the router's state names their type; the same for records and values."""
    found = reached(*entries)
    assert len(found) >= at_least
    shared = {"routing/facts.py"} if suite == "router" else set[str]()
    assert sorted(path for path in found - shared if suite not in rule_of(path).suites) == []


def test_it_says_why_also_where_nothing_is_to_be_run() -> None:
    assert select(["README.md"]).lines == ["none: read by people; no suite reads it (README.md)"]
    assert select([]).lines == ["nothing was changed"]
    many = [f"tools/t{n}.py" for n in range(5)]
    assert select(many).lines == [
        "specialist: tools and chat models (tools/t0.py, tools/t1.py, tools/t2.py and 2 more)"
    ]


def test_no_rule_is_hidden_by_the_ones_before_it(tree: list[str]) -> None:
    """A line that no file of the tree falls under is a line that says nothing."""
    met = {rule_of(path) for path in tree}
    assert [rule.why for rule in RULES if rule not in met] == []
