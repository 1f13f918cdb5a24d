"""The embedded database server as an operator sees it."""

from collections.abc import Mapping
from pathlib import Path

from storage.embedded import default_data_dir, stop_server


def data_folder(environ: Mapping[str, str]) -> Path:
    """Return where the embedded database of this environment lies."""
    return default_data_dir(environ)


def stop(folder: Path) -> bool:
    """Stop the server of a data folder; False when none runs. Raises `EmbeddedPostgresError` when it does not stop."""
    return stop_server(folder)
