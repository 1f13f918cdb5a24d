"""Learning the embedded model from the examples: two stages, with held-out predictions between them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE
from routing.providers.calibration import fit_temperature
from routing.providers.local_blend import Blend, fit_blend, scores_of
from routing.providers.local_clauses import Clauses, clauses_of
from routing.providers.local_encoder import Encoder, Vectors, hold_to_one_thread
from routing.providers.local_examples import Example
from routing.providers.local_features import Floats, expected_weights, option_features
from routing.providers.local_model import (
    STAY_WIDTH,
    Linear,
    LocalModel,
    corrected,
    log_softmax,
    read_alone,
    stay_vector,
)
from routing.providers.local_ngrams import Row, Vocabulary, learn_vocabulary
from routing.providers.local_quadratic import PairLearner, Quadratic, inputs_of, learn_basis
from routing.providers.local_rows import FOLDS, TrainingRow, training_rows
from routing.providers.local_spelling import learn_words

# Inverse strengths of regularisation, chosen by cross-validation on the examples.
_C_OPENING, _C_STAY = 3.0, 0.5
# The served stages saw a fifth more examples than those that the temperature is fitted on, and examples are written at the
# borders: on the development set the fitted temperature is too cautious by this factor.
_SERVED = 0.8


def train(examples: Sequence[Example], encoder: Encoder) -> LocalModel:
    """Learn a model on one thread; the same examples give the same model."""
    hold_to_one_thread()
    options = options_of(examples)
    rows = training_rows(examples, options)
    speller = learn_words({row.turn.message for row in rows})
    rows = [row.with_turn(corrected(row.turn, speller, encoder)) for row in rows]
    vocabulary = learn_vocabulary([row.turn.message for row in rows if not row.made])
    data = _Data(rows, options, vocabulary, encoder)
    everything = range(len(rows))
    within, inside = _read_within(data)
    features, clauses = _held_out_features(data, inside)
    blend = _blend(features, clauses, data.targets, data.weights)
    return LocalModel(
        options=options,
        speller=speller,
        vocabulary=vocabulary,
        opening=_fit_opening(data, everything),
        basis=data.basis,
        pairs=data.pairs.layer(),
        within=within,
        stay=_fit_stay(data, everything),
        blend=blend,
        temperature=_held_out_temperature(features, clauses, data, blend),
    )


def options_of(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the options that have examples: specialists by name, then out_of_scope and needs_question."""
    labels = {example.label for example in examples}
    return (
        *sorted(labels - {OUT_OF_SCOPE, NEEDS_QUESTION}),
        *(o for o in (OUT_OF_SCOPE, NEEDS_QUESTION) if o in labels),
    )


class _Data:
    """The rows with every text embedded and counted once."""

    def __init__(
        self, rows: Sequence[TrainingRow], options: tuple[str, ...], vocabulary: Vocabulary, encoder: Encoder
    ) -> None:
        from scipy.sparse import csr_matrix, hstack

        self.rows, self.options = rows, options
        self.targets = np.array([options.index(row.label) for row in rows])
        self.folds = np.array([row.fold for row in rows])
        self.weights = np.array([row.weight for row in rows])
        self.made = np.array([row.made for row in rows])
        self.stays = np.array([row.label == row.turn.current for row in rows])
        texts = list(dict.fromkeys(text for row in rows for text in row.turn.texts))
        place = {text: number for number, text in enumerate(texts)}
        self.places = [[place[text] for text in row.turn.texts] for row in rows]
        self.messages = np.array([places[0] for places in self.places])
        self.vectors: Vectors = encoder.embed(texts)
        counted = [vocabulary.row(text) for text in texts]
        self.terms: Any = _sparse(counted, len(vocabulary.index))
        alone = [row.alone == 1 and not row.made for row in rows]
        self.openings = np.flatnonzero(alone if any(alone) else ~self.made)
        own = self.messages[self.openings]
        self.basis = learn_basis(self.terms[own])
        self.within = [number for number, row in enumerate(rows) if row.turn.current is not None]
        vectors = [stay_vector(rows[number].turn, self.vectors[self.places[number]]) for number in self.within]
        counted = self.terms[self.messages[self.within]] if self.within else None
        self.exchanges: Any = None if counted is None else hstack([csr_matrix(np.stack(vectors)), counted]).tocsr()

    @cached_property
    def pairs(self) -> PairLearner:
        """Made when it is first asked for: its kernel is large, and so is that of the layers in context before it."""
        texts = self.messages[self.openings]
        return PairLearner(self.inputs(texts), self.targets[self.openings], options=len(self.options))

    def inputs(self, texts: NDArray[np.int64]) -> Vectors:
        return inputs_of(self.basis, self.vectors[texts], self.terms[texts])


def _sparse(rows: Sequence[Row], width: int) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns, values = (np.concatenate(part) for part in zip(*rows, strict=True))
    return csr_matrix((values, columns, starts), shape=(len(rows), width))


def _read_within(data: _Data) -> tuple[dict[str, Quadratic], dict[int, Floats]]:
    """Return the layers that read a message as one to the current specialist, and each row's log-probabilities from a fit
    that did not see its fold.
    """
    rows = [number for number in data.within if data.rows[number].turn.current in data.options]
    if not rows:
        return {}, {}
    groups = np.array([data.options.index(data.rows[number].turn.current or "") for number in rows])
    inputs, folds = data.inputs(data.messages[rows]), data.folds[rows]
    learner = PairLearner(
        inputs,
        data.targets[rows],
        options=len(data.options),
        weights=data.weights[rows].astype(np.float32),
        groups=groups,
    )
    inside: dict[int, Floats] = {}
    for fold in range(FOLDS):
        seen, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if len(seen) and len(held):
            logs = log_softmax(learner.held_out(seen, inputs[held], groups[held]).astype(np.float64))
            inside |= {rows[place]: own for place, own in zip(held.tolist(), logs, strict=True)}
    present = sorted(set(groups.tolist()))
    layers = learner.layers(present)
    return {data.options[group]: layer for group, layer in zip(present, layers, strict=True)}, inside


