"""How a command ends that cannot do its work: one sentence on standard error, and one exit code for all of them."""

import sys

from ops.problems import DatabaseUnavailable, EmbeddedPostgresError
from ops.words import printable

UNUSABLE = 2
"""What the command needs is not usable: its arguments, its input, the configuration, the database."""

NO_DATABASE = (DatabaseUnavailable, EmbeddedPostgresError)
"""What a command catches where it opens a database."""


def unusable(command: str, why: object) -> int:
    """Say why the command cannot do its work; return the exit code."""
    print(f"{command}: {printable(str(why))}", file=sys.stderr)
    return UNUSABLE
