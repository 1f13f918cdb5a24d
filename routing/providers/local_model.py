"""The embedded model at run time: plain arrays and the arithmetic over them."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from routing.providers.local_blend import Blend
from routing.providers.local_clauses import clauses_of
from routing.providers.local_encoder import WIDTH, Encoder, Vectors
from routing.providers.local_features import Floats, option_features
from routing.providers.local_ngrams import Row, Vocabulary
from routing.providers.local_quadratic import Basis, Quadratic, inputs_at
from routing.providers.local_spelling import Speller
from routing.providers.local_turn import LEANING, Turn, leaning

Weights = NDArray[np.float32]

STAY_WIDTH = 4 * WIDTH + 2 + LEANING


@dataclass(frozen=True, kw_only=True)
class Linear:
    """A linear layer over a sentence vector and the weighted terms of the same text; one column an outcome."""

    vector: Weights
    terms: Weights
    bias: Weights

    def scores(self, vector: Weights, row: Row) -> Floats:
        columns, values = row
        return (vector @ self.vector + values @ self.terms[columns] + self.bias).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class LocalModel:
    """Two stages. `opening` and `pairs` read a text alone; `within` reads a message as one to the current specialist (a
    layer each); `stay` tells whether it goes on there; `blend` weighs all of it per option and picks the clause that counts;
    `temperature` was fitted on held-out rows.
    """

    options: tuple[str, ...]
    speller: Speller
    vocabulary: Vocabulary
    opening: Linear
    basis: Basis
    pairs: Quadratic
    within: Mapping[str, Quadratic]
    stay: Linear
    blend: Blend
    temperature: float

    def probabilities(self, turn: Turn, encoder: Encoder) -> dict[str, float]:
        """Return a probability per option, summing to 1."""
        turn = corrected(turn, self.speller, encoder)
        vectors = encoder.embed(turn.texts)
        rows = [self.vocabulary.row(text) for text in turn.texts]
        linear = np.stack([self.opening.scores(*pair) for pair in zip(vectors, rows, strict=True)])
        inputs = inputs_at(self.basis, vectors, rows)
        logs = read_alone(linear, self.pairs.scores(inputs))
        stays = self._stays(turn, vectors, rows[0])
        features = option_features(self.options, turn, logs=logs, inside=self._inside(turn, inputs[:1]), stays=stays)
        scores = self.blend.scores(features, clauses_of(self.options, turn, logs=logs))
        shares = np.exp(log_softmax(scores / self.temperature))
        return {option: float(share) for option, share in zip(self.options, shares, strict=True)}

    def _inside(self, turn: Turn, inputs: Weights) -> Floats | None:
        """Return the options' log-probabilities of a message to the current specialist; None where it has no layer."""
        layer = self.within.get(turn.current or "")
        return None if layer is None else log_softmax(layer.scores(inputs).astype(np.float64))[0]

    def _stays(self, turn: Turn, vectors: Vectors, row: Row) -> float:
        if turn.current is None:
            return 0.0
        return float(self.stay.scores(stay_vector(turn, vectors), row)[0])


def corrected(turn: Turn, speller: Speller, encoder: Encoder) -> Turn:
    """Return the turn with its customer's words led back to known spellings."""
    return replace(
        turn,
        message=speller.correct(turn.message, exists=encoder.exists),
        parts=tuple(speller.correct(part, exists=encoder.exists) for part in turn.parts),
        last_customer=speller.correct(turn.last_customer, exists=encoder.exists),
    )


def stay_vector(turn: Turn, vectors: Vectors) -> Weights:
    """Return what tells staying from leaving: the last exchange, where the message agrees with it, how it leans."""
    message, customer, agent = vectors[:3]
    close = [message @ agent, message @ customer, *leaning(turn)]
    return np.concatenate([message, agent, 4 * message * agent, 4 * message * customer, close]).astype(np.float32)


def read_alone(linear: Floats, pairs: Weights) -> Floats:
    """Return the log-probabilities of texts read alone: the geometric mean of both layers', shape (texts, options)."""
    return log_softmax((log_softmax(linear) + log_softmax(pairs.astype(np.float64))) / 2)


def log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def to_bytes(model: LocalModel) -> bytes:
    """Return the model as an npz archive: arrays and JSON texts, no pickle."""
    texts = {
        "options": model.options,
        "words": model.speller.words,
        "terms": model.vocabulary.terms,
    }
    arrays = {
        "idf": model.vocabulary.idf,
        "basis": model.basis,
        "temperature": np.array([model.temperature]),
    }
    layers = {_inside_of(current): layer for current, layer in model.within.items()}
    for name, part in (("blend", model.blend), ("pairs", model.pairs), *layers.items()):
        arrays |= {f"{name}_{field.name}": getattr(part, field.name) for field in fields(part)}
    for name, layer in (("opening", model.opening), ("stay", model.stay)):
        arrays |= {f"{name}_vector": layer.vector, f"{name}_terms": layer.terms, f"{name}_bias": layer.bias}
    held = io.BytesIO()
    np.savez(
        held,
        **{name: np.frombuffer(json.dumps(text).encode(), dtype=np.uint8) for name, text in texts.items()},
        **arrays,
    )
    return held.getvalue()


def from_file(path: Path) -> LocalModel:
    """Read a model. Raises OSError, ValueError, KeyError or BadZipFile for what is none."""
    with np.load(path, allow_pickle=False) as held:
        options, words, terms = (json.loads(bytes(held[name])) for name in ("options", "words", "terms"))
        layers = {
            name: Linear(vector=held[f"{name}_vector"], terms=held[f"{name}_terms"], bias=held[f"{name}_bias"])
            for name in ("opening", "stay")
        }
        return LocalModel(
            options=tuple(options),
            speller=Speller(tuple(words)),
            vocabulary=Vocabulary({term: place for place, term in enumerate(terms)}, held["idf"]),
            opening=layers["opening"],
            stay=layers["stay"],
            basis=held["basis"],
            pairs=_quadratic(held, "pairs"),
            within={
                option: _quadratic(held, _inside_of(option))
                for option in options
                if f"{_inside_of(option)}_bias" in held
            },
            blend=Blend(**{field.name: held[f"blend_{field.name}"] for field in fields(Blend)}),
            temperature=float(held["temperature"][0]),
        )


def _inside_of(current: str) -> str:
    return f"within_{current}"


def _quadratic(held: Mapping[str, Any], name: str) -> Quadratic:
    return Quadratic(**{field.name: held[f"{name}_{field.name}"] for field in fields(Quadratic)})
