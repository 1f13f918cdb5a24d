"""List the commands."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent


def commands(folder: Path = FOLDER) -> Iterator[tuple[str, str]]:
    """Yield each command's name and first docstring line: a command is a module here with a `main`."""
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.stem != "__main__" and any(
            isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body
        ):
            yield path.stem, (ast.get_docstring(tree) or "").partition("\n")[0]


def main() -> int:
    """Print the overview."""
    found = list(commands())
    width = max((len(name) for name, _ in found), default=0)
    print("Commands (each has --help):\n")
    for name, does in found:
        print(f"  python -m scripts.{name:<{width}}  {does}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
