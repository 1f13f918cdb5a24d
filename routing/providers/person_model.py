"""The trained reader of signs at run time: one linear layer over a sentence vector and its terms."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from routing.providers.local_encoder import Encoder
from routing.providers.local_features import Floats
from routing.providers.local_model import Linear, log_softmax
from routing.providers.local_ngrams import Vocabulary
from routing.providers.local_turn import turn_of

# A clause alone has lost what may excuse it ("… kkk brincadeira"): it must be surer than the whole, in log-probability.
_CLAUSE_COSTS = 0.3


@dataclass(frozen=True, kw_only=True)
class PersonModel:
    """`signs` are the layer's outcomes after the first, which is "none of them"."""

    signs: tuple[str, ...]
    vocabulary: Vocabulary
    layer: Linear

    def probabilities(self, texts: Sequence[str], encoder: Encoder) -> dict[str, float]:
        """Return a probability per sign: the highest that one of the texts, or a clause of one, reaches.

        Texts are cut as `local` cuts a message, so that both ask the encoder for the same.
        """
        turns = [turn for text in texts if (turn := turn_of(text)).message]
        read = [text for turn in turns for text in turn.texts]
        if not read:
            return dict.fromkeys(self.signs, 0.0)
        costs = np.array([_CLAUSE_COSTS * (place > 0) for turn in turns for place in range(len(turn.texts))])
        logs = np.stack([self._logs(vector, text) for vector, text in zip(encoder.embed(read), read, strict=True)])
        best = np.exp((logs - costs[:, None]).max(axis=0))
        return {sign: float(share) for sign, share in zip(self.signs, best, strict=True)}

    def _logs(self, vector: np.ndarray, text: str) -> Floats:
        return log_softmax(self.layer.scores(vector, self.vocabulary.row(text)))[1:]


def to_bytes(model: PersonModel) -> bytes:
    """Return the model as an npz archive: arrays and JSON texts, no pickle."""
    texts = {"signs": model.signs, "terms": model.vocabulary.terms}
    held = io.BytesIO()
    np.savez_compressed(
        held,
        **{name: np.frombuffer(json.dumps(text).encode(), dtype=np.uint8) for name, text in texts.items()},
        idf=model.vocabulary.idf, vector=model.layer.vector, weights=model.layer.terms, bias=model.layer.bias,
    )  # fmt: skip
    return held.getvalue()


def from_file(path: Path) -> PersonModel:
    """Read a model. Raises OSError, ValueError, KeyError or BadZipFile for what is none."""
    with np.load(path, allow_pickle=False) as held:
        signs, terms = (json.loads(bytes(held[name])) for name in ("signs", "terms"))
        return PersonModel(
            signs=tuple(signs),
            vocabulary=Vocabulary({term: place for place, term in enumerate(terms)}, held["idf"]),
            layer=Linear(vector=held["vector"], terms=held["weights"], bias=held["bias"]),
        )
