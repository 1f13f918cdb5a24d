"""Print the graph of a turn as Mermaid, and keep the diagram in the README the same as the code."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from graph.drawing import mermaid
from settings import ConfigurationError, load_environment, load_settings, roster_of

BEGIN, END = "<!-- graph:begin -->", "<!-- graph:end -->"
EXAMPLES = """\
examples:
  python -m scripts.draw_graph                      print it
  python -m scripts.draw_graph --write README.md    put it between the markers
  python -m scripts.draw_graph --check README.md    exit 1 if the file shows another graph
"""


def with_diagram(text: str, diagram: str) -> str:
    """Return the text with the diagram between its two markers. Raises ValueError when it does not have both, in order."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"needs a line {BEGIN} and, below it, a line {END}")
    return f"{before}{BEGIN}\n```mermaid\n{diagram.strip()}\n```\n{END}{after}"


def drawn_from(environ: Mapping[str, str]) -> str:
    """Draw the graph of the configured roster. Raises `ConfigurationError`."""
    services: Any = SimpleNamespace(roster=roster_of(load_settings(environ)))  # the drawing reads the roster alone
    return mermaid(services)


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Print, write or check. Exit 1 when the check fails or a file has no markers, 2 for a wrong configuration."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.draw_graph",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", type=Path, metavar="FILE", help="rewrite the block between the markers")
    what.add_argument("--check", type=Path, metavar="FILE", help="compare the block with the graph")
    given = parser.parse_args(argv)
    try:
        diagram = drawn_from(load_environment() if environ is None else environ)
        if given.write:
            given.write.write_text(with_diagram(given.write.read_text("utf-8"), diagram), "utf-8")
        elif given.check:
            return _check(given.check, diagram)
        else:
            print(diagram)
    except ConfigurationError as error:
        print(f"draw_graph: {error}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"draw_graph: {error}", file=sys.stderr)
        return 1
    return 0


def _check(path: Path, diagram: str) -> int:
    text = path.read_text("utf-8")
    if with_diagram(text, diagram) == text:
        return 0
    print(f"draw_graph: {path} shows another graph; write it with --write", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
