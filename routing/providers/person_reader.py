"""Reads by examples what a person must see, in process and free, whichever provider decides who speaks."""

import asyncio
import hashlib
import json
import logging
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from routing.providers.local_cache import code_version
from routing.providers.local_encoder import Encoder
from routing.providers.local_examples import BadExamples
from routing.providers.model_cache import Alone, kept
from routing.providers.person_examples import Labelled, load_labelled
from routing.providers.person_model import PersonModel, from_file, to_bytes
from routing.providers.shared_encoder import shared_encoder
from routing.sensitive import ByExample

log = logging.getLogger(__name__)


class PersonReader:
    """A `routing.ports.ExampleReader` over the sentence encoder.

    Loaded or trained by `warm_up`: until then, and where there is no encoder or nothing to learn from, it finds nothing
    and the patterns stand alone; the reason is logged once. Training takes some 6 s of one core, loading a few
    milliseconds; the encoder is the process's one, shared with `local`.
    """

    def __init__(
        self,
        *,
        folders: Sequence[Path],
        cache_dir: Path | None = None,
        sure: ByExample | None = None,
        encoder: Encoder | None = None,
        alone: Alone | None = None,
    ) -> None:
        self._folders, self._cache_dir, self._alone = tuple(folders), cache_dir, alone
        self._sure = sure or ByExample()
        self._encoder = encoder or shared_encoder()
        self._lock = threading.Lock()
        self._model: PersonModel | None = None
        self.off: str | None = None

    def warm_up(self) -> str | None:
        """Load or train the model now. Return why the reader stays off, or None."""
        with self._lock:
            if self._model is None and self.off is None:
                try:
                    self._model = _load_or_train(
                        load_labelled(self._folders), self._encoder, self._cache_dir, self._alone
                    )
                    self._encoder.embed(["oi"])
                except (ImportError, OSError, BadExamples, PackageNotFoundError) as error:
                    self._model, self.off = None, f"{type(error).__name__}: {error}"
                    log.warning("what a person must see is found by patterns alone (%s)", self.off)
            return self.off

    async def read(self, texts: Sequence[str]) -> frozenset[str]:
        """Return the signs that a text gives; none before `warm_up`."""
        found = await asyncio.to_thread(self.probabilities, tuple(texts))
        return frozenset(sign for sign, probability in found.items() if probability >= self._sure.enough(sign))

    def probabilities(self, texts: Sequence[str]) -> dict[str, float]:
        """Return a probability per sign: the highest that one of the texts reaches; {} while off."""
        return {} if self._model is None or not texts else self._model.probabilities(texts, self._encoder)


def _load_or_train(
    examples: tuple[Labelled, ...], encoder: Encoder, cache_dir: Path | None, alone: Alone | None
) -> PersonModel:
    from routing.providers.person_training import train

    return kept(
        None if cache_dir is None else cache_dir / f"person-{_digest(examples)[:12]}.npz",
        what="reader of signs",
        read=from_file,
        make=lambda: train(examples, encoder),
        write=to_bytes,
        alone=alone,
    )


def _digest(examples: tuple[Labelled, ...]) -> str:
    """Return a sha256 (hex) over the examples and the code that makes or reads a model."""
    sources = sorted(Path(__file__).parent.glob("person_*.py"))
    code = [code_version(), *(source.read_text(encoding="utf-8") for source in sources)]
    rows = [[example.sign, example.text] for example in examples]
    return hashlib.sha256(json.dumps([code, rows]).encode()).hexdigest()
