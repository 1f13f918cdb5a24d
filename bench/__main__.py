"""Measure, part by part, and write what came out.

python -m bench                     everything, then bench/results.md
python -m bench prompt turns        some parts; the others keep their last figures
python -m bench --render            only bench/results.md, from bench/results/*.json
"""

import argparse
import asyncio
import importlib
import inspect
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.machine import machine, versions
from bench.report import PARTS, RESULTS, write_report


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0, or 1 when a part failed; the parts that worked are written and rendered all the same."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--render", action="store_true", help="measure nothing")
    parser.add_argument("--quick", action="store_true", help="a few repeats: only to see that it works")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.here:
        measure(given.parts[0], quick=given.quick)
        return 0
    failed: list[str] = []
    for name in () if given.render else given.parts or PARTS:
        began = time.monotonic()
        print(f"{name} …", flush=True)
        # A process of its own: what one part loaded or leaked is not in the next one's figures.
        command = [sys.executable, "-m", "bench", "--here", name, *(["--quick"] if given.quick else [])]
        code = subprocess.run(command, check=False).returncode
        print(f"{name}: {'done' if code == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True)
        failed += [name] if code else []
    print(f"written: {write_report()}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def measure(name: str, *, quick: bool) -> Path:
    """Run one part in this process and store its figures with what they depend on."""
    part: Any = importlib.import_module(f"bench.parts.{name}")
    before, began = machine(), time.monotonic()
    found = part.measure(quick=quick)
    figures = asyncio.run(found) if inspect.iscoroutine(found) else found
    record = {
        "part": name, "quick": quick, "machine": before, "versions": versions(), "seconds": round(time.monotonic() - began), "figures": figures,
    }  # fmt: skip
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
