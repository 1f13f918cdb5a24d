"""The demo's database: the one that is named, else a new one that is gone afterwards."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ops.embedded_server import data_folder


@contextmanager
def place(given: Path | None, environ: Mapping[str, str], *, fresh: bool = False) -> Iterator[dict[str, str]]:
    """Give the environment a database: the named one, else a new one for this run.

    `fresh`: the embedded one of BASTAO_DATA_DIR does not count as named; it is somebody's.
    """
    if given is not None:
        yield {**environ, "BASTAO_DATA_DIR": str(given)}
    elif environ.get("DATABASE_URL") or (environ.get("BASTAO_DATA_DIR") and not fresh):
        yield dict(environ)
    else:
        with tempfile.TemporaryDirectory(prefix="bastao-demo-", ignore_cleanup_errors=True) as folder:
            _share_models(data_folder(environ) / "models", Path(folder) / "models")
            yield {**environ, "BASTAO_DATA_DIR": folder}


def _share_models(known: Path, here: Path) -> None:
    """Let a new place use the decision model that is already fitted: it knows no conversation."""
    try:
        known.mkdir(parents=True, exist_ok=True)
        here.symlink_to(known, target_is_directory=True)
    except OSError:
        return  # then it is fitted once more
