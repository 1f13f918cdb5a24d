"""The examples themselves as a witness: how close a text comes to the nearest ones of each option."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from routing.providers.local_encoder import Vectors
from routing.providers.local_features import Floats

# Neighbours that are averaged, and what a difference of 1 in cosine counts in the linear layer's scores.
_NEAREST, _SCALE = 3, 10.0


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """The vectors of the examples that can be read alone, ordered by option; `counts` says how many each option has."""

    vectors: Vectors
    counts: NDArray[np.int64]

    def scores(self, vectors: Vectors) -> Floats:
        """Return one score a text and option, shape (n, options): the scaled mean cosine to the nearest examples.

        An option without an example gets the lowest score of the text's others.
        """
        found = np.full((len(vectors), len(self.counts)), np.nan)
        start = 0
        for option, count in enumerate(self.counts.tolist()):
            if count:
                close = vectors @ self.vectors[start : start + count].T
                nearest = min(_NEAREST, count)
                found[:, option] = np.partition(close, count - nearest, axis=1)[:, count - nearest :].mean(axis=1)
            start += count
        if not self.counts.any():
            return np.zeros_like(found)
        return _SCALE * np.where(np.isnan(found), np.nanmin(found, axis=1, keepdims=True), found)


def learn_neighbours(vectors: Vectors, targets: NDArray[np.int64], options: int) -> Neighbours:
    """Keep the vectors of examples whose options are the numbers in `targets`."""
    order = np.argsort(targets, kind="stable")
    return Neighbours(vectors=vectors[order], counts=np.bincount(targets, minlength=options).astype(np.int64))
