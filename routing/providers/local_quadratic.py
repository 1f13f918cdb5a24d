"""A quadratic layer: how pairs of a text's features speak for an option. Kernel ridge regression, kept in its primal form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from routing.providers.local_encoder import Vectors
from routing.providers.local_ngrams import Row

Weights = NDArray[np.float32]
# A projection of terms, shape (terms, width), in half precision.
Basis = NDArray[np.float16]

# Chosen by cross-validation on the examples: the vector's weight beside the terms', the ridge, and the factor that makes
# logits of regression outputs.
_VECTOR, _RIDGE, _SHARPNESS = 1.4, 0.6, 6.0
_WIDTH, _SEED = 512, 20261130
# Directions that are kept of an option's form: on texts that it never saw no share moves by more than 0.025, for a
# quarter of the memory that a decision reads.
_RANK = 256
# Terms that fewer texts hold tell the quadratic layer nothing; the linear one reads them too.
_LEAST = 4
_BLOCK = 1024


@dataclass(frozen=True, kw_only=True)
class Quadratic:
    """Scores x'Ax + b'x + c an option, over what `inputs_at` returns.

    A is kept as its strongest eigenvectors: `directions` (options, rank, features), `strengths` (options, rank).
    """

    directions: Weights
    strengths: Weights
    slopes: Weights
    bias: Weights

    def scores(self, inputs: Weights) -> Weights:
        """Return the options' logits, shape (texts, options)."""
        along = inputs @ self.directions.reshape(-1, inputs.shape[1]).T
        # Not einsum: its last digits depend on where in memory an array lies, and a question has one answer.
        bent = (np.square(along).reshape(len(inputs), *self.strengths.shape) * self.strengths).sum(axis=2)
        return bent + inputs @ self.slopes + self.bias


def inputs_at(basis: Basis, vectors: Vectors, rows: Sequence[Row]) -> Weights:
    """Return what a layer reads of a few texts, shape (texts, features): the sentence vector beside the projected terms."""
    projected = [values @ basis[columns].astype(np.float32) for columns, values in rows]
    return np.hstack([_VECTOR * vectors, np.stack(projected)])


def learn_basis(terms: Any) -> Basis:
    """Return a projection of terms (texts, terms; sparse) onto their strongest directions, shape (terms, width)."""
    from sklearn.utils.extmath import randomized_svd

    texts = np.asarray((terms > 0).sum(axis=0)).ravel()
    least = min(_LEAST, 1 + terms.shape[0] // 500)
    width = max(1, min(_WIDTH, min(terms.shape) - 1))
    directions = randomized_svd(terms, width, n_iter=2, random_state=_SEED)[2]
    return np.where(texts[:, None] >= least, directions.T, 0.0).astype(np.float16)


def inputs_of(basis: Basis, vectors: Vectors, terms: Any) -> Weights:
    """Return what the layer reads of many texts (terms sparse), shape (texts, features)."""
    return np.hstack([_VECTOR * vectors, terms @ basis.astype(np.float32)]).astype(np.float32)


class PairLearner:
    """Fits one-against-all ridge regression with the kernel (1 + x'z)²/8, options weighing the same.

    With `groups` two texts of one group are twice as alike as two of different ones: what holds for all is learned
    from all, and what holds in a group only from its own. `weights` are what each text counts. The kernel of all texts is
    computed once; each fit takes the texts that it may see.
    """

    def __init__(
        self,
        inputs: Weights,
        targets: NDArray[np.int64],
        *,
        options: int,
        weights: Weights | None = None,
        groups: NDArray[np.int64] | None = None,
    ) -> None:
        self._inputs, self._targets, self._options = inputs, targets, options
        self._weights = np.ones(len(targets), dtype=np.float32) if weights is None else weights
        self._groups = groups
        self._kernel = _bent(inputs, inputs)
        if groups is not None:
            # In blocks: beside a kernel of all texts there is no room for a second one.
            for start in range(0, len(groups), _BLOCK):
                block = slice(start, start + _BLOCK)
                self._kernel[block] *= _kinship(groups[block], groups)

    def duals(self, seen: NDArray[np.int64]) -> Weights:
        """Return each seen text's part in each option's score, shape (seen, options)."""
        from scipy.linalg import cho_factor, cho_solve

        targets, own = self._targets[seen], self._weights[seen]
        totals = np.bincount(targets, weights=own, minlength=self._options)
        shown = max(1, int((totals > 0).sum()))
        weights = np.sqrt(own * own.sum() / shown / totals[targets]).astype(np.float32)
        kernel = self._kernel[np.ix_(seen, seen)]
        kernel *= weights[:, None] / 8
        kernel *= weights[None, :]
        kernel[np.diag_indices_from(kernel)] += _RIDGE
        wanted = (np.eye(self._options, dtype=np.float32)[targets] - 1 / self._options) * weights[:, None]
        # The kernel is symmetric: its transpose is laid out as LAPACK wants it, and no copy is made.
        factor = cho_factor(kernel.T, overwrite_a=True, check_finite=False)
        solved = cho_solve(factor, wanted.astype(np.float32), check_finite=False)
        return (_SHARPNESS / 8 * weights[:, None] * solved).astype(np.float32)

    def held_out(self, seen: NDArray[np.int64], inputs: Weights, groups: NDArray[np.int64] | None = None) -> Weights:
        """Return the logits of further texts from a fit on the seen ones, shape (texts, options)."""
        duals, own = self.duals(seen), self._inputs[seen]
        blocks: list[Weights] = []
        for start in range(0, len(inputs), _BLOCK):
            kernel = _bent(inputs[start : start + _BLOCK], own)
            if groups is not None and self._groups is not None:
                kernel *= _kinship(groups[start : start + _BLOCK], self._groups[seen])
            blocks.append(kernel @ duals)
        return np.concatenate(blocks)

    def layer(self) -> Quadratic:
        """Return the layer that a fit on all texts gives."""
        return self.layers([None])[0]

    def layers(self, groups: Sequence[int | None]) -> list[Quadratic]:
        """Return the layers of several groups, from one fit."""
        duals = self.duals(np.arange(len(self._inputs)))
        return [self._layer(duals, group) for group in groups]

    def _layer(self, duals: Weights, group: int | None) -> Quadratic:
        own = self._inputs
        if self._groups is not None:
            duals = duals * _kinship(self._groups, np.array([-1 if group is None else group]))
        kept = [_strongest(own.T @ (duals[:, [option]] * own)) for option in range(self._options)]
        return Quadratic(
            directions=np.stack([directions for directions, _ in kept]),
            strengths=np.stack([strengths for _, strengths in kept]),
            slopes=2 * own.T @ duals,
            bias=duals.sum(axis=0),
        )


def _kinship(left: NDArray[np.int64], right: NDArray[np.int64]) -> Weights:
    """Return how much alike texts are by their groups alone, shape (left, right)."""
    return np.where(left[:, None] == right[None, :], np.float32(4 / 3), np.float32(2 / 3))


def _strongest(form: Weights) -> tuple[Weights, Weights]:
    """Return the eigenvectors of a symmetric form that weigh most, shape (rank, features), and their eigenvalues."""
    values, vectors = np.linalg.eigh((form + form.T) / 2)
    kept = np.argsort(-np.abs(values))[:_RANK]
    return np.ascontiguousarray(vectors[:, kept].T, dtype=np.float32), values[kept].astype(np.float32)


def _bent(left: Weights, right: Weights) -> Weights:
    products = left @ right.T
    products += 1.0
    products *= products
    return products
