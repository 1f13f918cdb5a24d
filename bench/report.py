"""Render bench/results.md from the figures of each part."""

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
RESULTS = BENCH / "results"
PARTS = ("prompt", "turns", "graph", "concurrency", "workers", "decision", "start", "growth")


def write_report() -> Path:
    """Write the report of what was measured; a part without figures is named."""
    records = {
        name: json.loads(path.read_text("utf-8")) for name in PARTS if (path := RESULTS / f"{name}.json").exists()
    }
    path = BENCH / "results.md"
    path.write_text(report(records), "utf-8")
    return path


def report(records: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the report as Markdown. How to read it stands in bench/README.md."""
    pieces = [
        "# Results",
        "Written by `python -m bench` from `bench/results/*.json`; [README.md](README.md) says how to read it.",
    ]
    for number, name in enumerate(PARTS, start=1):
        part: Any = importlib.import_module(f"bench.parts.{name}")
        pieces.append(f"## {number}. {part.TITLE}")
        record = records.get(name)
        if record is None:
            pieces.append(f"Not measured here: `python -m bench {name}`.")
            continue
        pieces.extend([part.render(record["figures"]), _conditions(record)])
    if records:
        pieces.append(_versions(list(records.values())[-1]["versions"]))
    return "\n\n".join(pieces) + "\n"


def _conditions(record: Mapping[str, Any]) -> str:
    m = record["machine"]
    quick = "**Quick run: a few repeats, no figures to quote.** " if record.get("quick") else ""
    return (
        f"{quick}<sub>{m['at']}, {m['system']}, {m['processor']}, {m['cores']} cores, Python {m['python']}, load {m['load']} at the beginning, "
        f"{record['seconds']} s</sub>"
    )


def _versions(found: Mapping[str, str]) -> str:
    return "## Versions\n\n" + ", ".join(f"{name} {number}" for name, number in found.items())
