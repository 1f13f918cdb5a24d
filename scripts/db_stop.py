"""Stop the embedded database of a data folder; programs that still use it start it again."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ops.embedded_server import data_folder, stop
from ops.problems import EmbeddedPostgresError
from settings import load_environment


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Stop it. Exit 0 also when none ran, 1 when it does not stop."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.db_stop", description=__doc__, epilog="example:\n  python -m scripts.db_stop --data-dir ./data",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="default: BASTAO_DATA_DIR, else the user's data folder"
    )
    given = parser.parse_args(argv)
    folder = given.data_dir or data_folder(load_environment() if environ is None else environ)
    try:
        stopped = stop(folder)
    except EmbeddedPostgresError as error:
        print(f"db_stop: {error}", file=sys.stderr)
        return 1
    print(f"stopped: {folder}" if stopped else f"nothing runs in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