def _held_out_features(data: _Data, inside: dict[int, Floats]) -> tuple[Floats, list[Clauses]]:
    """Return what the second stage reads, each row's from first stages that did not see its fold."""
    features: dict[int, Floats] = {}
    clauses: dict[int, Clauses] = {}
    for fold in range(FOLDS):
        seen = [number for number, row in enumerate(data.rows) if row.fold != fold]
        opening, stay = _fit_opening(data, seen), _fit_stay(data, seen)
        held = [number for number, row in enumerate(data.rows) if row.fold == fold]
        if not held:
            continue
        texts = np.array(sorted({place for number in held for place in data.places[number]}), dtype=np.int64)
        pairs = data.pairs.held_out(np.flatnonzero(data.folds[data.openings] != fold), data.inputs(texts))
        linear = data.vectors[texts] @ opening.vector + data.terms[texts] @ opening.terms + opening.bias
        logs = dict(zip(texts.tolist(), read_alone(linear, pairs), strict=True))
        stays = np.zeros(len(data.rows))
        if data.within:
            stays[data.within] = (data.exchanges @ np.vstack([stay.vector, stay.terms]) + stay.bias)[:, 0]
        for number in held:
            turn, own = data.rows[number].turn, np.stack([logs[place] for place in data.places[number]])
            features[number] = option_features(
                data.options, turn, logs=own, inside=inside.get(number), stays=float(stays[number])
            )
            clauses[number] = clauses_of(data.options, turn, logs=own)
    everything = range(len(data.rows))
    return np.stack([features[number] for number in everything]), [clauses[number] for number in everything]


def _fit_opening(data: _Data, numbers: Sequence[int]) -> Linear:
    """Fit the options on the messages that can be read alone."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    used = [number for number in numbers if data.rows[number].alone > 0]
    if len(set(data.targets[used])) < 2:
        return _even(len(data.options), data.vectors.shape[1], data.terms.shape[1])
    model = LogisticRegression(C=_C_OPENING, max_iter=300, tol=1e-3, class_weight="balanced")
    read = data.messages[used]
    texts = hstack([csr_matrix(data.vectors[read]), data.terms[read]]).tocsr()
    model.fit(texts, data.targets[used], sample_weight=[data.rows[number].alone for number in used])
    return _linear(model, len(data.options), data.vectors.shape[1])


def _fit_stay(data: _Data, numbers: Sequence[int]) -> Linear:
    """Fit staying against leaving on the rows in context; even where they show only one of both."""
    from sklearn.linear_model import LogisticRegression

    allowed = set(numbers)
    used = [place for place, number in enumerate(data.within) if number in allowed]
    stays = data.stays[data.within][used] if used else []
    if len(set(stays)) < 2:
        return _even(1, STAY_WIDTH, data.terms.shape[1])
    model = LogisticRegression(C=_C_STAY, max_iter=300, tol=1e-3)
    model.fit(data.exchanges[used], stays, sample_weight=data.weights[data.within][used])
    weights = model.coef_.T.astype(np.float32)
    return Linear(
        vector=weights[:STAY_WIDTH], terms=weights[STAY_WIDTH:], bias=np.asarray(model.intercept_, dtype=np.float32)
    )


def _even(outcomes: int, width: int, terms: int) -> Linear:
    """Return a layer that tells nothing apart, for rows that show only one outcome."""
    return Linear(
        vector=np.zeros((width, outcomes), dtype=np.float32),
        terms=np.zeros((terms, outcomes), dtype=np.float32),
        bias=np.zeros(outcomes, dtype=np.float32),
    )


def _linear(model: Any, outcomes: int, width: int) -> Linear:
    """Lay a fitted classifier out over all outcomes; one that its rows did not show gets no chance."""
    weights = np.zeros((model.coef_.shape[1], outcomes), dtype=np.float32)
    bias = np.full(outcomes, -20.0, dtype=np.float32)
    two = len(model.classes_) == 2
    weights[:, model.classes_] = np.vstack([-model.coef_, model.coef_]).T / 2 if two else model.coef_.T
    bias[model.classes_] = np.append(-model.intercept_, model.intercept_) / 2 if two else model.intercept_
    return Linear(vector=weights[:width], terms=weights[width:], bias=bias)


def _blend(
    features: Floats,
    clauses: Sequence[Clauses],
    targets: NDArray[np.int64],
    weights: Floats,
    *,
    near: Blend | None = None,
) -> Blend:
    return fit_blend(features, clauses, targets, weights, expected=expected_weights(features.shape[2]), near=near)


def _held_out_temperature(features: Floats, clauses: Sequence[Clauses], data: _Data, near: Blend) -> float:
    """Fit the temperature on rows that neither stage saw, without the made ones."""
    shares: list[dict[str, float]] = []
    labels: list[str] = []
    for fold in range(FOLDS):
        seen, held = np.flatnonzero(data.folds != fold), np.flatnonzero((data.folds == fold) & ~data.made)
        if not len(seen) or not len(held):
            continue
        own = [clauses[number] for number in seen]
        blend = _blend(features[seen], own, data.targets[seen], data.weights[seen], near=near)
        scores = scores_of(blend, features[held], [clauses[number] for number in held])
        for number, row in zip(held.tolist(), np.exp(log_softmax(scores)).tolist(), strict=True):
            shares.append(dict(zip(data.options, row, strict=True)))
            labels.append(data.rows[number].label)
    return _SERVED * fit_temperature(shares, labels)
