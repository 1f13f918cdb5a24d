"""The overview lists what there is, from the commands themselves."""

import subprocess
import sys
from pathlib import Path

from scripts.__main__ import FOLDER, commands


def test_every_command_says_what_it_does() -> None:
    found = dict(commands())
    assert {"chat", "demo", "draw_graph", "db_stop"} <= set(found)
    assert all(does.endswith(".") for does in found.values())


def test_what_is_no_command_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text('"""Do it."""\n\n\ndef main() -> int:\n    return 0\n', "utf-8")
    (tmp_path / "data.py").write_text('"""Only data."""\n', "utf-8")
    assert list(commands(tmp_path)) == [("tool", "Do it.")]


def test_it_runs_from_the_root() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "scripts"], cwd=FOLDER.parent, capture_output=True, text=True, timeout=30, check=True
    )
    assert "python -m scripts.chat" in ran.stdout
